/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.cell.CellColumn;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a column from the command line. */
final class CellColumnConverter implements ITypeConverter<CellColumn> {
  @Override
  public CellColumn convert(String text) {
    try {
      return CellColumn.parse(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
