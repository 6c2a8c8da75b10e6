/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.cluster.FreeDisk;
import io.evenkey.report.cluster.OperatorStatement;
import io.evenkey.report.cluster.WorkDirectory;
import io.evenkey.report.json.MigrationJson;
import io.evenkey.report.json.MigrationPreviewJson;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Routes for the state of migrations, and for their operations. */
final class MigrationRoutes {
  private final Cluster cluster;
  private final Jobs jobs;

  MigrationRoutes(Cluster cluster, Jobs jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/migrations", this::all),
        ApiRoute.get("/api/migrations/{table}", this::one),
        ApiRoute.post("/api/migrations/{table}", this::begin),
        ApiRoute.post("/api/migrations/{table}/preview", this::preview),
        ApiRoute.put("/api/migrations/{table}/goal", this::goal),
        ApiRoute.post("/api/migrations/{table}/name", this::name),
        ApiRoute.put("/api/migrations/{table}/pace", this::pace));
  }

  private void all(Context request) throws IOException {
    List<MigrationJson> migrations = new ArrayList<>();
    for (Migration migration : cluster.registry().migrations().all()) {
      migrations.add(MigrationJson.of(migration));
    }
    Json.answer(request, new MigrationJson.Migrations(migrations));
  }

  private Versioned<Migration> stored(Context request) throws IOException {
    return cluster
        .registry()
        .migrations()
        .get(table(request))
        .orElseThrow(() -> new NotFoundResponse("this table was never migrated"));
  }

  private static TableName table(Context request) {
    return TableName.valueOf(request.pathParam("table"));
  }

  private void one(Context request) throws IOException {
    Migration migration = stored(request).value();
    Json.answer(request, MigrationJson.of(migration));
  }

  private void begin(Context request) throws IOException {
    TableName table = table(request);
    ObjectNode body = Json.object(request);
    MigrationPlan plan = plan(table, body);
    OperatorStatement stated = Json.statement(body);
    request.attribute(Guard.CHANGE, "migrate table " + table + " to " + plan.layout());
    answer(
        request,
        table,
        (settings, listener) -> {
          stated.apply(cluster, table);
          return Migrator.begin(cluster.connection(), cluster.registry(), plan, settings, listener);
        });
  }

  private void preview(Context request) throws IOException {
    TableName table = table(request);
    ObjectNode body = Json.object(request);
    MigrationPlan plan = plan(table, body);
    OperatorStatement stated = Json.statement(body);
    request.attribute(Guard.CHANGE, "preview migration of table " + table);
    Job job =
        jobs.begin(
            "preview",
            "Preview of the migration of " + table,
            running -> {
              MigrationPreview preview =
                  stated.applied(
                      Migrator.preview(
                          cluster.connection(),
                          cluster.registry(),
                          plan,
                          new MigrationProgress(running)));
              FreeDisk free = FreeDisk.of(cluster.configuration());
              return MigrationPreviewJson.of(
                  table, preview, free == null ? null : free.megabytes());
            });
    request.status(202);
    Json.answer(request, job.json());
  }

  private static MigrationPlan plan(TableName table, ObjectNode body) {
    String line = Json.text(body, "layout");
    if (line == null) {
      throw new EvenkeyArgumentException("no layout; give the one to migrate the table to");
    }
    Integer regions = Json.integer(body, "regions");
    return new MigrationPlan(
        table,
        Layout.parse(line),
        regions == null ? 0 : regions,
        by(Json.text(body, "by")),
        pace(body),
        goal(Json.text(body, "goal"), Stage.READY),
        Json.flag(body, "accept_pause"),
        rewriting(body),
        keyColumns(body));
  }

  private static @Nullable List<IndexColumn> keyColumns(ObjectNode body) {
    String from = Json.text(body, "from");
    if (!Json.flag(body, "change_key")) {
      if (from != null) {
        throw new EvenkeyArgumentException(
            "columns for fields of a row key that is to stay: from="
                + from
                + "; give change_key too");
      }
      return null;
    }
    if (Json.flag(body, "rewrite_from") || Json.flag(body, "accept_pause")) {
      throw new EvenkeyArgumentException(
          "change_key copies all rows, and needs the guard: leave rewrite_from and accept_pause"
              + " out");
    }
    return from == null ? List.of() : IndexParser.columns(from);
  }

  private static MigrationPlan.Rewriting rewriting(ObjectNode body) {
    if (Json.flag(body, "copy")) {
      return MigrationPlan.Rewriting.ALL;
    }
    return Json.flag(body, "rewrite_from")
        ? MigrationPlan.Rewriting.FROM_STEP
        : MigrationPlan.Rewriting.NONE;
  }

  private void goal(Context request) throws IOException {
    Migration now = stored(request).value();
    Stage goal = goal(Json.text(Json.object(request), "goal"), now.goal());
    request.attribute(Guard.CHANGE, "migration of table " + now.table() + " to " + goal);
    answer(
        request,
        now.table(),
        (settings, listener) -> {
          Migrator migrator =
              Migrator.resume(
                  cluster.connection(), cluster.registry(), now.table(), settings, listener);
          migrator.aimFor(goal);
          return migrator;
        });
  }

  private void name(Context request) throws IOException {
    TableName table = stored(request).value().table();
    OperatorStatement stated =
        request.body().isEmpty()
            ? OperatorStatement.NONE
            : new OperatorStatement(false, Json.flag(Json.object(request), "replication_ended"));
    request.attribute(Guard.CHANGE, "give the generation in use the name of table " + table);
    answer(
        request,
        table,
        (settings, listener) -> {
          stated.apply(cluster, table);
          return Migrator.rename(
              cluster.connection(), cluster.registry(), table, settings, listener);
        });
  }

  private static Stage goal(@Nullable String name, Stage usual) {
    if (name == null) {
      return usual;
    }
    return switch (name) {
      case "ready" -> Stage.READY;
      case "switched" -> Stage.SWITCHED;
      case "finished" -> Stage.FINISHED;
      case "rolled_back" -> Stage.ROLLED_BACK;
      default ->
          throw new EvenkeyArgumentException(
              "unknown goal: " + name + "; give ready, switched, finished or rolled_back");
    };
  }

  private static Migration.By by(@Nullable String name) {
    if (name == null) {
      return Migration.By.FILES;
    }
    return switch (name) {
      case "files" -> Migration.By.FILES;
      case "puts" -> Migration.By.PUTS;
      case "snapshot" -> Migration.By.SNAPSHOT;
      default ->
          throw new EvenkeyArgumentException(
              "unknown way to copy: " + name + "; give files, puts or snapshot");
    };
  }

  private static Migration.Pace pace(ObjectNode body) {
    return new Migration.Pace(
        body.path("rows_per_second").asLong(), body.path("latency_ms").asLong());
  }

  private void pace(Context request) throws IOException {
    Versioned<Migration> now = stored(request);
    Migration.Pace pace = pace(Json.object(request));
    Migration.Pace was = now.value().pace();
    request.attribute(
        Guard.CHANGE,
        "pace of the migration of table " + now.value().table() + " " + was + " " + pace);
    cluster.registry().migrations().store(now.value().withPace(pace), now.version());
    Json.answer(request, MigrationJson.of(now.value().withPace(pace)));
  }

  @FunctionalInterface
  private interface Begin {
    Migrator migrator(MigrationSettings settings, MigrationListener listener) throws IOException;
  }

  private void answer(Context request, TableName table, Begin begin) {
    Job job =
        jobs.begin(
            "migration",
            "Migration of " + table,
            running -> {
              try (WorkDirectory work = WorkDirectory.of(null);
                  Migrator migrator =
                      begin.migrator(
                          MigrationSettings.in(work.path()), new MigrationProgress(running))) {
                return MigrationJson.of(migrator.run());
              }
            });
    request.status(202);
    Json.answer(request, job.json());
  }
}
