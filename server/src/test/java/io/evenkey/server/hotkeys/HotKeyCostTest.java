/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class HotKeyCostTest {
  private static final int OPERATIONS = 2_000_000;

  private final byte[][] rows = new byte[4_096][];

  HotKeyCostTest() {
    for (int i = 0; i < rows.length; i++) {
      rows[i] = ByteBuffer.allocate(40).putInt(36, i).array();
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
}
