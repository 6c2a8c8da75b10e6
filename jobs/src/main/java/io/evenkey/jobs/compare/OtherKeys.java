/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import java.util.Optional;
import org.apache.hadoop.hbase.client.Result;

/** The rows of two tables that have other keys, and belong together nevertheless. */
public interface OtherKeys {
  /**
   * The logical key of a row in the second table; empty if it is to have none there.
   *
   * @param key the row's logical key in the first table
   * @param row its cells, of all columns that the key is made of
   * @throws io.evenkey.layout.text.LayoutException if the row cannot have a key there
   */
  Optional<byte[]> second(byte[] key, Result row);

  /** The logical key in the first table of a row of the second. */
  byte[] first(byte[] second);
}
