/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages of both protobufs by which HBase calls endpoints are looked through for rows. */
class MessageRowsTest {
  private static final byte[] ROW = {'r'};

  static Stream<Object> withRows() {
    ClientProtos.Scan bounded =
        ClientProtos.Scan.newBuilder()
            .setStartRow(com.google.protobuf.ByteString.copyFrom(ROW))
            .build();
    ClientProtos.MutationProto mutation =
        ClientProtos.MutationProto.newBuilder()
            .setRow(com.google.protobuf.ByteString.copyFrom(ROW))
            .build();
    return Stream.of(
        bounded,
        ClientProtos.ScanRequest.newBuilder().setScan(bounded).build(),
        MutateRowsRequest.newBuilder().addMutationRequest(mutation).build(),
        filter("PrefixFilter"),
        own().setStopRow(UnsafeByteOperations.unsafeWrap(ROW)).build(),
        request(own().setStartRow(UnsafeByteOperations.unsafeWrap(ROW)).build()),
        request(own().setFilter(ownFilter("PrefixFilter")).build()),
        org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction.newBuilder()
            .setRegion(
                HBaseProtos.RegionSpecifier.newBuilder()
                    .setType(HBaseProtos.RegionSpecifier.RegionSpecifierType.REGION_NAME)
                    .setValue(UnsafeByteOperations.unsafeWrap(ROW)))
            .addAction(
                org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action.newBuilder()
                    .setMutation(
                        org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto
                            .newBuilder()
                            .setRow(UnsafeByteOperations.unsafeWrap(ROW))))
            .build());
  }

  static Stream<Object> withoutRows() {
    return Stream.of(
        ClientProtos.Scan.getDefaultInstance(),
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.REGION_NAME)
            .setValue(com.google.protobuf.ByteString.copyFrom(ROW))
            .build(),
        filter("TimestampsFilter"),
        own().setStartRow(UnsafeByteOperations.unsafeWrap(new byte[0])).build(),
        request(own().setFilter(ownFilter("TimestampsFilter")).build()));
  }

  private static FilterProtos.Filter filter(String name) {
    return FilterProtos.Filter.newBuilder()
        .setName("org.apache.hadoop.hbase.filter." + name)
        .build();
  }

  private static org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter ownFilter(
      String name) {
    return org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter.newBuilder()
        .setName("org.apache.hadoop.hbase.filter." + name)
        .build();
  }

  private static org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan.Builder own() {
    return org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan.newBuilder();
  }

  private static Object request(
      org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan scan) {
    return org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest.newBuilder()
        .setScan(scan)
        .build();
  }

  @ParameterizedTest
  @MethodSource("withRows")
  void messageWithARowIsRejected(Object message) {
    assertThatThrownBy(() -> MessageRows.check(message))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith("rows in a message to a coprocessor of a spread table");
  }

  @ParameterizedTest
  @MethodSource("withoutRows")
  void messageWithoutARowPasses(Object message) {
    assertThatCode(() -> MessageRows.check(message)).doesNotThrowAnyException();
  }
}
