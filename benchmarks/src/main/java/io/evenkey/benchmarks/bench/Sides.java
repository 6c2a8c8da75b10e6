/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The sides of a comparison in the order in which they are measured, closed together. Not
 * thread-safe.
 */
final class Sides<S extends Closeable> implements Closeable {
  private final List<S> sides = new ArrayList<>();

  void add(S side) {
    sides.add(side);
  }

  List<S> all() {
    return Collections.unmodifiableList(sides);
  }

  /** Closes all of them, even if one fails. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (S side : sides) {
      try {
        side.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    sides.clear();
    if (failure != null) {
      throw failure;
    }
  }
}
