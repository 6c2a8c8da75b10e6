/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.layout.index.TableIndex;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * An index of a table, and what commands have done with it.
 *
 * @param table the table that applications name
 * @param work null if the registry has nothing of the index
 */
public record DescribedIndex(TableName table, TableIndex index, @Nullable IndexWork work) {

  /** The indexes of a table, by the descriptor of its generation. */
  public static List<DescribedIndex> of(TableDescriptor generation, Registry registry)
      throws IOException {
    String of = generation.getValue(TableLayout.TABLE);
    TableName table = of == null ? generation.getTableName() : TableName.valueOf(of);
    List<DescribedIndex> all = new ArrayList<>();
    for (TableIndex index : TableLayout.indexes(generation).list()) {
      IndexWork work = registry.indexes().get(table, index.name()).orElse(null);
      all.add(new DescribedIndex(table, index, work));
    }
    return all;
  }

  /** The table of the entries. */
  public TableName entries() {
    return TableName.valueOf(index.tableName(table.getNameAsString()));
  }

  /** The index as JSON shows it. */
  public Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", table.getNameAsString());
    document.put("index", index.name());
    document.put("protocol", index.protocol().toString());
    document.put("state", index.state().toString());
    document.put("layout", index.layout().toString());
    document.put("from", index.columns().stream().map(Object::toString).toList());
    document.put("covering", index.covering().stream().map(Object::toString).toList());
    document.put("where", index.where());
    document.put("entries_table", entries().getNameAsString());
    if (work != null) {
      document.put("since", work.since().toString());
      document.put("filled_rows", work.filling().rows());
      document.put("rows_per_second", work.filling().rowsPerSecond());
      document.put("filled", work.filling().finished() != null);
      IndexWork.Verification last = work.verified();
      if (last != null) {
        document.put("verified_at", last.at().toString());
        IndexReportJson.addTo(document, last.found());
        document.put("added", last.added());
        document.put("removed", last.removed());
        document.put("differences", last.differences());
        document.put("to_repair", last.toRepair());
        document.put("swept_since_verified", work.isSweptSinceVerified());
      }
      document.put("stale_entries", work.staleEntries());
      IndexWork.Sweep swept = work.swept();
      if (swept != null) {
        document.put("swept_at", swept.at().toString());
        document.put("swept_seconds_ago", secondsAgo(swept.at()));
        document.put("swept_entries", swept.entries());
        document.put("swept_removed", swept.removed());
        document.put("swept_settled", swept.settled());
      }
    }
    return document;
  }

  /** Clocks of two machines differ. */
  private static long secondsAgo(Instant then) {
    return Math.max(0, Duration.between(then, Instant.now()).toSeconds());
  }
}
