/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import java.math.BigInteger;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MurmurHash3;
import org.apache.hadoop.hbase.util.RegionSplitter;
import org.junit.jupiter.api.Test;

/** Compares the peers with HBase's own classes. */
class HBaseBytesTest {
  @Test
  void splitKeysAreThoseOfHBase() {
    for (int regions = 2; regions <= 1000; regions++) {
      check(SplitAlgorithm.HEX, new RegionSplitter.HexStringSplit(), regions);
      check(SplitAlgorithm.DECIMAL, new RegionSplitter.DecimalStringSplit(), regions);
      check(SplitAlgorithm.UNIFORM, new RegionSplitter.UniformSplit(), regions);
    }
  }

  private static void check(
      SplitAlgorithm ours, RegionSplitter.SplitAlgorithm theirs, int regions) {
    SplitPlan plan = ours.splits(regions);
    assertThat(plan.toArray()).as("%s %d", ours, regions).isDeepEqualTo(theirs.split(regions));
  }

  @Test
  void unsignedNumbersAreThoseOfBytes() {
    Layout layout = Layout.parse("n:uint64");
    SplittableRandom random = new SplittableRandom(20261121);
    for (int i = 0; i < 100_000; i++) {
      long number = random.nextLong();
      BigInteger value = new BigInteger(Long.toUnsignedString(number));
      assertThat(layout.encode(Values.of("n", value))).isEqualTo(Bytes.toBytes(number));
    }
  }

  @Test
  void murmur3IsTheOneOfHBase() {
    Layout layout = Layout.parse("murmur3(k):bytes + k:bytes");
    SplittableRandom random = new SplittableRandom(20261121);
    for (int i = 0; i < 100_000; i++) {
      byte[] key = new byte[i % 100];
      random.nextBytes(key);
      int expected = MurmurHash3.getInstance().hash(new ByteArrayHashKey(key, 0, key.length), 0);
      assertThat(Bytes.toInt(layout.physical(key))).isEqualTo(expected);
    }
  }
}
