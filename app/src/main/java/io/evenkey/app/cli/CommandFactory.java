package io.evenkey.app.cli;

import io.evenkey.app.portal.launch.PortalStarter;
import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Gives each command the console it writes to, and what starts a portal if it wants one. */
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
