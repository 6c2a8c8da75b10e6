/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.gather.GatherRequest;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers of gathers whose clients open a scan and do not read it to its end. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class UnreadAnswersIT {
  private static final TableName NAME = TableName.valueOf("unread");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String REFUSED = "refused";
  private static final HeldAnswers HELD = HeldAnswers.OF_PROCESS;

  private static EmbeddedHBase hbase;
  private static Connection connection;

  /** Runs after the guard, and refuses scans that are opened already. */
  public static final class Refusing implements RegionCoprocessor, RegionObserver {
    /** For HBase. */
    public Refusing() {}

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public RegionScanner postScannerOpen(
        ObserverContext<RegionCoprocessorEnvironment> c, Scan scan, RegionScanner scanner)
        throws IOException {
      if (scan.getAttribute(REFUSED) != null) {
        throw new DoNotRetryIOException("refused by a test");
      }
      return scanner;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    hbase =
        EmbeddedHBase.temporary()
            .servers(1)
            .settings(
                Map.of(
                    "hbase.coprocessor.user.region.classes",
                    LayoutGuard.class.getName() + "," + Refusing.class.getName(),
                    "hbase.client.scanner.timeout.period",
                    "8000"))
            .start();
    connection = hbase.connection();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build());
    }
    try (Table table = connection.getTable(NAME)) {
      for (int i = 0; i < 8; i++) {
        table.put(new Put(new byte[] {0, (byte) i}).addColumn(FAMILY, FAMILY, new byte[1 << 20]));
      }
    }
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  @AfterEach
  void nothingIsHeld() {
    // Scanners whose clients have gone away are closed at the end of their lease.
    await().atMost(1, TimeUnit.MINUTES).until(() -> HELD.bytes() == 0);
  }

  private static HRegionLocation region() throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(NAME)) {
      return locator.getRegionLocation(new byte[] {0});
    }
  }

  private static Scan gather() throws IOException {
    GatherRequest request =
        new GatherRequest(
            1,
            false,
            10,
            GatherRequest.MOST_BYTES,
            ByteString.of(ProtobufUtil.toScan(new Scan()).toByteArray()),
            List.of(
                new GatherRequest.Part(
                    region().getRegion().getEncodedName(),
                    List.of(KeyRange.prefix(new byte[] {0})))));
    return new Scan().setAttribute(GatherAttributes.REQUEST, request.toBytes());
  }

  private static ScanResponse ask(ScanRequest request) throws IOException {
    try {
      return ((ClusterConnection) connection)
          .getClient(region().getServerName())
          .scan(null, request);
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }

  private static long open(Scan scan, int rows) throws IOException {
    byte[] name = region().getRegion().getRegionName();
    return ask(RequestConverter.buildScanRequest(name, scan, rows, false)).getScannerId();
  }

  @Test
  void haveABoundTogether() throws IOException {
    Scan scan = gather();
    long most = Runtime.getRuntime().maxMemory() / 16;
    long opened = 0;
    long first = open(scan, 0);
    Throwable refused = null;
    while (refused == null) {
      opened++;
      // Some clients read the head only.
      int rows = (int) opened % 2;
      refused = catchThrowable(() -> open(scan, rows));
    }
    assertThat(refused)
        .isInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("too many answers of gathers are not read to their end");
    assertThat(opened).isLessThan(most / (7L << 20) + 2);
    assertThat(HELD.bytes()).isBetween(most, most + 2 * GatherRequest.MOST_BYTES);
    // One that ends makes room for another.
    ask(RequestConverter.buildScanRequest(first, 100, false, 0, false, false, -1));
    open(scan, 0);
  }

  @Test
  void areLetGoIfAnotherCoprocessorRefusesTheScan() throws IOException {
    Scan scan = gather().setAttribute(REFUSED, FAMILY);
    assertThatThrownBy(() -> open(scan, 1)).hasMessageContaining("refused by a test");
    await()
        .atMost(1, TimeUnit.MINUTES)
        .until(
            () -> {
              System.gc();
              return HELD.bytes() == 0;
            });
  }
}
