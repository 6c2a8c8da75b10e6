/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.Workload;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * What is known about a table before it exists. Immutable.
 *
 * @param table its name
 * @param family its column family
 * @param queryLines the queries as they were written, one in each
 * @param workload the same, read, with the load
 */
public record Requirements(
    TableName table, String family, List<String> queryLines, Workload workload) {
  /** Copies the list. */
  public Requirements {
    queryLines = List.copyOf(queryLines);
  }

  /** The query of the greatest weight, and of several the first. */
  Query mainQuery() {
    return workload.queries().stream()
        .max(Comparator.comparingDouble(Query::weight).thenComparing(q -> -position(q)))
        .orElseThrow();
  }

  private int position(Query query) {
    return workload.queries().indexOf(query);
  }
}
