/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.index.TableIndex;
import java.util.Arrays;
import java.util.Comparator;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class SettledEntryTest {
  private static final TableIndex INDEX =
      TableIndex.parse(
          "by_customer append_only public since 4 as \"salt(3) + customer:string\""
              + " from customer=d:customer covering d:amount");

  private static Result entry(String... qualifiers) {
    return Result.create(
        Arrays.stream(qualifiers)
            .sorted(Comparator.naturalOrder())
            .map(q -> new KeyValue(Bytes.toBytes("r"), EntryFamily.NAME, Bytes.toBytes(q), null))
            .toArray(Cell[]::new));
  }

  @Test
  void itsColumnNamesTheVersionSinceWhichTheIndexIsThere() {
    SettledEntry settled = new SettledEntry(INDEX);
    assertThat(settled.qualifier()).isEqualTo(new byte[] {'s', '4'});
    assertThat(settled.in(entry("nonce of 16 byte", "s4"))).isNotNull();
  }

  @Test
  void whatAnEarlierIndexOfTheNameSettledIsNotSettled() {
    SettledEntry settled = new SettledEntry(INDEX);
    assertThat(settled.in(entry("nonce of 16 byte", "s1", "s40"))).isNull();
    assertThat(settled.in(Result.EMPTY_RESULT)).isNull();
  }

  @Test
  void aRowWhoseCellsHaveSeveralTimesIsNeverSettled() {
    SettledEntry settled = new SettledEntry(INDEX);
    assertThat(settled.time(row(5, 5))).isEqualTo(5);
    assertThat(settled.time(row(5, 6))).isEqualTo(SettledEntry.NEVER);
  }

  private static Result row(long amount, long customer) {
    byte[] d = Bytes.toBytes("d");
    return Result.create(
        new Cell[] {
          new KeyValue(d, d, Bytes.toBytes("amount"), amount, d),
          new KeyValue(d, d, Bytes.toBytes("customer"), customer, d)
        });
  }
}
