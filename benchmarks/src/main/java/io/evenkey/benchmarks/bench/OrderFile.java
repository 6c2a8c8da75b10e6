/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.report.cluster.WorkDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A CSV of orders in a temporary directory, which is deleted when this is closed. */
final class OrderFile implements Closeable {
  private @Nullable WorkDirectory directory;

  /** Writes the file, and replaces an earlier one. */
  Path write(List<Order> orders) throws IOException {
    if (directory == null) {
      directory = WorkDirectory.of(null);
    }
    List<String> lines = new ArrayList<>(List.of("id,customer,shop,state"));
    orders.forEach(order -> lines.add(line(order)));
    return Files.write(Path.of(directory.path().toUri()).resolve("orders.csv"), lines);
  }

  private static String line(Order order) {
    return order.id() + "," + order.customer() + "," + order.shop() + "," + order.state();
  }

  @Override
  public void close() {
    if (directory != null) {
      directory.close();
    }
  }
}
