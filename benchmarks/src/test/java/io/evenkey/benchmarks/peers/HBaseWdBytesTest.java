/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix;
import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix.OneByteSimpleHash;
import com.sematext.hbase.wd.RowKeyDistributorByOneBytePrefix;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.KeyRange;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Rows of a layout with {@code hbasewd_salt} beside those of HBaseWD's published jar. */
class HBaseWdBytesTest {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);

  @Test
  void hashPrefixesAreThoseOfHBaseWd() {
    SplittableRandom random = new SplittableRandom(SEED);
    Layout[] layouts = new Layout[257];
    RowKeyDistributorByHashPrefix[] peers = new RowKeyDistributorByHashPrefix[257];
    for (int n = 1; n <= 256; n++) {
      layouts[n] = Layout.parse("hbasewd_salt(" + n + ") + k:bytes");
      peers[n] = new RowKeyDistributorByHashPrefix(new OneByteSimpleHash(n));
    }
    for (int i = 0; i < 1_000_000; i++) {
      byte[] key = new byte[1 + random.nextInt(40)];
      random.nextBytes(key);
      int buckets = 1 + random.nextInt(256);
      byte[] row = layouts[buckets].physical(key);
      assertThat(row).isEqualTo(peers[buckets].getDistributedKey(key));
      assertThat(layouts[buckets].logical(row)).isEqualTo(key);
    }
  }

  /** Its hash is the least integer, which has no absolute value: the peer's own scans miss it. */
  @Test
  void theKeyWithoutAnAbsoluteValueIsWrittenAlikeAndReadToo() {
    byte[] key = "cafpkeda".getBytes(StandardCharsets.US_ASCII);
    for (int n = 1; n <= 256; n++) {
      Layout layout = Layout.parse("hbasewd_salt(" + n + ") + k:bytes");
      byte[] row = layout.physical(key);
      assertThat(row)
          .isEqualTo(
              new RowKeyDistributorByHashPrefix(new OneByteSimpleHash(n)).getDistributedKey(key));
      assertThat(layout.scatter(KeyRange.all()).ranges()).anyMatch(range -> range.contains(row));
      assertThat(layout.scatter(KeyRange.point(key)).ranges())
          .singleElement()
          .matches(range -> range.contains(row));
    }
  }

  @Test
  void theOneBytePrefixTakesEachBucketInTurn() {
    byte[] key = {'k'};
    for (byte n : new byte[] {1, 3, 15, 127}) {
      Layout layout = Layout.parse("hbasewd_salt(" + n + ", rotating) + k:bytes");
      RowKeyDistributorByOneBytePrefix peer = new RowKeyDistributorByOneBytePrefix(n);
      for (int i = 0; i < 300; i++) {
        assertThat(layout.physical(key)).isEqualTo(peer.getDistributedKey(key));
      }
      assertThat(layout.scatter(KeyRange.point(key)).ranges()).hasSize(n);
    }
  }
}
