/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import io.evenkey.app.json.StepJson;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Explanation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.SizeRule;
import io.evenkey.layout.size.TableLoad;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Steps;
import io.evenkey.layout.text.SyntaxException;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
    Map<String, Object> document = new LinkedHashMap<>();
    try {
      Layout layout = Layout.parse(line(request));
      document.put("valid", true);
      document.putAll(of(layout));
    } catch (SyntaxException e) {
      document.put("valid", false);
      document.putAll(Problems.of(e));
    }
    Json.answer(request, document);
  }

  /** A layout, part by part. */
  static Map<String, Object> of(Layout layout) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("layout", layout.toString());
    document.put("plain", layout.isPlain());
    layout.buckets().ifPresent(buckets -> document.put("buckets", buckets));
    List<Map<String, String>> parts = new ArrayList<>();
    Prefix prefix = layout.spread().prefix();
    if (prefix != null) {
      parts.add(part(prefix.toString(), meaning(prefix) + steps(prefix.steps())));
    }
    layout.key().parts().forEach(part -> parts.add(part(part.toString(), meaning(part))));
    document.put("parts", parts);
    document.put("fields", layout.fields().stream().map(LayoutRoutes::field).toList());
    document.put("steps", StepJson.all(layout.steps()));
    document.put("warnings", layout.warnings());
    return document;
  }

  private static Map<String, String> part(String text, String meaning) {
    return Map.of("part", text, "meaning", meaning);
  }

  private static Map<String, Object> field(Field field) {
    return Map.of(
        "name", field.name(), "type", field.type().toString(), "descending", field.descending());
  }

  private static String meaning(Prefix prefix) {
    if (prefix.width() == 0) {
      return "Nothing in front of the key.";
    }
    String of =
        prefix.isFree()
            ? "chosen at random for each write, so that a read of one row asks all buckets"
            : prefix.fields().isEmpty()
                ? "by a hash of the whole key"
                : "by a hash of "
                    + String.join(", ", prefix.fields())
                    + (prefix.variants() > 1
                        ? ", and one of " + prefix.variants() + " variants by the rest of the key"
                        : ": rows with the same value stay together");
    String count =
        prefix.count() == Long.MAX_VALUE
            ? "as many prefixes as there are hashes"
            : String.format(Locale.ROOT, "%,d buckets", prefix.count());
    return prefix.width()
        + " byte"
        + (prefix.width() == 1 ? "" : "s")
        + ", "
        + count
        + ", "
        + of
        + ".";
  }

  private static String steps(Steps steps) {
    return IntStream.range(0, steps.list().size())
        .mapToObj(steps::described)
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining("; "), all -> all.isEmpty() ? "" : " " + all + "."));
  }

  private static String meaning(Part part) {
    if (part instanceof Part.Literal literal) {
      return "The same " + literal.bytes().length + " bytes in every key.";
    } else if (part instanceof Part.Reverse) {
      return "Stored in reverse byte order, so that the bytes that change most come first.";
    }
    Field field = ((Part.Value) part).field();
    int width = field.type().width();
    return (width == FieldType.VARIABLE ? "As many bytes as it needs" : width + " bytes")
        + (field.descending() ? ", largest first." : ", smallest first.");
  }

  private void encode(Context request) {
    Layout layout = Layout.parse(line(request));
    Values record = layout.read(name -> request.queryParam(FIELD + name));
    Explanation explained = layout.explain(record);
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("logical_hex", ByteText.hex(explained.logical()));
    document.put("physical_hex", ByteText.hex(explained.physical()));
    document.put("physical", ByteText.printable(explained.physical()));
    document.put("bucket", explained.bucket().isPresent() ? explained.bucket().getAsInt() : null);
    document.put(
        "parts",
        explained.pieces().stream()
            .map(
                piece ->
                    Map.of(
                        "part",
                        piece.part(),
                        "hex",
                        ByteText.hex(piece.bytes()),
                        "text",
                        ByteText.printable(piece.bytes())))
            .toList());
    document.put("notes", Layout.rowLengthNotes(explained.physical().length));
    List<String> warnings =
        new ArrayList<>(OddTimes.warnings(layout, name -> request.queryParam(FIELD + name)));
    warnings.addAll(layout.warnings(explained.physical().length));
    document.put("warnings", warnings);
    Json.answer(request, document);
  }

  private void decode(Context request) {
    Layout layout = Layout.parse(line(request));
    String hex = Parameters.required(request, "hex").replaceAll("\\s", "");
    byte[] row;
    try {
      row = ByteText.fromHex(hex.startsWith("0x") ? hex.substring(2) : hex);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "not a row in hex: " + hex + "; two hex digits per byte", e);
    }
    Values values = layout.decode(row);
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    layout
        .fields()
        .forEach(
            field ->
                fields.put(field.name(), Row.Entry.of(field, values.get(field.name())).display()));
    Json.answer(request, Map.of("fields", fields));
  }

  private void ranges(Context request) {
    Layout layout = Layout.parse(line(request));
    Where where = layout.where(Parameters.required(request, "where"));
    Scatter scatter = layout.scatter(where);
    List<Map<String, String>> ranges = new ArrayList<>();
    for (KeyRange range : scatter.ranges().subList(0, Math.min(SHOWN, scatter.fanOut()))) {
      ranges.add(
          Map.of(
              "start",
              ByteText.printable(range.start()),
              "stop",
              range.isOpenEnded() ? "" : ByteText.printable(range.stop())));
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("fan_out", scatter.fanOut());
    document.put("ordered", scatter.ordered());
    document.put("filters", where.residual(scatter.exact()));
    document.put("ranges", ranges);
    Json.answer(request, document);
  }

  private void size(Context request) {
    TableLoad load =
        new TableLoad(
            Parameters.number(request, "gb", 1),
            TableLoad.Weight.valueOf(
                Parameters.text(request, "weight", "even").toUpperCase(Locale.ROOT)),
            Parameters.number(request, "write_mb", 0),
            Parameters.integer(request, "servers", 0));
    Json.answer(request, of(RegionCount.of(load)));
  }

  /** A number of regions, with the rules behind it. */
  static Map<String, Object> of(RegionCount count) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("regions", count.regions());
    document.put(
        "rules",
        count.rules().stream()
            .map(
                (SizeRule rule) ->
                    Map.of(
                        "rule",
                        rule.rule(),
                        "figure",
                        rule.figure(),
                        "validity",
                        rule.validity(),
                        "source",
                        rule.source()))
            .toList());
    document.put("conflicts", count.conflicts());
    return document;
  }

  private static String line(Context request) {
    return Parameters.required(request, "line");
  }
}
