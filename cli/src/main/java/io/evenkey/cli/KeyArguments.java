/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.OddTimes;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** {@code name=value} arguments: names without a colon are key fields. */
record KeyArguments(Map<String, String> fields, Map<String, String> columns) {
  static KeyArguments of(CommandSpec command, List<String> arguments) {
    Map<String, String> fields = new LinkedHashMap<>();
    Map<String, String> columns = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals <= 0) {
        throw new ParameterException(
            command.commandLine(), "no value: " + argument + "; expected name=value");
      }
      String name = argument.substring(0, equals);
      (name.indexOf(':') < 0 ? fields : columns).put(name, argument.substring(equals + 1));
    }
    return new KeyArguments(fields, columns);
  }

  /** Warnings of times that hardly are what the key takes them for. */
  List<String> warnings(Layout layout) {
    return OddTimes.warnings(layout, fields::get);
  }

  /** The logical key. */
  byte[] key(CommandSpec command, Layout layout) {
    List<String> names = layout.fields().stream().map(Field::name).toList();
    for (String name : fields.keySet()) {
      if (!names.contains(name)) {
        throw new ParameterException(
            command.commandLine(),
            "no such field of the key"
                + Suggestion.hint(name, names)
                + ": "
                + name
                + "; it has "
                + String.join(", ", names));
      }
    }
    Values values = layout.read(fields::get);
    return layout.logicalKey(values);
  }
}
