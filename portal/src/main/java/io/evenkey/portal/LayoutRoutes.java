/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.report.json.DecodedKeyJson;
import io.evenkey.report.json.ErrorJson;
import io.evenkey.report.json.ExplainedKeyJson;
import io.evenkey.report.json.LayoutJson;
import io.evenkey.report.json.RegionCountJson;
import io.evenkey.report.json.ScatterJson;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Routes that explain a layout line and its effect on a key, without access to the cluster. */
final class LayoutRoutes {
  private static final int SHOWN = 64;
  private static final String FIELD = "field.";

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/layout", this::explain),
        ApiRoute.get("/api/layout/encode", this::encode),
        ApiRoute.get("/api/layout/decode", this::decode),
        ApiRoute.get("/api/layout/ranges", this::ranges),
        ApiRoute.get("/api/size", this::size));
  }

  // Called while a user types: an invalid line is a regular response, not an error.
  private void explain(Context request) {
    LayoutJson.CheckedLine checked;
    try {
      checked = new LayoutJson.CheckedLine(true, LayoutJson.of(Layout.parse(line(request))), null);
    } catch (SyntaxException e) {
      checked = new LayoutJson.CheckedLine(false, null, ErrorJson.of(e));
    }
    Json.answer(request, checked);
  }

  private void encode(Context request) {
    Layout layout = Layout.parse(line(request));
    Values record = layout.read(name -> request.queryParam(FIELD + name));
    List<String> odd = OddTimes.warnings(layout, name -> request.queryParam(FIELD + name));
    Json.answer(request, ExplainedKeyJson.of(layout, layout.explain(record), odd));
  }

  private void decode(Context request) {
    Layout layout = Layout.parse(line(request));
    String hex = Parameters.required(request, "hex").replaceAll("\\s", "");
    byte[] row;
    try {
      row = ByteText.fromHex(hex.startsWith("0x") ? hex.substring(2) : hex);
    } catch (IllegalArgumentException e) {
      throw new EvenkeyArgumentException(
          "not a row in hex: " + hex + "; two hex digits per byte", e);
    }
    byte[] logical = layout.logical(row);
    Values values = layout.decodeLogical(logical);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    layout
        .fields()
        .forEach(
            field ->
                fields.put(field.name(), Row.Entry.of(field, values.get(field.name())).display()));
    Json.answer(request, DecodedKeyJson.of(layout, logical, fields));
  }

  private void ranges(Context request) {
    Layout layout = Layout.parse(line(request));
    Where where = layout.where(Parameters.required(request, "where"));
    Scatter scatter = layout.scatter(where);
    Json.answer(request, ScatterJson.of(layout, where, scatter, SHOWN));
  }

  private void size(Context request) {
    TableLoad load =
        new TableLoad(
            Parameters.number(request, "gb", 1),
            TableLoad.Weight.valueOf(
                Parameters.text(request, "weight", "even").toUpperCase(Locale.ROOT)),
            Parameters.number(request, "write_mb", 0),
            Parameters.integer(request, "servers", 0));
    Json.answer(request, RegionCountJson.of(RegionCount.of(load)));
  }

  private static String line(Context request) {
    return Parameters.required(request, "line");
  }
}
