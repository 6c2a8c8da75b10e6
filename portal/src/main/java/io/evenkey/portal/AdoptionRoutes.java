/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.adopt.Proposal;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.AdoptionJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/** Routes that find out the layout of a table that has none, and record it. */
final class AdoptionRoutes {
  private static final String PATH = "/api/tables/{table}/rows/layout";
  private static final int ROWS = 10_000;

  private final Cluster cluster;

  AdoptionRoutes(Cluster cluster) {
    this.cluster = cluster;
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get(PATH, this::propose), ApiRoute.put(PATH, this::record));
  }

  private void propose(Context request) throws IOException {
    TableCheck check = check(TableRoutes.name(request));
    String line = Parameters.text(request, "layout", "");
    List<Proposal> proposals =
        line.isEmpty()
            ? AdoptionJson.proposals(check, TableCheck.UNKNOWN_KEY)
            : List.of(Proposal.given(Layout.parse(line), check.rows().rows()));
    Json.answer(request, AdoptionJson.of(check, proposals, false));
  }

  private void record(Context request) throws IOException {
    TableName table = TableRoutes.name(request);
    String line = Json.text(Json.object(request), "layout");
    if (line == null) {
      throw new EvenkeyArgumentException("no layout; give the one that the rows have");
    }
    TableCheck check = check(table);
    Proposal given = Proposal.given(Layout.parse(line), check.rows().rows());
    FittingRows fit = given.fit();
    if (!fit.isComplete()) {
      throw new EvenkeyArgumentException(
          "layout does not fit: layout="
              + fit.layout()
              + " fitting="
              + fit.fitting()
              + " rows="
              + fit.rows()
              + (fit.misfits().isEmpty() ? "" : "; " + fit.misfits().get(0)));
    }
    request.attribute(Guard.CHANGE, "record layout " + fit.layout() + " of table " + table);
    check.adopt(cluster.connection(), cluster.registry(), fit.layout());
    Json.answer(request, AdoptionJson.of(check, List.of(given), true));
  }

  private TableCheck check(TableName table) throws IOException {
    TableCheck check = TableCheck.of(cluster.connection(), cluster.registry(), table, ROWS);
    FittingRows has = check.inDescriptor();
    if (has != null) {
      throw new EvenkeyArgumentException(
          "table has a layout already: table=" + table + " layout=" + has.layout());
    }
    if (check.rows().rows().isEmpty()) {
      throw new EvenkeyArgumentException(
          "table has no rows to find a layout by: table="
              + table
              + "; migrate it, or plan it anew");
    }
    return check;
  }
}
