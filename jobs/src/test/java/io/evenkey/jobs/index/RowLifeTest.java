/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.index.TableIndex;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowLifeTest {
  private static final int DAY = 86_400;
  private static final String COLUMNS =
      "i append_only public as \"salt(3) + a:string\" from a=a:a covering b:b";

  private static RowLife of(String index, Map<String, Integer> seconds) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    seconds.forEach(
        (family, ttl) ->
            table.setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(family))
                    .setTimeToLive(ttl)
                    .build()));
    TableDescriptor described = table.build();
    return RowLife.of(described, TableIndex.parse(index));
  }

  private static long settled(RowLife life) {
    return life.settled(new Put(new byte[] {1})).getTTL();
  }

  @Test
  void entriesStayLongerThanAnyCellAndSettledOnesNoLongerThanTheFirstThatEnds() {
    RowLife life = of(COLUMNS, Map.of("a", 60, "b", 90, "c", 5));
    assertThat(life.isForEver()).isFalse();
    assertThat(life.ofEntries()).isEqualTo(90 + DAY);
    assertThat(settled(life)).isEqualTo(60_000);
    Configuration job = new Configuration(false);
    life.addTo(job);
    assertThat(RowLife.in(job)).isEqualTo(life);
  }

  @Test
  void entriesOfRowsThatStayForEverStayToo() {
    RowLife life = of(COLUMNS, Map.of("a", HConstants.FOREVER, "b", HConstants.FOREVER, "c", 5));
    assertThat(life.isForEver()).isTrue();
    assertThat(life.ofEntries()).isEqualTo(HConstants.FOREVER);
    assertThat(settled(life)).isEqualTo(Long.MAX_VALUE);
    RowLife some = of(COLUMNS, Map.of("a", HConstants.FOREVER, "b", 90));
    assertThat(some.isForEver()).isFalse();
    assertThat(some.ofEntries()).isEqualTo(HConstants.FOREVER);
    assertThat(settled(some)).isEqualTo(90_000);
    assertThat(of(COLUMNS, Map.of("a", HConstants.FOREVER - 1, "b", 1)).ofEntries())
        .isEqualTo(HConstants.FOREVER);
  }

  @Test
  void allFamiliesDecideHowLongRowsOfAnIndexOfTheKeyAloneStay() {
    String ofKey = "i append_only public as \"salt(3) + a:string\"";
    Map<String, Integer> seconds = Map.of("a", 60, "b", 90, "c", 5);
    for (String index : new String[] {ofKey, ofKey + " covering b:b"}) {
      RowLife life = of(index, seconds);
      assertThat(life).isEqualTo(new RowLife(5, 90));
    }
  }
}
