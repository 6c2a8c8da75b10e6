/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.protocol.guard.GuardClasses;
import io.evenkey.report.json.GuardSettingsJson;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The settings of HBase's servers for the guard. */
final class GuardServerSettings {
  static final String JAR = "evenkey-server-VERSION-all.jar";
  static final String DIRECTORY = "HBase's lib directory";
  private static final Map<String, String> BY_NAME =
      Collections.unmodifiableSortedMap(
          new TreeMap<>(
              Map.of(
                  "hbase.coprocessor.user.region.classes", GuardClasses.REGION,
                  "hbase.coprocessor.master.classes", GuardClasses.MASTER)));

  private GuardServerSettings() {}

  /** Prints the operator's steps as text, or only the settings as JSON. */
  static void print(Console console, boolean json, List<String> steps) {
    if (json) {
      console.json(new GuardSettingsJson(JAR, DIRECTORY, BY_NAME));
    } else {
      steps.forEach(console.out()::println);
    }
  }

  /** The settings in the form of {@code hbase-site.xml}. */
  static String xml() {
    return BY_NAME.entrySet().stream()
        .map(
            setting ->
                "   <property>\n     <name>"
                    + setting.getKey()
                    + "</name>\n     <value>"
                    + setting.getValue()
                    + "</value>\n   </property>")
        .collect(Collectors.joining("\n"));
  }
}
