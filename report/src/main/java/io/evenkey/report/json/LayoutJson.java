/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Steps;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A layout, part by part, as JSON. Immutable.
 *
 * @param plain whether it spreads nothing
 * @param buckets left out if it has none
 * @param steps of the salt; empty if it has none
 */
public record LayoutJson(
    String layout,
    boolean plain,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer buckets,
    List<LayoutPart> parts,
    List<LayoutField> fields,
    List<StepJson> steps,
    List<String> warnings) {
  /** Copies the lists. */
  public LayoutJson {
    parts = List.copyOf(parts);
    fields = List.copyOf(fields);
    steps = List.copyOf(steps);
    warnings = List.copyOf(warnings);
  }

  /** A part of the line, and what it does to keys. */
  public record LayoutPart(String part, String meaning) {}

  /** A field of the key. */
  public record LayoutField(String name, String type, boolean descending) {}

  /** The layout of a line, or the error in the line. */
  public record CheckedLine(
      boolean valid,
      @JsonUnwrapped @Nullable LayoutJson explained,
      @JsonUnwrapped @Nullable ErrorJson error) {}

  /** A layout. */
  public static LayoutJson of(Layout layout) {
    List<LayoutPart> parts = new ArrayList<>();
    Prefix prefix = layout.spread().prefix();
    if (prefix != null) {
      parts.add(new LayoutPart(prefix.toString(), meaning(prefix) + steps(prefix.steps())));
    }
    layout.key().parts().forEach(part -> parts.add(new LayoutPart(part.toString(), meaning(part))));
    return new LayoutJson(
        layout.toString(),
        layout.isPlain(),
        layout.buckets().isPresent() ? layout.buckets().getAsInt() : null,
        parts,
        layout.fields().stream()
            .map(
                field -> new LayoutField(field.name(), field.type().toString(), field.descending()))
            .toList(),
        StepJson.all(layout.steps()),
        layout.warnings());
  }

  private static String meaning(Prefix prefix) {
    if (prefix.width() == 0) {
      return "Nothing in front of the key.";
    }
    String of =
        prefix.isRandom()
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
}
