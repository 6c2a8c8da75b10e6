package io.evenkey.app.portal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.app.cluster.Cluster;
import io.evenkey.app.cluster.MoveJson;
import io.evenkey.app.cluster.WorkDirectory;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import io.evenkey.jobs.move.MovePlan;
import io.evenkey.jobs.move.MoveSettings;
import io.evenkey.jobs.move.MoveWatch;
import io.evenkey.jobs.move.Mover;
import io.evenkey.layout.Layout;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/** Moves of tables: what they are at, and their buttons. */
final class MoveRoutes {
  private static final int SHARES = 1_000;

  private final Cluster cluster;
  private final Jobs jobs;

  MoveRoutes(Cluster cluster, Jobs jobs) {
    this.cluster = cluster;
    this.jobs = jobs;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/moves", this::all),
        Route.get("/api/moves/{table}", this::one),
        Route.post("/api/moves/{table}", this::begin),
        Route.put("/api/moves/{table}/goal", this::goal),
        Route.post("/api/moves/{table}/name", this::name),
        Route.put("/api/moves/{table}/pace", this::pace));
  }

  private void all(Context request) throws IOException {
    List<Map<String, Object>> moves = new ArrayList<>();
    for (Move move : cluster.registry().moves()) {
      moves.add(MoveJson.of(move));
    }
    Json.answer(request, Map.of("moves", moves));
  }

  private Versioned<Move> stored(Context request) throws IOException {
    return cluster
        .registry()
        .move(table(request))
        .orElseThrow(() -> new NotFoundResponse("this table was never moved"));
  }

  private static TableName table(Context request) {
    return TableName.valueOf(request.pathParam("table"));
  }

  private void one(Context request) throws IOException {
    Move move = stored(request).value();
    Json.answer(request, MoveJson.of(move));
  }

  private void begin(Context request) throws IOException {
    TableName table = table(request);
    ObjectNode body = Json.object(request);
    String line = Json.text(body, "layout");
    if (line == null) {
      throw new IllegalArgumentException("no layout; give the one to move the table to");
    }
    Integer regions = Json.integer(body, "regions");
    MovePlan plan =
        new MovePlan(
            table,
            Layout.parse(line),
            regions == null ? 0 : regions,
            by(Json.text(body, "by")),
            pace(body),
            goal(Json.text(body, "goal"), Stage.READY),
            Json.flag(body, "accept_pause"));
    request.attribute(Guard.CHANGE, "move table " + table + " to " + plan.layout());
    answer(
        request,
        table,
        (settings, watch) ->
            Mover.begin(cluster.connection(), cluster.registry(), plan, settings, watch));
  }

  private void goal(Context request) throws IOException {
    Move now = stored(request).value();
    Stage goal = goal(Json.text(Json.object(request), "goal"), now.goal());
    request.attribute(Guard.CHANGE, "move of table " + now.table() + " to " + goal);
    answer(
        request,
        now.table(),
        (settings, watch) -> {
          Mover mover =
              Mover.resume(cluster.connection(), cluster.registry(), now.table(), settings, watch);
          mover.to(goal);
          return mover;
        });
  }

  private void name(Context request) throws IOException {
    TableName table = stored(request).value().table();
    request.attribute(Guard.CHANGE, "give the generation in use the name of table " + table);
    answer(
        request,
        table,
        (settings, watch) ->
            Mover.rename(cluster.connection(), cluster.registry(), table, settings, watch));
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
          throw new IllegalArgumentException(
              "unknown goal: " + name + "; give ready, switched, finished or rolled_back");
    };
  }

  private static Move.By by(@Nullable String name) {
    if (name == null) {
      return Move.By.FILES;
    }
    return switch (name) {
      case "files" -> Move.By.FILES;
      case "puts" -> Move.By.PUTS;
      case "snapshot" -> Move.By.SNAPSHOT;
      default ->
          throw new IllegalArgumentException(
              "unknown way to copy: " + name + "; give files, puts or snapshot");
    };
  }

  private static Move.Pace pace(ObjectNode body) {
    return new Move.Pace(body.path("rows_per_second").asLong(), body.path("latency_ms").asLong());
  }

  private void pace(Context request) throws IOException {
    Versioned<Move> now = stored(request);
    Move.Pace pace = pace(Json.object(request));
    Move.Pace was = now.value().pace();
    request.attribute(
        Guard.CHANGE, "pace of the move of table " + now.value().table() + " " + was + " " + pace);
    cluster.registry().store(now.value().with(pace), now.version());
    Json.answer(request, MoveJson.of(now.value().with(pace)));
  }

  @FunctionalInterface
  private interface Begin {
    Mover mover(MoveSettings settings, MoveWatch watch) throws IOException;
  }

  private void answer(Context request, TableName table, Begin begin) {
    Job job =
        jobs.begin(
            "move",
            "Move of " + table,
            running -> {
              try (WorkDirectory work = WorkDirectory.of(null);
                  Mover mover = begin.mover(MoveSettings.in(work.path()), watch(running))) {
                return MoveJson.of(mover.run());
              }
            });
    request.status(202);
    Json.answer(request, job.json());
  }

  private static MoveWatch watch(Job job) {
    return new MoveWatch() {
      private String stage = BEFORE_STAGES;

      @Override
      public void stage(Move move) {
        stage = move.stage().toString();
        job.progress(0, 0, stage);
      }

      @Override
      public void progress(double share, long rows) {
        job.progress(
            Math.round(share * SHARES),
            share > 0 ? SHARES : 0,
            String.format(Locale.ROOT, "‰, %s, %,d rows", stage, rows));
      }
    };
  }
}
