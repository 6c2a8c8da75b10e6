/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages for users if HBase refuses or does not answer; each failure is provoked in a real HBase.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class FailuresIT {
  private static final String LAYOUT = "salt(4, device) + device:string + ts:timestamp desc";
  private static final String[] ROW = {"device=d1", "ts=1700000000000", "d:temp=21"};

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection connection;
  private String table;

  @BeforeEach
  void open(EmbeddedHBase shared, Connection plain, TestInfo info) {
    hbase = shared;
    connection = plain;
    table = "failures_" + info.getTestMethod().orElseThrow().getName();
  }

  private TableName created() {
    Run.on(hbase, "plan", table, "--layout", LAYOUT, "--regions", "1", "--families", "d").done();
    Run.on(hbase, "create", table).done();
    return TableName.valueOf(table);
  }

  private Run run(String... arguments) {
    return Run.on(hbase, arguments);
  }

  private Run put(String... more) {
    String[] all = new String[2 + ROW.length + more.length];
    all[0] = "put";
    all[1] = table;
    System.arraycopy(ROW, 0, all, 2, ROW.length);
    System.arraycopy(more, 0, all, 2 + ROW.length, more.length);
    return run(all);
  }

  private Path records() throws IOException {
    return Files.writeString(
        directory.resolve("records.csv"), "device,ts,temp\nd1,1700000000000,21\n");
  }

  @Test
  void aMissingTableIsNamed() {
    String line =
        "no such table: table="
            + table
            + "; create it from its plan ('evenkey create "
            + table
            + "')";
    assertThat(run("count", table)).satisfies(Run.failed(line));
    assertThat(run("get", table, "device=d1", "ts=1")).satisfies(Run.failed(line));
    assertThat(run("scan", table)).satisfies(Run.failed(line));
    assertThat(put()).satisfies(Run.failed(line));
  }

  @Test
  void aMissingNamespaceIsNamed() {
    run("plan", "nospace:t", "--layout", LAYOUT, "--regions", "1", "--families", "d").done();
    assertThat(run("create", "nospace:t"))
        .satisfies(
            Run.failed(
                "no such namespace: namespace=nospace; create it in the HBase shell:"
                    + " create_namespace 'nospace'"));
  }

  @Test
  void aTableThatExistsIsNamed() {
    created();
    assertThat(run("create", table))
        .satisfies(
            Run.failed("table exists: table=" + table + "; choose another name, nothing changed"));
  }

  @Test
  void aDisabledTableIsNamed() throws Exception {
    TableName name = created();
    put().done();
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
    }
    String line =
        "table disabled: table=" + table + "; enable it in the HBase shell: enable '" + table + "'";
    assertThat(run("get", table, "device=d1", "ts=1700000000000")).satisfies(Run.failed(line));
    assertThat(run("scan", table)).satisfies(Run.failed(line));
    assertThat(run("count", table)).satisfies(Run.failed(line));
    assertThat(put()).satisfies(Run.failed(line));
    assertThat(run("import", table, "--csv", records().toString())).satisfies(Run.failed(line));
  }

  @Test
  void aMissingColumnFamilyIsNamed() {
    created();
    assertThat(run("put", table, "device=d1", "ts=1700000000000", "zz:temp=21"))
        .satisfies(
            Run.failed(
                "no such column family: family=zz table="
                    + table
                    + "; name one that the table has, or add it in the HBase shell: alter '"
                    + table
                    + "', 'zz'"));
  }

  @Test
  void anUnknownHostIsNamed() {
    assertThat(
            Run.of(
                "count",
                table,
                "--quorum",
                "no-such-host.invalid:2181",
                "-D",
                "evenkey.zookeeper.timeout.ms=700"))
        .satisfies(
            Run.failed(
                "host name not found: host=no-such-host.invalid; correct it in"
                    + " hbase.zookeeper.quorum (or evenkey.zookeeper.quorum), or add it to DNS"));
  }

  @Test
  void anUnreachableQuorumIsNamed() throws Exception {
    String quorum = "127.0.0.1:" + closedPort();
    Run run = Run.of("plan", "--quorum", quorum, "-D", "evenkey.zookeeper.timeout.ms=700");
    String line =
        "ZooKeeper does not answer: registry="
            + quorum
            + "/evenkey waited_ms=700; start it, or correct hbase.zookeeper.quorum (or"
            + " evenkey.zookeeper.quorum)";
    assertThat(run).satisfies(Run.failed(line));
    assertThat(run.err()).isEqualTo("evenkey: " + line + "\n");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void aQuorumWithoutHBaseIsNamed() {
    assertThat(
            run(
                "count",
                table,
                "-D",
                "zookeeper.znode.parent=/nothing",
                "-D",
                "hbase.client.retries.number=1"))
        .satisfies(
            Run.failed(
                "no HBase in this ZooKeeper: node=/nothing; start HBase, or"
                    + " correct zookeeper.znode.parent"));
  }

  @Tag("long")
  @Test
  void aBusyRegionIsNamed() throws Exception {
    TableName name = created();
    String[] once = {"-D", "hbase.client.retries.number=1"};
    fillMemstore(name, once);
    HRegionLocation region = connection.getRegionLocator(name).getAllRegionLocations().get(0);
    String line =
        "region too busy: table="
            + table
            + " region="
            + region.getRegion().getEncodedName()
            + " server=localhost:"
            + region.getPort()
            + "; its writes wait for a flush: write more slowly, or find out in the region"
            + " server's log why flushes do not end";
    assertThat(put(once)).satisfies(Run.failed(line));
    assertThat(run("import", table, "--csv", records().toString(), once[0], once[1]))
        .satisfies(Run.failed(line));
  }

  // A memstore that takes one row, and a region whose flushes wait for compactions, which are off.
  private void fillMemstore(TableName name, String... settings) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setCompactionEnabled(false)
              .setMemStoreFlushSize(1)
              .setValue("hbase.table.sanity.checks", "false")
              .setValue("hbase.hregion.memstore.block.multiplier", "1")
              .setValue("hbase.hstore.blockingStoreFiles", "1")
              .build());
      for (int file = 0; file < 3 && put(settings).exit() == 0; file++) {
        admin.flush(name);
      }
    }
    put(settings);
  }

  @Test
  void safeModeOfHdfsIsNamed() throws Exception {
    created();
    try (NameNodeInSafeMode nameNode = NameNodeInSafeMode.start()) {
      Run bulk =
          run(
              "import",
              table,
              "--bulk",
              "--csv",
              records().toString(),
              "--work",
              nameNode.uri() + "/jobs",
              "-D",
              "fs.defaultFS=" + nameNode.uri());
      assertThat(bulk.err().lines().reduce((first, second) -> second).orElse(""))
          .matches(
              "evenkey: HDFS is in safe mode: path=/jobs\\S*; wait until it leaves it, or see why it"
                  + " does not: hdfs dfsadmin -safemode get, hdfs fsck /");
      assertThat(bulk.exit()).isEqualTo(1);
    }
  }

  @Test
  void aMissingFileIsNamed() {
    created();
    String path = directory.resolve("nothing.json").toString();
    assertThat(run("plan", "--import", path))
        .satisfies(Run.failed("no such file: path=" + path + "; correct the path"));
  }

  @Test
  void theCauseOfAFailedTaskIsNamed() throws Exception {
    created();
    Path file = directory.resolve("cut.csv.gz");
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.US_ASCII)) {
      out.write("device,ts,temp\n");
      for (int i = 0; i < 50_000; i++) {
        out.write("d" + Integer.toHexString(31 * i) + "," + i + ",21\n");
      }
    }
    try (FileChannel cut = FileChannel.open(file, StandardOpenOption.WRITE)) {
      cut.truncate(cut.size() / 2);
    }
    Run bulk = run("import", table, "--bulk", "--csv", file.toString());
    assertThat(bulk.err().lines().reduce((first, second) -> second).orElse(""))
        .matches(
            "evenkey: job failed, nothing was loaded: job=job_local\\S+; correct the cause, and"
                + " import again; cause: compressed file is damaged or cut short: file=file:"
                + file
                + "; copy it again");
    assertThat(bulk.exit()).isEqualTo(1);
  }
}
