/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.doctor;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.catalog.RegistryUse;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.layout.text.LayoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Checks the settings of an application: the plug points of HBase's client, and those of Evenkey.
 *
 * @param settings as the application has them
 */
record SettingsCheck(Configuration settings) implements Check {
  /** A setting that only masters and region servers read, and that files for them have. */
  private static final String OF_SERVERS = "hbase.rootdir";

  private static final String DEFAULTS = "-default.xml";

  /** Hadoop's name for the source of a property that no file has set. */
  private static final String IN_CODE = "programmatically";

  @Override
  public List<CheckFinding> findings() {
    List<CheckFinding> findings = new ArrayList<>();
    plugPoint(EvenkeyConnection.SETTING, EvenkeyConnection.class, findings);
    plugPoint(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class, findings);
    bothOrNone(findings);
    values(findings);
    unknown(findings);
    return findings;
  }

  private void plugPoint(String name, Class<?> own, List<CheckFinding> findings) {
    String set = settings.getTrimmed(name);
    if (set == null) {
      return;
    }
    if (set.startsWith("io.evenkey.") && !set.equals(own.getName())) {
      findings.add(
          CheckFinding.problem(
              "no connection of this kind: " + name + "=" + set, "set it to " + own.getName()));
    } else if (!set.equals(own.getName())) {
      findings.add(
          CheckFinding.advice(
              "another client has this plug point: " + name + "=" + set,
              "it sees physical rows of spread tables; for logical rows set " + own.getName()));
    }
    String file = file(name);
    if (file != null && !file.equals(IN_CODE) && file.equals(file(OF_SERVERS))) {
      findings.add(
          CheckFinding.problem(
              "plug point of clients in the settings of servers: "
                  + name
                  + "="
                  + set
                  + " file="
                  + file
                  + " also_has="
                  + OF_SERVERS,
              "set it in the files of applications only: masters and region servers need HBase's"
                  + " own connection"));
    }
  }

  /** The file, or the code, that has set a property; null if it has its default. */
  private @Nullable String file(String name) {
    String[] sources = settings.getPropertySources(name);
    return sources == null
        ? null
        : Arrays.stream(sources)
            .filter(source -> !source.endsWith(DEFAULTS))
            .reduce((first, last) -> last)
            .orElse(null);
  }

  private void bothOrNone(List<CheckFinding> findings) {
    boolean blocking = isOwn(EvenkeyConnection.SETTING, EvenkeyConnection.class);
    boolean asynchronous = isOwn(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class);
    if (blocking != asynchronous) {
      findings.add(
          CheckFinding.advice(
              "one of two connections is a drop-in: "
                  + (blocking
                      ? "blocking=evenkey asynchronous=hbase"
                      : "blocking=hbase asynchronous=evenkey"),
              "the other sees physical rows of spread tables: set "
                  + (blocking ? EvenkeyAsyncConnection.SETTING : EvenkeyConnection.SETTING)
                  + " too, unless the application never opens one"
                  + (blocking ? "" : " or has HBase 3.0, where one setting is for both")));
    }
  }

  private boolean isOwn(String name, Class<?> own) {
    return own.getName().equals(settings.getTrimmed(name));
  }

  private void values(List<CheckFinding> findings) {
    try {
      CheckSettings.of(settings);
      RegistryUse.of(settings);
    } catch (IllegalArgumentException e) {
      findings.add(CheckFinding.ofLine(true, String.valueOf(e.getMessage())));
    }
    String layout = settings.getTrimmed(EvenkeyConnection.DEFAULT_LAYOUT);
    try {
      if (layout != null && !layout.isEmpty()) {
        Layout.parse(layout);
      }
    } catch (LayoutException e) {
      findings.add(
          CheckFinding.problem(
              "not a layout: " + EvenkeyConnection.DEFAULT_LAYOUT + "=" + layout,
              "evenkey explain '" + layout + "' shows the place"));
    }
  }

  // A mistyped name has no effect, and says nothing.
  private void unknown(List<CheckFinding> findings) {
    Map<String, String> set = new TreeMap<>(settings.getPropsWithPrefix("evenkey."));
    for (String rest : set.keySet()) {
      String name = "evenkey." + rest;
      if (!Setting.isKnown(name) && file(name) != null) {
        findings.add(
            CheckFinding.advice(
                "setting without effect: name=" + name,
                "no setting has this name"
                    + Suggestion.closest(name, Setting.keys())
                        .map(known -> "; did you mean " + known + "?")
                        .orElse("; remove it")));
      }
    }
  }
}
