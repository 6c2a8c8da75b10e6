/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of one file that has a schema, as the library of its format gives them.
 *
 * @param <V> the library's record
 */
interface TypedRecords<V> extends Closeable {
  /** The columns of the schema, in its order. */
  List<TypedColumn<V>> columns();

  /** The next record, valid until the next call, or null if there are no more. */
  @Nullable V next() throws IOException;

  /** Opens a file. */
  @FunctionalInterface
  interface Opener<V> {
    /**
     * Reads the schema.
     *
     * @param wanted the columns whose values are asked for; null for all
     * @throws InputException if the input is not of the format, or cannot be read here
     */
    TypedRecords<V> open(Input input, @Nullable Set<String> wanted) throws InputException;
  }
}
