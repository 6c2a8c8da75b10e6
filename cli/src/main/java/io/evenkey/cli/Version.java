/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version of this build. */
final class Version implements IVersionProvider {
  /** The number, or null for classes that are not in a jar. */
  static @Nullable String number() {
    return Version.class.getPackage().getImplementationVersion();
  }

  @Override
  public String[] getVersion() {
    return new String[] {"evenkey " + Objects.requireNonNullElse(number(), "(not packaged)")};
  }
}
