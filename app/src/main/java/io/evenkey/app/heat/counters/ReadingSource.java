package io.evenkey.app.heat.counters;

import java.io.IOException;

/** Where readings come from: a cluster, or whatever tells of regions like one. */
@FunctionalInterface
public interface ReadingSource {
  /**
   * Reads all counters now.
   *
   * @throws IOException if they cannot be had
   */
  Reading read() throws IOException;
}
