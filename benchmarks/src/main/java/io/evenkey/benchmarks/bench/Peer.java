/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * Another system, compared if its jars are on the class path; found by {@link
 * java.util.ServiceLoader}.
 */
public interface Peer {
  /** The name of its sides in reports. */
  String name();

  /** The settings that the system needs in HBase's configuration. */
  Map<String, String> settings();

  /** Connects to the running HBase. */
  ComparedStore connect(Configuration configuration) throws IOException;

  /** Connects to the running HBase, and creates empty tables of orders with an index. */
  IndexSide connect(Configuration configuration, IndexKind kind, int buckets) throws IOException;
}
