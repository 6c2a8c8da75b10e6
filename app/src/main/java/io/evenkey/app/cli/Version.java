package io.evenkey.app.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version this was built as. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"evenkey " + Objects.requireNonNullElse(version, "(not packaged)")};
  }
}
