/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;

/**
 * An application in a separate process, with the jars under test on its class path. It uses the
 * HBase of the {@code hbase-site.xml} there.
 *
 * <p>It prints its results, and {@value #ADD_INDEX} or {@value #MIGRATE} with the name of a table,
 * and continues when it reads a line, which the test sends when the table has the index, or after
 * its migration. The exit code is 0 if all results were as expected.
 */
public final class Application {
  /** The prefix of the line that requests a migration; the name of the table follows. */
  public static final String MIGRATE = "migrate ";

  /** The prefix of the line that requests an index; the name of the table follows. */
  public static final String ADD_INDEX = "index ";

  private static final BufferedReader ANSWERS =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  private Application() {}

  /**
   * The arguments are the prefix of the names of its tables, addresses of region servers, and
   * whether these have the guard: servers of 2.4 do not.
   */
  @SuppressWarnings("SystemOut") // read by the test
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    // HBase 3.0 asks servers where the others are, which those of 2.4 do not say.
    boolean guarded = Boolean.parseBoolean(arguments[2]);
    if (guarded) {
      configuration.set("hbase.client.bootstrap.servers", arguments[1]);
    } else {
      configuration.set(
          "hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
    }
    TableName own = TableName.valueOf(arguments[0] + "_own");
    TableName dropIn = TableName.valueOf(arguments[0] + "_drop_in");
    OwnTables.use(configuration, own);
    System.out.println("own interface: done");
    // HBase 3.0 makes its blocking connections of asynchronous ones.
    boolean facades = arguments[0].endsWith("3_0");
    if (!facades) {
      configuration.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    }
    configuration.set(
        "hbase.client.async.connection.impl", "io.evenkey.client.EvenkeyAsyncConnection");
    configuration.set("evenkey.layout.default", "salt(4) + id:string");
    try (DropInTables tables = DropInTables.open(configuration, dropIn)) {
      tables.use();
      System.out.println("drop-in connection: done");
      tables.useAsync();
      System.out.println("asynchronous drop-in connection: done");
      if (facades) {
        tables.useEndpoints();
      }
      if (guarded) {
        TableName indexed = TableName.valueOf(arguments[0] + "_indexed");
        tables.create(indexed);
        ask(ADD_INDEX + indexed);
        tables.useIndexed(indexed);
        System.out.println("indexed table: done");
      }
      ask(MIGRATE + dropIn);
      tables.useMigrated();
      System.out.println("next generation: done");
    }
  }

  @SuppressWarnings("SystemOut") // read by the test
  private static void ask(String request) throws IOException {
    System.out.println(request);
    if (ANSWERS.readLine() == null) {
      throw new IOException("no answer: the test has ended");
    }
  }
}
