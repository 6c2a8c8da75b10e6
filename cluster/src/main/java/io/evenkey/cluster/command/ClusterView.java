/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster.command;

import io.evenkey.cli.Console;
import io.evenkey.cluster.Member;
import io.evenkey.cluster.SeparateCluster;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prints a cluster of separate processes as text or JSON. Stateless. */
final class ClusterView {
  private ClusterView() {}

  /** Prints one line per process. */
  static void showProcesses(Console console, SeparateCluster cluster) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("PROCESS", "PID", "STATE", "LOG"));
    for (Member member : cluster.members()) {
      Optional<ProcessHandle> process = cluster.process(member);
      rows.add(
          List.of(
              member.name(),
              process.map(running -> String.valueOf(running.pid())).orElse("-"),
              state(process),
              cluster.log(member).toString()));
    }
    console.table(rows);
  }

  private static String state(Optional<ProcessHandle> process) {
    return process.isPresent() ? "running" : "ended";
  }

  /** Prints commands that use the cluster. */
  static void showUse(Console console, SeparateCluster cluster) {
    console.out().println("quorum  " + cluster.quorum());
    console.out().println("conf    " + cluster.configurationDirectory());
    cluster
        .webPages()
        .forEach(
            (role, page) -> console.out().println(String.format("%-15s  %s", role.label(), page)));
    console.out().println();
    console.out().println("  evenkey server status --quorum " + cluster.quorum());
    console
        .out()
        .println(
            "  export HBASE_CONF_DIR="
                + cluster.configurationDirectory()
                + "   with HDFS and YARN");
  }

  /** The cluster as a JSON document. */
  static Map<String, ?> document(SeparateCluster cluster) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("directory", cluster.directory().toString());
    document.put("quorum", cluster.quorum());
    document.put("conf", cluster.configurationDirectory().toString());
    Map<String, String> pages = new LinkedHashMap<>();
    cluster.webPages().forEach((role, page) -> pages.put(role.label(), page));
    document.put("web", pages);
    List<Map<String, ?>> processes = new ArrayList<>();
    for (Member member : cluster.members()) {
      Optional<ProcessHandle> process = cluster.process(member);
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("process", member.name());
      one.put("pid", process.map(ProcessHandle::pid).orElse(null));
      one.put("state", state(process));
      one.put("log", cluster.log(member).toString());
      processes.add(one);
    }
    document.put("processes", processes);
    return document;
  }
}
