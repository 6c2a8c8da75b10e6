/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Explanation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.spread.Steps;
import io.evenkey.report.json.ExplainedKeyJson;
import io.evenkey.report.json.LayoutJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey explain}. */
@Command(
    name = "explain",
    header = "Show the bytes of one key, part by part.",
    description = {"", "Without values, checks the layout and shows its fields and steps.", ""},
    footerHeading = "%nExample:%n",
    footer = {
      "  evenkey explain 'salt(16, device) + device:string + ts:timestamp desc' \\",
      "      --set device=d1 --set ts=2026-01-31T08:30Z"
    },
    sortOptions = false)
final class ExplainCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LayoutArgument argument = new LayoutArgument();

  @Option(
      names = "--set",
      paramLabel = "name=value",
      description = "The value of a field; give it once per field.")
  private Map<String, String> values = new LinkedHashMap<>();

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  ExplainCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Layout layout = argument.layout();
    List<String> names = layout.fields().stream().map(Field::name).toList();
    for (String name : values.keySet()) {
      if (!names.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            "no such field in the layout"
                + Suggestion.hint(name, names)
                + ": --set "
                + name
                + "; it has "
                + String.join(", ", names));
      }
    }
    if (values.isEmpty()) {
      describe(layout);
    } else {
      explain(layout, layout.read(values::get));
    }
    return CommandLine.ExitCode.OK;
  }

  private void describe(Layout layout) {
    if (json) {
      console.json(LayoutJson.of(layout));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("layout", layout.toString()));
    layout.buckets().ifPresent(n -> rows.add(List.of("buckets", Integer.toString(n))));
    StepRows.all(layout).forEach(step -> rows.add(List.of("step", step)));
    for (Field field : layout.fields()) {
      rows.add(List.of("field", field.toString()));
    }
    console.table(rows);
    console.warnings(layout.warnings());
  }

  private void explain(Layout layout, Values record) {
    Explanation explained = layout.explain(record);
    byte[] physical = explained.physical();
    List<String> odd = OddTimes.warnings(layout, values::get);
    Steps steps = layout.steps();
    int step = layout.step(explained.logical());
    if (json) {
      console.json(ExplainedKeyJson.of(layout, explained, odd));
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("layout", layout.toString()));
    rows.add(List.of("logical", ByteText.printable(explained.logical())));
    rows.add(List.of("physical", ByteText.printable(physical)));
    rows.add(List.of("length", physical.length + " bytes"));
    int buckets = steps.isNone() ? layout.buckets().orElse(0) : steps.list().get(step).buckets();
    explained.bucket().ifPresent(b -> rows.add(List.of("bucket", b + " of " + buckets)));
    if (!steps.isNone()) {
      rows.add(List.of("step", steps.described(step)));
    }
    console.table(rows);
    console.out().println();
    List<List<String>> parts = new ArrayList<>();
    parts.add(List.of("PART", "HEX", "BYTES"));
    for (Explanation.Piece piece : explained.pieces()) {
      parts.add(
          List.of(piece.part(), ByteText.hex(piece.bytes()), ByteText.printable(piece.bytes())));
    }
    console.table(parts);
    console.warnings(odd);
    console.warnings(layout.warnings(physical.length));
    Layout.rowLengthNotes(physical.length).forEach(note -> console.out().println("note: " + note));
  }
}
