/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a process writes to a table: a line before each write, and one when HBase has acknowledged
 * it. So a process that is killed leaves at most one write of which nobody knows whether it is
 * done.
 */
final class OrderJournal implements Closeable {
  private static final String DONE = "done";

  private final OutputStream out;

  private OrderJournal(OutputStream out) {
    this.out = out;
  }

  /**
   * A write.
   *
   * @param after the order as it is then; empty if it was deleted
   */
  record Change(long id, Optional<Order> after) {
    private String line() {
      return after.map(order -> id + " " + order.customer() + " " + order.amount()).orElse("" + id);
    }

    private static Change parse(String line) {
      String[] words = line.split(" ", -1);
      long id = Long.parseLong(words[0]);
      return new Change(
          id,
          words.length == 1 ? Optional.empty() : Optional.of(new Order(id, words[1], words[2])));
    }
  }

  /**
   * What a process has written so far.
   *
   * @param done what was acknowledged
   * @param open what was not, if its last write was not
   */
  record Written(List<Change> done, Optional<Change> open) {}

  static OrderJournal create(Path file) throws IOException {
    return new OrderJournal(Files.newOutputStream(file));
  }

  /** Before the write. */
  void begins(Change change) throws IOException {
    line(change.line());
  }

  /** After it. */
  void isDone() throws IOException {
    line(DONE);
  }

  // In one piece, and with no buffer that a kill would lose.
  private void line(String text) throws IOException {
    out.write((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Written read(Path file) throws IOException {
    List<Change> done = new ArrayList<>();
    Optional<Change> open = Optional.empty();
    String text = Files.exists(file) ? Files.readString(file) : "";
    for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
      if (line.equals(DONE)) {
        done.add(open.orElseThrow());
        open = Optional.empty();
      } else {
        open = Optional.of(Change.parse(line));
      }
    }
    return new Written(done, open);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
