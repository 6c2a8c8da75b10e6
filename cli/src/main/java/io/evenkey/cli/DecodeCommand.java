/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.query.Row;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.spread.Steps;
import io.evenkey.report.json.DecodedKeyJson;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code evenkey decode}. */
@Command(
    name = "decode",
    header = "Show the fields of a row.",
    description = {"", "Rejects a row key whose prefix or form does not match the layout.", ""},
    footerHeading = "%nExample:%n",
    footer = "  evenkey decode 'md5(uid)[0..6] + uid:string' 3534303535613432",
    sortOptions = false)
final class DecodeCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();
  @Mixin private LayoutArgument argument = new LayoutArgument();

  @Parameters(
      index = "1",
      paramLabel = "ROW",
      description = "The row key in hexadecimal, or as the HBase shell prints it: d1\\x00.")
  private String hex = "";

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  DecodeCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    Layout layout = argument.layout();
    byte[] logical = layout.logical(row());
    Values values = layout.decodeLogical(logical);
    Steps steps = layout.steps();
    if (json) {
      Map<String, @Nullable Object> shown = new LinkedHashMap<>();
      layout
          .fields()
          .forEach(
              field ->
                  shown.put(field.name(), Row.Entry.of(field, values.get(field.name())).value()));
      console.json(DecodedKeyJson.of(layout, logical, shown));
      return CommandLine.ExitCode.OK;
    }
    List<List<String>> rows = new ArrayList<>();
    for (Field field : layout.fields()) {
      Object value = values.get(field.name());
      rows.add(List.of(field.name(), value == null ? "(null)" : field.type().display(value)));
    }
    console.table(rows);
    if (!steps.isNone()) {
      console.out().println("step: " + steps.described(layout.step(logical)));
    }
    return CommandLine.ExitCode.OK;
  }

  private byte[] row() {
    String digits = hex.startsWith("0x") ? hex.substring(2) : hex;
    try {
      // What is both is hexadecimal.
      return digits.matches("(\\p{XDigit}{2})+")
          ? ByteText.fromHex(digits)
          : ByteText.fromPrintable(printable(hex));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(
          spec.commandLine(),
          "not a row: ROW="
              + hex
              + "; give two hex digits per byte, or the bytes as the HBase shell prints them:"
              + " d1\\x00");
    }
  }

  private static String printable(String text) {
    boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
    return quoted ? text.substring(1, text.length() - 1) : text;
  }
}
