/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexRemoval;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.protocol.index.ColumnName;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.OperatorStatement;
import io.evenkey.report.json.DroppedIndexJson;
import io.evenkey.report.json.IndexReportJson;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/**
 * Routes that add, fill, verify, sweep and drop indexes, each in a job. A job that is cancelled
 * while it fills an index pauses the filling, which another job continues.
 */
final class IndexRoutes {
  private static final String INDEXES = "/api/tables/{table}/indexes";
  private static final String INDEX = INDEXES + "/{index}";
  private static final String PACE = "rows_per_second";

  private final Cluster cluster;
  private final Jobs jobs;

  IndexRoutes(Cluster cluster, Jobs jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.post(INDEXES, this::add),
        ApiRoute.post(INDEX + "/filling", this::fill),
        ApiRoute.post(INDEX + "/verification", this::verify),
        ApiRoute.post(INDEX + "/sweep", this::sweep),
        ApiRoute.delete(INDEX, this::drop));
  }

  private void add(Context request) {
    TableName table = TableRoutes.name(request);
    ObjectNode body = Json.object(request);
    TableIndex index = index(body);
    Integer regions = Json.integer(body, "regions");
    IndexAddition addition =
        new IndexAddition(
            table, index, regions == null ? 0 : notNegative("regions", regions), pace(body));
    request.attribute(Guard.CHANGE, "add to table " + table + " the index " + index);
    run(request, addition, Json.statement(body));
  }

  private void fill(Context request) throws IOException {
    TableName table = TableRoutes.name(request);
    TableIndex index = existing(table, request.pathParam("index"));
    ObjectNode body = Json.object(request);
    long pace = body.hasNonNull(PACE) ? pace(body) : paceBefore(table, index);
    IndexAddition addition = new IndexAddition(table, index, 0, pace);
    request.attribute(Guard.CHANGE, "continue to add index " + index.name() + " of " + table);
    run(request, addition, OperatorStatement.NONE);
  }

  /** The pace of the command or job that filled it last. */
  private long paceBefore(TableName table, TableIndex index) throws IOException {
    return cluster
        .registry()
        .indexes()
        .get(table, index.name())
        .map(work -> work.filling().rowsPerSecond())
        .orElse(0L);
  }

  private void run(Context request, IndexAddition addition, OperatorStatement stated) {
    String index = addition.index().name();
    answer(
        request,
        "Addition of index " + addition.table() + "." + index,
        listener -> {
          stated.apply(cluster, addition.table());
          return IndexReportJson.of(
              index, addition.run(cluster.connection(), cluster.registry(), listener));
        });
  }

  private TableIndex existing(TableName table, String name) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      TableName generation =
          LastMigration.generation(cluster.connection(), cluster.registry(), table);
      return TableLayout.indexes(admin.getDescriptor(generation))
          .get(name)
          .orElseThrow(
              () ->
                  new NotFoundResponse(
                      "no such index: table=" + table + " index=" + name + "; add it first"));
    }
  }

  private void verify(Context request) {
    TableName table = TableRoutes.name(request);
    String index = request.pathParam("index");
    boolean repair = Json.flag(Json.object(request), "repair");
    request.attribute(
        Guard.CHANGE, (repair ? "repair" : "verify") + " index " + index + " of table " + table);
    answer(
        request,
        (repair ? "Repair" : "Verification") + " of index " + table + "." + index,
        listener ->
            IndexReportJson.of(
                index,
                IndexVerification.run(
                    cluster.connection(), cluster.registry(), table, index, repair, listener)));
  }

  private void sweep(Context request) {
    TableName table = TableRoutes.name(request);
    String index = request.pathParam("index");
    request.attribute(Guard.CHANGE, "sweep index " + index + " of table " + table);
    answer(
        request,
        "Sweep of index " + table + "." + index,
        listener ->
            IndexReportJson.of(
                index,
                IndexVerification.sweep(
                    cluster.connection(), cluster.registry(), table, index, listener)));
  }

  private void drop(Context request) {
    TableName table = TableRoutes.name(request);
    String index = request.pathParam("index");
    request.attribute(Guard.CHANGE, "drop index " + index + " of table " + table);
    answer(
        request,
        "Removal of index " + table + "." + index,
        listener -> {
          IndexRemoval.run(cluster.connection(), cluster.registry(), table, index, listener);
          return new DroppedIndexJson(table.getNameAsString(), index, true);
        });
  }

  private static TableIndex index(ObjectNode body) {
    String from = Json.text(body, "from");
    String covering = Json.text(body, "covering");
    String where = Json.text(body, "where");
    List<IndexColumn> columns = from == null ? List.of() : IndexParser.columns(from);
    List<ColumnName> covered = covering == null ? List.of() : IndexParser.covering(covering);
    return TableIndex.of(
            required(body, "name"),
            protocol(Json.text(body, "protocol")),
            Layout.parse(required(body, "layout")),
            columns,
            covered)
        .where(where == null ? "" : where);
  }

  private static String required(ObjectNode body, String name) {
    String text = Json.text(body, name);
    if (text == null) {
      throw new EvenkeyArgumentException(name + " missing; an index has a name and a layout");
    }
    return text;
  }

  private static IndexProtocol protocol(@Nullable String name) {
    if (name == null) {
      return IndexProtocol.EVENTS;
    }
    return Arrays.stream(IndexProtocol.values())
        .filter(protocol -> protocol.toString().equals(name))
        .findAny()
        .orElseThrow(
            () ->
                new EvenkeyArgumentException(
                    "unknown protocol: " + name + "; give events, append_only or mutable"));
  }

  private static int pace(ObjectNode body) {
    Integer rows = Json.integer(body, PACE);
    return rows == null ? 0 : notNegative(PACE, rows);
  }

  private static int notNegative(String name, int value) {
    if (value < 0) {
      throw new EvenkeyArgumentException(
          "out of range: " + name + "=" + value + "; give 0 or more, 0 for no limit");
    }
    return value;
  }

  @FunctionalInterface
  private interface Work {
    Object run(IndexListener listener) throws IOException;
  }

  private void answer(Context request, String title, Work work) {
    Job job = jobs.begin("index", title, running -> work.run(new ReportedPhases(running)));
    request.status(202);
    Json.answer(request, job.json());
  }

  /** Reports the work on an index as the progress of a job; ends it where the job is cancelled. */
  private static final class ReportedPhases implements IndexListener {
    private final Job job;
    private String phase = "";

    ReportedPhases(Job job) {
      this.job = job;
    }

    @Override
    public void begins(Phase begun) {
      phase = begun.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      job.progress(0, 0, phase);
    }

    @Override
    public void progress(double share, long rows) {
      job.progress(rows, share > 0 ? Math.round(rows / share) : 0, "rows, " + phase);
    }
  }
}
