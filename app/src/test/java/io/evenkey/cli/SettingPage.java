/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.setting.Setting;
import java.util.Locale;

/** The page of all settings, made of their declarations. */
final class SettingPage {
  private SettingPage() {}

  static String text() {
    StringBuilder page = new StringBuilder();
    page.append(
        """
        # Settings

        This page lists every setting of Evenkey, with its type, its default and its meaning. It is made from the code; a test
        fails when it is stale.

        """);
    for (Setting.Group group : Setting.Group.values()) {
      page.append("- [%s](#%s)\n".formatted(group.title(), anchor(group)));
    }
    page.append(
        """

        Settings of clients go into the `hbase-site.xml` of the application, into its code, or after `-D` of a command. `evenkey
        doctor` finds misspelt names and values that are rejected.
        """);
    for (Setting.Group group : Setting.Group.values()) {
      page.append("\n## ").append(group.title()).append("\n\n");
      if (group == Setting.Group.SERVERS) {
        page.append("In the `hbase-site.xml` of the region servers.\n\n");
      }
      page.append("| setting | value | default | meaning |\n| --- | --- | --- | --- |\n");
      for (Setting setting : Setting.values()) {
        if (setting.group() == group) {
          page.append(row(setting));
        }
      }
    }
    return page.toString();
  }

  private static String anchor(Setting.Group group) {
    return group.title().toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  private static String row(Setting setting) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            setting.key(),
            setting.type(),
            setting.initial().isEmpty() ? "" : "`" + setting.initial() + "`",
            setting.meaning());
  }
}
