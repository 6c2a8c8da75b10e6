/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Advisor;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.query.Workload;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.advice.AdviceReport;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.AdviceSummaryJson;
import io.evenkey.report.json.ImportJson;
import io.evenkey.report.json.JobJson;
import io.evenkey.report.sample.RecordSample;
import io.evenkey.report.sample.TableSample;
import io.evenkey.report.terminal.Amount;
import io.javalin.http.Context;
import io.javalin.http.NotFoundResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Routes for advice and imports, which run in the background. */
final class JobRoutes {
  static final String UPLOADS = "/api/uploads";

  private static final String REPORTS = "/api/reports/";
  private static final long MOST_REJECTS = 1_000;
  private static final int WRITERS = 4;

  private final Cluster cluster;
  private final Jobs jobs;
  private final Uploads uploads;

  JobRoutes(Cluster cluster, Jobs jobs, Uploads uploads) {
    this.cluster = cluster;
    this.jobs = jobs;
    this.uploads = uploads;
  }

  /** Whether a path is that of a report, which is protected by its unguessable name. */
  static boolean isReport(String path) {
    return path.startsWith(REPORTS);
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/jobs", request -> Json.answer(request, new JobJson.Jobs(jobs.json()))),
        ApiRoute.get("/api/jobs/{id}", request -> Json.answer(request, job(request).json())),
        ApiRoute.delete("/api/jobs/{id}", this::cancel),
        ApiRoute.get(REPORTS + "{id}", this::report),
        ApiRoute.post(UPLOADS, this::upload),
        ApiRoute.post("/api/jobs/advice", this::advise),
        ApiRoute.post("/api/jobs/import", this::load));
  }

  private Job job(Context request) {
    Job job = jobs.get(request.pathParam("id"));
    if (job == null) {
      throw new NotFoundResponse("no such job: only the last ones are kept");
    }
    return job;
  }

  private void cancel(Context request) {
    boolean cancelled = job(request).cancel();
    request.attribute(Guard.CHANGE, "cancel job " + request.pathParam("id"));
    Json.answer(request, new JobJson.CancelledJob(cancelled));
  }

  private void report(Context request) {
    String html = job(request).report();
    if (html == null) {
      throw new NotFoundResponse("this job has no report");
    }
    // The report has its own style and script, and may send no requests, not even to the portal.
    request.header(
        "Content-Security-Policy",
        "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline';"
            + " script-src 'unsafe-inline'; img-src data:");
    request.html(html);
  }

  private void upload(Context request) throws IOException {
    String name = Parameters.required(request, "name");
    request.attribute(Guard.CHANGE, "upload " + name);
    String id = uploads.add(name, request.bodyInputStream());
    request.status(201);
    Json.answer(request, new JobJson.UploadedFile(id));
  }

  private void advise(Context request) throws IOException {
    ObjectNode body = Json.object(request);
    String queries = Json.text(body, "queries");
    if (queries == null) {
      throw new EvenkeyArgumentException("no queries; give one query per line");
    }
    String upload = Json.text(body, "upload");
    String table = Json.text(body, "table");
    if ((upload == null) == (table == null)) {
      throw new EvenkeyArgumentException("give either an upload or a table");
    }
    Integer given = Json.integer(body, "servers");
    int servers = given == null ? servers() : given;
    List<String> lines = queries.lines().toList();
    Job job;
    if (table != null) {
      double share = body.path("sample").asDouble(1);
      SpreadTable open = cluster.tables().open(TableName.valueOf(table));
      request.attribute(Guard.CHANGE, "advise on table " + table);
      job =
          jobs.begin(
              "advice",
              "Advice on " + table,
              running -> {
                Sample sample =
                    TableSample.of(open, share, rows -> running.progress(rows, 0, "rows read"));
                AdviceSummaryJson result =
                    advised(running, sample, lines, servers, "table " + table);
                String next = migration(open.layout(), result.layout());
                boolean isOther = !next.isEmpty() && !next.equals(open.layout().toString());
                return result.on(table, isOther ? next : null);
              });
    } else {
      String name = Parameters.text(request, "name", "upload");
      Uploads.Upload sent = uploads.take(Objects.requireNonNull(upload));
      Path file = sent.file();
      request.attribute(Guard.CHANGE, "advise on " + name);
      job =
          jobs.begin(
              "advice",
              "Advice on " + name,
              running -> {
                try {
                  Input input = Input.file(file, sent.name());
                  RecordSource source = Format.of(file.toString()).read(input);
                  Workload workload = QueryFile.parse(lines, source.columns());
                  Sample sample =
                      RecordSample.of(
                          source,
                          input,
                          workload,
                          bytes -> running.progress(bytes, input.size(), "bytes read"));
                  return advised(running, sample, lines, servers, name);
                } finally {
                  Uploads.delete(file);
                }
              });
    }
    request.status(202);
    Json.answer(request, job.json());
  }

  // A migration that keeps the row key keeps all of its fields, in their order.
  private static String migration(Layout present, String advised) {
    int end = advised.indexOf(" + ");
    Layout layout = Layout.parse(advised);
    if (layout.fields().equals(present.fields())) {
      return advised;
    }
    try {
      return end < 0 || layout.spread().prefix() == null
          ? ""
          : Layout.parse(advised.substring(0, end) + " + " + present.plain()).toString();
    } catch (LayoutException e) {
      return "";
    }
  }

  private static AdviceSummaryJson advised(
      Job job, Sample sample, List<String> lines, int servers, String source) throws IOException {
    Workload workload =
        QueryFile.parse(lines, sample.columns().stream().map(Column::name).toList()).on(servers);
    Advice advice =
        Advisor.usual()
            .advise(sample, workload, (done, all) -> job.progress(done, all, "layouts measured"));
    job.report(AdviceReport.html(advice, source));
    return AdviceSummaryJson.of(advice);
  }

  private int servers() throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.getRegionServers().size();
    }
  }

  private void load(Context request) throws IOException {
    ObjectNode body = Json.object(request);
    String table = Json.text(body, "table");
    String upload = Json.text(body, "upload");
    if (table == null || upload == null) {
      throw new EvenkeyArgumentException("give a table and an upload");
    }
    SpreadTable open = cluster.tables().open(TableName.valueOf(table));
    String family = family(open, Json.text(body, "family"));
    request.attribute(Guard.CHANGE, "import into table " + table);
    Uploads.Upload sent = uploads.take(upload);
    Job job =
        jobs.begin(
            "import",
            "Import into " + table,
            running -> {
              try {
                return loaded(running, open, sent, family);
              } finally {
                Uploads.delete(sent.file());
              }
            });
    request.status(202);
    Json.answer(request, job.json());
  }

  private String family(SpreadTable table, @Nullable String wanted) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      List<String> families =
          admin.getDescriptor(table.generation()).getColumnFamilyNames().stream()
              .map(Bytes::toString)
              .toList();
      if (wanted != null && !families.contains(wanted) || wanted == null && families.size() > 1) {
        throw new EvenkeyArgumentException(
            "name a family of the table: " + String.join(", ", families));
      }
      return wanted == null ? families.get(0) : wanted;
    }
  }

  private ImportJson loaded(Job job, SpreadTable table, Uploads.Upload sent, String family)
      throws IOException {
    Path file = sent.file();
    Input input = Input.file(file, sent.name());
    RecordSource source = Format.of(file.toString()).read(input);
    LoadOptions options =
        LoadOptions.to(file.resolveSibling("rejects.csv"), file.resolveSibling("checkpoint"))
            .family(family)
            .maxRejects(MOST_REJECTS)
            .writers(WRITERS)
            .build();
    LoadResult loaded =
        Loader.of(table.generation(), table.layout(), List.of(input), List.of(source), options)
            .run(
                cluster.connection(),
                (records, skew) ->
                    job.progress(
                        input.bytesRead(),
                        input.size(),
                        Amount.of(records, "record")
                            + String.format(Locale.ROOT, ", skew %.2f", skew)));
    return ImportJson.of(table.name(), loaded, false);
  }
}
