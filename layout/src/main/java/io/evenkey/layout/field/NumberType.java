/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

/** A type of whole numbers or times that are encoded as {@link BinaryNumbers}, all of one width. */
interface NumberType extends FieldType {
  @Override
  BinaryNumbers numbers();

  @Override
  default int width() {
    return numbers().width();
  }

  @Override
  default boolean growsWithArrival() {
    return true;
  }

  @Override
  default boolean canHaveSteps() {
    return true;
  }
}
