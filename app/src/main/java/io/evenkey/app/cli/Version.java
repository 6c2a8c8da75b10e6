package io.evenkey.app.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {"evenkey " + Objects.requireNonNullElse(version, "(not packaged)")};
  }
}
