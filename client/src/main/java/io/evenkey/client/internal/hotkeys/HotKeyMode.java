/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.client.internal.setting.Setting;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;

/** Whether a client counts hot keys, and how it tells them. */
enum HotKeyMode {
  /** Not at all. */
  OFF,
  /**
   * With a hash instead of each key and value: equal ones can be seen to be equal, and no value
   * leaves the client.
   */
  HASHED,
  /** As they are. */
  PLAIN;

  /** Configuration key: one of the above; {@code off} unless set. */
  static final String SETTING = Setting.HOTKEYS.key();

  static HotKeyMode of(Configuration configuration) {
    String setting = Setting.HOTKEYS.text(configuration);
    try {
      return valueOf(setting.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "unknown way to count hot keys: "
              + SETTING
              + "="
              + setting
              + "; expected off, hashed or plain",
          e);
    }
  }
}
