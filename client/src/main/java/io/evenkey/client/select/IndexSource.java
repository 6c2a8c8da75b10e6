/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import io.evenkey.client.internal.index.IndexReads;
import io.evenkey.client.internal.route.Generation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.yetus.audience.InterfaceAudience;

/** The source of the entries and the rows of reads through an index. */
@InterfaceAudience.Private
public interface IndexSource {
  /** Has a table looked up again when it is next used: it may have other indexes by now. */
  void forget(TableName table);

  /** The entries of an index. */
  Selection entries(IndexReads index) throws IOException;

  /**
   * Rows of one generation of the table.
   *
   * @param gets with logical keys as their rows
   * @return the rows in the same order, empty where there is none
   */
  CompletableFuture<Result[]> rows(Generation generation, List<Get> gets) throws IOException;

  /**
   * Asks a region server whether the table is what the client takes it for.
   *
   * @param get a read of any row, whose answer is not looked at
   * @return complete when it was answered; fails if the server refuses the request
   */
  CompletableFuture<?> confirm(Generation generation, Get get) throws IOException;
}
