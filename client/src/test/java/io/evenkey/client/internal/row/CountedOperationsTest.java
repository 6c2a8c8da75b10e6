/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.internal.metrics.TableMeters;
import io.evenkey.client.internal.metrics.TableMeters.Operation;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One operation for each call of the application, one write for each mutation of a row. */
class CountedOperationsTest {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] FAMILY = Bytes.toBytes("d");

  private static Put put() {
    return new Put(ROW).addColumn(FAMILY, FAMILY, FAMILY);
  }

  private static RowMutations three() throws IOException {
    return RowMutations.of(
        List.of(put(), new Delete(ROW), new Increment(ROW).addColumn(FAMILY, FAMILY, 1)));
  }

  private static CheckAndMutate.Builder check() {
    return CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, FAMILY);
  }

  static Stream<Arguments> actions() throws IOException {
    return Stream.of(
        Arguments.of(new Get(ROW), Operation.GET, 0),
        Arguments.of(put(), Operation.PUT, 1),
        Arguments.of(new Delete(ROW), Operation.DELETE, 1),
        Arguments.of(new Append(ROW).addColumn(FAMILY, FAMILY, FAMILY), Operation.APPEND, 1),
        Arguments.of(new Increment(ROW).addColumn(FAMILY, FAMILY, 1), Operation.INCREMENT, 1),
        Arguments.of(RowMutations.of(List.of(put())), Operation.MUTATIONS, 1),
        Arguments.of(three(), Operation.MUTATIONS, 3),
        Arguments.of(check().build(put()), Operation.CHECK, 1),
        Arguments.of(check().build(new Delete(ROW)), Operation.CHECK, 1),
        Arguments.of(
            check().build(new Append(ROW).addColumn(FAMILY, FAMILY, FAMILY)), Operation.CHECK, 1),
        Arguments.of(
            check().build(new Increment(ROW).addColumn(FAMILY, FAMILY, 1)), Operation.CHECK, 1),
        Arguments.of(check().build(three()), Operation.CHECK, 3));
  }

  /** The counts of a mapping. */
  private record Counted(Map<Operation, Long> operations, long writes) {}

  private static Counted counted(String layout, List<Row> actions, boolean everywhere)
      throws IOException {
    Layout parsed = Layout.parse(layout);
    // The meters of a table are those of the whole JVM: each test has a table of its own.
    String table = "counted" + System.identityHashCode(parsed);
    TableMeters meters = TableMeters.of("test", table, parsed);
    RowMapping rows = RowMapping.of(parsed, Set.of(), meters);
    for (Row action : actions) {
      if (everywhere) {
        rows.physicalEverywhere((Get) action);
      } else {
        rows.physical(action);
      }
    }
    Map<Operation, Long> operations = new EnumMap<>(Operation.class);
    Arrays.stream(Operation.values())
        .filter(operation -> meters.operations(operation) > 0)
        .forEach(operation -> operations.put(operation, meters.operations(operation)));
    return new Counted(operations, meters.writes());
  }

  @ParameterizedTest
  @MethodSource("actions")
  void anActionIsOneOperationAndAsManyWritesAsMutations(Row action, Operation operation, int writes)
      throws IOException {
    assertThat(counted("salt(4) + key:bytes", List.of(action), false))
        .isEqualTo(new Counted(Map.of(operation, 1L), writes));
  }

  @Test
  void writesAreCountedWithoutBucketsToo() throws IOException {
    assertThat(counted("reverse(key:digits(3))", List.of(new Delete(Bytes.toBytes("123"))), false))
        .isEqualTo(new Counted(Map.of(Operation.DELETE, 1L), 1));
  }

  @Test
  void aReadOfAllBucketsOfARandomSaltIsOneRead() throws IOException {
    assertThat(counted("salt(16, random) + key:bytes", List.of(new Get(ROW)), true))
        .isEqualTo(new Counted(Map.of(Operation.GET, 1L), 0));
  }

  @Test
  void theBusiestBucketsShareIsThatOfTheMutations() throws IOException {
    Layout layout = Layout.parse("salt(4, key) + key:bytes");
    TableMeters meters = TableMeters.of("test", "countedSkew", layout);
    RowMapping rows = RowMapping.of(layout, Set.of(), meters);
    byte[][] inBuckets = new byte[4][];
    for (int i = 0; i < 1000; i++) {
      byte[] key = Bytes.toBytes(i);
      inBuckets[layout.physical(key)[0]] = key;
    }
    for (byte[] key : inBuckets) {
      rows.physical(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
    }
    assertThat(meters.skew()).isEqualTo(1);
    List<Mutation> four = new ArrayList<>();
    for (byte qualifier = 0; qualifier < 4; qualifier++) {
      four.add(new Put(inBuckets[2]).addColumn(FAMILY, new byte[] {qualifier}, FAMILY));
    }
    rows.physical(RowMutations.of(four));
    // 1, 1, 5, 1: a mean of 2.
    assertThat(meters.skew()).isEqualTo(2.5);
  }

  @Test
  void theSkewOfASaltWithStepsIsThatOfTheStepsWrittenTo() throws IOException {
    Layout layout = Layout.parse("salt(4; 12 from n 1000) + n:int32");
    TableMeters meters = TableMeters.of("test", "countedSteps", layout);
    RowMapping rows = RowMapping.of(layout, Set.of(), meters);
    for (int n = 0; n < 1000; n++) {
      byte[] key = layout.logicalKey(Values.of("n", n));
      rows.physical(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
    }
    assertThat(meters.skew()).as("of 4 buckets").isBetween(1.0, 1.3);
    for (int n = 1000; n < 100_000; n++) {
      byte[] key = layout.logicalKey(Values.of("n", n));
      rows.physical(new Put(key).addColumn(FAMILY, FAMILY, FAMILY));
    }
    assertThat(meters.skew()).as("of 12 buckets").isBetween(1.0, 1.1);
  }

  @Test
  void aResultThatIsMappedAgainIsNotCountedAndIsTheSame() throws IOException {
    Layout layout = Layout.parse("salt(4) + key:bytes");
    TableMeters meters = TableMeters.of("test", "countedLogical", layout);
    RowMapping rows = RowMapping.of(layout, Set.of(), meters);
    List<Mutation> mutations =
        List.of(
            put().setTTL(9),
            new Delete(ROW),
            new Append(ROW).addColumn(FAMILY, FAMILY, FAMILY).setTimeRange(1, 2),
            new Increment(ROW).addColumn(FAMILY, FAMILY, 1).setTimeRange(1, 2));
    for (Mutation mutation : mutations) {
      Mutation logical = (Mutation) rows.logical(rows.physical((Row) mutation));
      assertThat(logical).hasSameClassAs(mutation).isNotSameAs(mutation);
      assertThat(logical.getRow()).isEqualTo(ROW);
      assertThat(logical.toMap(9)).isEqualTo(mutation.toMap(9));
    }
    assertThat(meters.writes()).isEqualTo(4);
  }

  @Test
  void refusedOperationsAreNotCounted() throws IOException {
    Layout layout = Layout.parse("salt(4, random) + key:bytes");
    TableMeters meters = TableMeters.of("test", "countedRefused", layout);
    RowMapping rows = RowMapping.of(layout, Set.of(), meters);
    for (Row refused : List.of(new Get(ROW), new Delete(ROW), three(), check().build(put()))) {
      assertThatThrownBy(() -> rows.physical(refused)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Arrays.stream(Operation.values()).map(meters::operations)).containsOnly(0L);
    assertThat(meters.writes()).isZero();
  }
}
