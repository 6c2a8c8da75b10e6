/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Classes of the product: without tests, and without the libraries in the client's jar. */
final class OwnClasses implements ImportOption {
  private static final ImportOption NO_TESTS = new ImportOption.DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return NO_TESTS.includes(location) && !location.contains("/io/evenkey/shaded/");
  }
}
