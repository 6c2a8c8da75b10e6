/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

class HotKeyCostTest {
  private static final Logger LOG = LoggerFactory.getLogger(HotKeyCostTest.class);
  private static final int OPERATIONS = 2_000_000;
  private static final int ROUNDS = 9;

  private final byte[][] rows = new byte[4_096][];

  HotKeyCostTest() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < rows.length; i++) {
      // Some come more often.
      int number = (int) (rows.length * Math.pow(random.nextDouble(), 4));
      rows[i] = ByteBuffer.allocate(40).putInt(36, number).array();
    }
  }

  private void reads(RegionHotKeys hot) {
    for (int i = 0; i < OPERATIONS; i++) {
      hot.read(rows[i & (rows.length - 1)]);
    }
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  @Test
  void anOperationThatIsNotCountedAllocatesNothing() {
    // Its numbers are the greatest ones: none is taken.
    RandomGenerator none = () -> -1L;
    RegionHotKeys hot = new RegionHotKeys("server", "region", System::nanoTime, () -> none);
    for (String setting : new String[] {null, "on"}) {
      hot.set(setting, null);
      reads(hot);
      long before = allocated();
      reads(hot);
      assertThat((double) (allocated() - before) / OPERATIONS).as(setting).isLessThan(0.1);
    }
  }

  /** Logs the time and the bytes of an operation; asserts nothing. */
  @Test
  @EnabledIfSystemProperty(named = "evenkey.measure", matches = "true")
  void measure() {
    String layout = "salt(16, device) + device:bytes(36) + n:int32";
    for (String setting : new String[] {null, "on", "1/1"}) {
      RegionHotKeys hot = RegionHotKeys.of("server", "region");
      hot.set(setting, layout);
      double[] nanos = new double[ROUNDS];
      long bytes = 0;
      for (int round = 0; round < ROUNDS; round++) {
        long before = allocated();
        long begun = System.nanoTime();
        reads(hot);
        nanos[round] = (double) (System.nanoTime() - begun) / OPERATIONS;
        bytes = allocated() - before;
      }
      Arrays.sort(nanos);
      LOG.warn(
          "{}: {} ns, {} bytes an operation",
          setting,
          String.format(Locale.ROOT, "%.1f", nanos[ROUNDS / 2]),
          String.format(Locale.ROOT, "%.1f", (double) bytes / OPERATIONS));
    }
  }
}
