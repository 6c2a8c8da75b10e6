/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.protocol.hotkeys.HotKeySetting;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a setting of hot keys from the command line. */
final class HotKeySettingConverter implements ITypeConverter<HotKeySetting> {
  @Override
  public HotKeySetting convert(String text) {
    try {
      return HotKeySetting.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
