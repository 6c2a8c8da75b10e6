package io.evenkey.compatibility;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;

/**
 * An application in a process of its own, which has on its class path what is to be tried. HBase is
 * the one of the {@code hbase-site.xml} there.
 *
 * <p>It prints what it has done, then {@value #MIGRATE} and the name of its table, and goes on when
 * the migration of that table has been answered by a line. With an exit code of 0 everything was as
 * expected.
 */
public final class Application {
  /** Begins the line that asks for the migration of the table that follows. */
  public static final String MIGRATE = "migrate ";

  private Application() {}

  /** Takes the prefix of the names of its tables. */
  @SuppressWarnings("SystemOut") // read by the test
  public static void main(String[] arguments) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    TableName own = TableName.valueOf(arguments[0] + "_own");
    TableName dropIn = TableName.valueOf(arguments[0] + "_drop_in");
    OwnTables.use(configuration, own);
    System.out.println("own interface: done");
    configuration.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    configuration.set(
        "hbase.client.async.connection.impl", "io.evenkey.client.EvenkeyAsyncConnection");
    configuration.set("evenkey.layout.default", "salt(4) + id:string");
    try (DropInTables tables = DropInTables.open(configuration, dropIn)) {
      tables.use();
      System.out.println("drop-in connection: done");
      tables.useAsync();
      System.out.println("asynchronous drop-in connection: done");
      System.out.println(MIGRATE + dropIn);
      awaitAnswer();
      tables.useMigrated();
      System.out.println("next generation: done");
    }
  }

  private static void awaitAnswer() throws IOException {
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    if (answers.readLine() == null) {
      throw new IOException("no answer: the test has ended");
    }
  }
}
