package io.evenkey.app.cli;

import java.lang.reflect.Constructor;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Gives each command the console it writes to. */
final class CommandFactory implements IFactory {
  private final Console console;

  CommandFactory(Console console) {
    this.console = console;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      Class<?>[] parameters = constructor.getParameterTypes();
      if (parameters.length == 1 && parameters[0] == Console.class) {
        return type.cast(constructor.newInstance(console));
      }
    }
    return CommandLine.defaultFactory().create(type);
  }
}
