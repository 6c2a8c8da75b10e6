/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The state of a cluster, in the file {@value #FILE} of its directory: replaced as a whole after
 * each process that has started.
 *
 * @param format the version of this file, {@value #FORMAT}
 * @param options the options that the cluster was started with
 * @param ports of its processes
 * @param pids the number of each process that was started, by its member's name
 */
record ClusterState(
    int format, ClusterOptions options, Map<String, Integer> ports, Map<String, Long> pids) {
  static final String FILE = "cluster.json";
  static final int FORMAT = 1;

  ClusterState {
    ports = Map.copyOf(ports);
    pids = Map.copyOf(pids);
  }

  static ClusterState of(ClusterOptions options, Ports ports) {
    return new ClusterState(FORMAT, options, ports.byName(), Map.of());
  }

  /** Returns this state with another process for a member. */
  ClusterState with(Member member, long pid) {
    Map<String, Long> all = new LinkedHashMap<>(pids);
    all.put(member.name(), pid);
    return new ClusterState(format, options, ports, all);
  }

  /** Returns this state with other options. */
  ClusterState with(ClusterOptions others) {
    return new ClusterState(format, others, ports, pids);
  }

  /**
   * Reads it.
   *
   * @throws ClusterException if it is damaged, or of a newer version
   */
  static ClusterState read(ClusterDirectory directory) throws IOException {
    Path file = directory.resolve(FILE);
    try {
      ClusterState state = new ObjectMapper().readValue(file.toFile(), ClusterState.class);
      if (state.format == FORMAT) {
        return state;
      }
      throw new ClusterException(
          "cluster of another version of Evenkey: file="
              + file
              + " format="
              + state.format
              + " understood="
              + FORMAT
              + "; use that version, or name another directory");
    } catch (JacksonException e) {
      throw new ClusterException(
          "file of the cluster is damaged: file="
              + file
              + "; end its processes by hand and delete the directory",
          e);
    }
  }

  void write(ClusterDirectory directory) throws IOException {
    Path draft = directory.resolve("tmp").resolve(FILE);
    new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValue(draft.toFile(), this);
    Files.move(
        draft,
        directory.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }
}
