/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.route;

import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;

/** Finds the generation of a table that is in use. Thread-safe. */
public interface GenerationFinder {
  /** The generation; a complete future if it is known. */
  CompletableFuture<Generation> find(TableName table);

  /**
   * Forgets what a region server has refused, so that the next call looks the table up.
   *
   * @param revision of the state by which the region has refused it, as far as it has said so
   */
  void outdated(Generation generation, OptionalLong revision);
}
