/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import io.evenkey.layout.guard.GuardClasses;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings of HBase's servers for the guard. */
final class GuardServerSettings {
  static final String JAR = "evenkey-server-VERSION-all.jar";
  static final String DIRECTORY = "HBase's lib directory";
  private static final Map<String, String> BY_NAME = byName();

  private GuardServerSettings() {}

  private static Map<String, String> byName() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.coprocessor.user.region.classes", GuardClasses.REGION);
    settings.put("hbase.coprocessor.master.classes", GuardClasses.MASTER);
    return settings;
  }

  /** Prints the operator's steps as text, or only the settings as JSON. */
  static void print(Console console, boolean json, List<String> steps) {
    if (json) {
      console.json(document());
    } else {
      steps.forEach(console.out()::println);
    }
  }

  private static Map<String, Object> document() {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("jar", JAR);
    document.put("directory", DIRECTORY);
    document.put("settings", BY_NAME);
    return document;
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
