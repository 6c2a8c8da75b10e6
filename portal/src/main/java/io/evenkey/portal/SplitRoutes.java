/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.SplitJson;
import io.evenkey.report.json.SplitKeyJson;
import io.evenkey.report.json.SplitPreviewJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;

/** Routes that cut a spread table with too few regions between its buckets. */
final class SplitRoutes {
  private static final String PATH = "/api/tables/{table}/splits";

  private final Cluster cluster;
  private final Jobs jobs;

  SplitRoutes(Cluster cluster, Jobs jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get(PATH, this::preview), ApiRoute.post(PATH, this::split));
  }

  /** The table in use, as it is stored. */
  private record Spread(TableName generation, Layout layout, int regions, int servers) {}

  private Spread spread(TableName table) throws IOException {
    TableName generation =
        LastMigration.generation(cluster.connection(), cluster.registry(), table);
    try (Admin admin = cluster.connection().getAdmin()) {
      Layout layout = TableLayout.of(admin.getDescriptor(generation));
      if (layout == null || layout.spread().width() == 0) {
        throw new EvenkeyArgumentException(
            "table has no buckets to cut it between: table="
                + table
                + (layout == null ? "; it has no layout" : " layout=" + layout));
      }
      return new Spread(
          generation, layout, admin.getRegions(generation).size(), admin.getRegionServers().size());
    }
  }

  private void preview(Context request) throws IOException {
    Spread spread = spread(TableRoutes.name(request));
    List<byte[]> cuts =
        new BucketRegions(cluster.connection(), spread.generation, spread.layout).missing();
    Json.answer(
        request,
        new SplitPreviewJson(
            spread.regions,
            spread.regions + cuts.size(),
            spread.servers,
            SplitKeyJson.all(spread.layout, cuts)));
  }

  private void split(Context request) throws IOException {
    TableName table = TableRoutes.name(request);
    Spread spread = spread(table);
    request.attribute(Guard.CHANGE, "split table " + table + " between its buckets");
    Job job =
        jobs.begin(
            "split",
            "Split of " + table,
            running -> {
              int cuts =
                  new BucketRegions(cluster.connection(), spread.generation, spread.layout)
                      .make((made, all) -> running.progress(made, all, "regions split off"));
              return new SplitJson(table.getNameAsString(), cuts);
            });
    request.status(202);
    Json.answer(request, job.json());
  }
}
