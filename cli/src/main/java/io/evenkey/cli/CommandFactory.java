/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.launch.PortalStarter;
import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Creates commands with their console and, for commands that need it, the portal's starter. */
final class CommandFactory implements IFactory {
  private final Console console;
  private final PortalStarter portal;

  CommandFactory(Console console, PortalStarter portal) {
    this.console = console;
    this.portal = portal;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      Class<?>[] parameters = constructor.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == Console.class) {
        return type.cast(constructor.newInstance(console));
      } else if (parameters.length == 2 && parameters[1] == PortalStarter.class) {
        return type.cast(constructor.newInstance(console, portal));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
