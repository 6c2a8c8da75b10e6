/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.heat.history.Finding;
import io.evenkey.report.heat.history.HeatMatrix;
import io.evenkey.report.heat.history.HeatQuery;
import io.evenkey.report.heat.history.Measure;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.json.HeatFindingsJson;
import io.evenkey.report.json.HeatMapJson;
import io.evenkey.report.json.RegionLoadJson;
import io.javalin.http.Context;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Routes for the load of the key space over time. */
final class HeatRoutes {
  private static final int DETAILS = 5;

  private final Recorder recorder;

  HeatRoutes(Recorder recorder) {
    this.recorder = recorder;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/heat", this::matrix),
        ApiRoute.get("/api/heat/cell", this::cell),
        ApiRoute.get("/api/heat/findings", this::findings));
  }

  /**
   * A matrix: the length of a JSON document (4 bytes), that document, padded with spaces to a
   * multiple of 4 bytes, then the values (4 bytes each, IEEE 754) and the flags (1 byte each), by
   * column, then by row. Numbers are little-endian, like typed arrays in browsers.
   */
  private void matrix(Context request) {
    long now = System.currentTimeMillis();
    long every = recorder.every().toMillis();
    HeatQuery query =
        new HeatQuery(
            Parameters.whole(request, "from", now - 60 * every),
            Parameters.whole(request, "to", now),
            table(request),
            Measure.valueOf(Parameters.text(request, "measure", "writes").toUpperCase(Locale.ROOT)),
            Parameters.text(request, "order", "physical").equals("logical"),
            Parameters.integer(request, "columns", 300),
            Parameters.integer(request, "rows", 300));
    HeatMatrix matrix = recorder.matrix(query);
    HeatMapJson head =
        new HeatMapJson(
            matrix.from(),
            matrix.step(),
            matrix.columns(),
            query.measure().unit(),
            recorder.oldest(),
            matrix.tables(),
            matrix.marks(),
            matrix.rows().stream().map(HeatMatrix.HeatRow::label).toList(),
            matrix.rows().stream().map(row -> ByteText.hex(row.start())).toList());
    byte[] json = Json.bytes(head);
    int padded = (json.length + 3) / 4 * 4;
    ByteBuffer bytes =
        ByteBuffer.allocate(4 + padded + 4 * matrix.values().length + matrix.flags().length)
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(padded).put(json);
    while (bytes.position() < 4 + padded) {
      bytes.put((byte) ' ');
    }
    for (float value : matrix.values()) {
      bytes.putFloat(value);
    }
    bytes.put(matrix.flags());
    request.contentType("application/octet-stream").result(bytes.array());
  }

  private static @Nullable String table(Context request) {
    String table = request.queryParam("table");
    return table == null || table.isBlank() ? null : table;
  }

  private void cell(Context request) {
    String table = Parameters.required(request, "table");
    long at = Parameters.whole(request, "at", System.currentTimeMillis());
    byte[] from = ByteText.fromHex(Parameters.text(request, "start", ""));
    byte[] to = ByteText.fromHex(Parameters.text(request, "end", ""));
    Json.answer(
        request,
        new RegionLoadJson.RegionLoads(
            recorder.at(at, table, from, to, DETAILS).stream()
                .map(span -> RegionLoadJson.of(span, recorder.label(table, span.start())))
                .toList()));
  }

  private void findings(Context request) {
    String table = table(request);
    boolean all = request.queryParam("from") == null;
    List<Finding> findings =
        all
            ? recorder.findings()
            : recorder.findings(
                Parameters.whole(request, "from", 0),
                Parameters.whole(request, "to", System.currentTimeMillis()));
    Json.answer(
        request,
        new HeatFindingsJson(
            findings.stream()
                .filter(one -> table == null || one.table().equals(recorder.name(table)))
                .toList(),
            recorder.problem()));
  }
}
