/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Whether a connection uses the registry. */
public enum RegistryUse {
  /** Operations fail while the registry cannot be reached. */
  REQUIRED,
  /** While it cannot be reached, the tables' descriptors are believed, and this is logged. */
  OPTIONAL,
  /** The registry is not used. */
  OFF;

  /** Configuration key: one of the above; {@code optional} unless set. */
  public static final String SETTING = Setting.REGISTRY.key();

  /**
   * Reads the setting.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public static RegistryUse of(Configuration configuration) {
    String setting = Setting.REGISTRY.text(configuration);
    try {
      return valueOf(setting.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new EvenkeyArgumentException(
          "unknown use of the registry: "
              + SETTING
              + "="
              + setting
              + "; expected required, optional or off",
          e);
    }
  }
}
