/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Whether a connection uses the registry. */
public enum RegistryUse {
  /** Without it, nothing is read, written or created. */
  REQUIRED,
  /** While it cannot be reached, the tables' descriptors are believed, and this is logged. */
  OPTIONAL,
  /** Not looked at. */
  OFF;

  /** Configuration key: one of the above; {@code optional} unless set. */
  public static final String SETTING = "evenkey.registry";

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static RegistryUse of(Configuration configuration) {
    String setting = configuration.getTrimmed(SETTING, "optional");
    try {
      return valueOf(setting.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown use of the registry: "
              + SETTING
              + "="
              + setting
              + "; expected required, optional or off",
          e);
    }
  }
}
