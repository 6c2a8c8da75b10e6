/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.BrowsedRowsJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The route for rows of a table, decoded by its layout. Only known users see rows. */
final class RowRoutes {
  private static final int MOST = 200;

  private final Cluster cluster;

  RowRoutes(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Whether a path is that of rows. */
  static boolean has(String path) {
    return path.startsWith("/api/tables/")
        && (path.endsWith("/rows") || path.endsWith("/rows/layout"));
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get("/api/tables/{table}/rows", this::rows));
  }

  private void rows(Context request) throws IOException {
    int limit = Parameters.integer(request, "limit", 20);
    if (limit < 1 || limit > MOST) {
      throw new EvenkeyArgumentException(
          "limit out of range: limit=" + limit + "; expected 1 to " + MOST);
    }
    String where = Parameters.text(request, "where", "");
    boolean reversed = Parameters.text(request, "reversed", "false").equals("true");
    RowQuery query =
        new RowQuery(where.isEmpty() ? null : where, limit + 1, reversed, List.of(), false, null);
    Set<String> fields = new LinkedHashSet<>();
    Set<String> columns = new LinkedHashSet<>();
    List<BrowsedRowsJson.BrowsedRow> found = new ArrayList<>();
    boolean more = false;
    try (Rows rows = query.open(cluster.tables().open(TableRoutes.name(request)))) {
      for (Row row = rows.next(); row != null && !more; row = rows.next()) {
        more = found.size() == limit;
        if (!more) {
          found.add(shown(row, fields, columns));
        }
      }
      Json.answer(
          request,
          new BrowsedRowsJson(
              rows.isOrdered(), List.copyOf(fields), List.copyOf(columns), found, more));
    }
  }

  private static BrowsedRowsJson.BrowsedRow shown(
      Row row, Set<String> fields, Set<String> columns) {
    Map<String, String> key = new LinkedHashMap<>();
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < row.entries().size(); i++) {
      Row.Entry entry = row.entries().get(i);
      boolean isField = i < row.fields();
      (isField ? fields : columns).add(entry.name());
      (isField ? key : values).put(entry.name(), entry.display());
    }
    return new BrowsedRowsJson.BrowsedRow(key, values);
  }
}
