/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkey.cluster.OrderJournal.Change;
import io.evenkey.cluster.OrderJournal.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** The processes that write orders to a table, and what they have written. */
final class OrderWriters implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final SeparateCluster cluster;
  private final TableName table;
  private final int loaded;
  private final Path directory;
  private final Map<Integer, Process> processes = new TreeMap<>();

  /**
   * For one table.
   *
   * @param loaded the number of its orders, which lie there already
   * @param directory where the files of the processes are made
   */
  OrderWriters(SeparateCluster cluster, TableName table, int loaded, Path directory) {
    this.cluster = cluster;
    this.table = table;
    this.loaded = loaded;
    this.directory = directory;
  }

  private Path journal(int number) {
    return directory.resolve("orders-" + table + "-" + number + ".journal");
  }

  private Path errors(int number) {
    return directory.resolve("orders-" + table + "-" + number + ".err");
  }

  /** Starts a writer, and waits until it has written. */
  void start(int number, OrderKey key) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.addAll(JavaCommand.smallOptions());
    command.addAll(JavaCommand.moduleOptions());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            OrderWriter.class.getName(),
            cluster.directory().toString(),
            table.getNameAsString(),
            Integer.toString(loaded),
            key.name(),
            Integer.toString(number),
            journal(number).toString()));
    processes.put(
        number,
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errors(number).toFile())
            .start());
    awaitWrites(number, 100);
  }

  private void awaitWrites(int number, int more) throws IOException {
    int before = OrderJournal.read(journal(number)).done().size();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              assertThat(processes.get(number).isAlive()).as(() -> said(number)).isTrue();
              return OrderJournal.read(journal(number)).done().size() >= before + more;
            });
  }

  /** Waits until a writer has written more. */
  void awaitMore(int number) throws IOException {
    awaitWrites(number, 100);
  }

  private String said(int number) {
    try {
      return "writer " + number + ": " + Files.readString(errors(number));
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Kills a writer by SIGKILL. */
  void kill(int number) throws InterruptedException {
    Process process = processes.get(number);
    assertThat(process.isAlive()).as(() -> said(number)).isTrue();
    process.destroyForcibly().waitFor();
  }

  /** Waits until a writer has ended because the table has another row key. */
  void awaitRefusal(int number) throws InterruptedException {
    Process process = processes.get(number);
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("writer %d ends when the row key has changed", number)
        .isTrue();
    assertThat(process.exitValue()).as(() -> said(number)).isEqualTo(OrderWriter.REFUSED);
  }

  /** Has a writer end after its present write. */
  void stop(int number) throws IOException, InterruptedException {
    Process process = processes.get(number);
    process.getOutputStream().close();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .as("writer %d ends", number)
        .isTrue();
    assertThat(process.exitValue()).as(() -> said(number)).isZero();
  }

  /**
   * The orders that have to be there when no writer is at work: all writes that were acknowledged,
   * each in its place; and of a write that was not, what was found.
   */
  Collection<Order> orders(Collection<Order> found) throws IOException {
    Map<Long, Order> orders = new HashMap<>();
    for (long id = 0; id < loaded; id++) {
      orders.put(id, Order.loaded(id));
    }
    for (int number : processes.keySet()) {
      Written written = OrderJournal.read(journal(number));
      written.done().forEach(change -> apply(change, orders));
      written
          .open()
          .filter(change -> change.after().equals(of(change.id(), found)))
          .ifPresent(change -> apply(change, orders));
    }
    return orders.values();
  }

  private static Optional<Order> of(long id, Collection<Order> found) {
    return found.stream().filter(order -> order.id() == id).findFirst();
  }

  private static void apply(Change change, Map<Long, Order> orders) {
    change
        .after()
        .ifPresentOrElse(order -> orders.put(change.id(), order), () -> orders.remove(change.id()));
  }

  @Override
  public void close() {
    processes.values().forEach(Process::destroyForcibly);
  }
}
