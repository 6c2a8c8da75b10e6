/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.guard.GuardAttributes;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.junit.jupiter.api.Test;

class ScannerStampsTest {
  private static final byte[] RUN = GuardAttributes.number(7);

  private final ScannerStamps stamps = new ScannerStamps();

  /** Equal to every other one: only identity distinguishes scanners. */
  private record Empty() implements InternalScanner {
    @Override
    public boolean next(List<Cell> result, ScannerContext context) {
      return false;
    }

    @Override
    public void close() {}
  }

  private static TableRules rules(String mode) {
    return TableRules.of(
        new TableText(
            "t",
            null,
            "revision=1 mode=" + mode + " pass=0 turn=7 other=",
            null,
            "",
            null,
            null,
            null,
            null,
            null,
            null));
  }

  @Test
  void knowTheScannersOfAMigration() {
    InternalScanner run = new Empty();
    InternalScanner other = new Empty();
    stamps.remember(run, new Scan().setAttribute(GuardAttributes.MIGRATION, RUN));
    stamps.remember(other, new Scan());
    assertThat(stamps.next(run, rules("closed"))).isEqualTo(Outcome.ALLOWED);
    assertThat(stamps.next(other, rules("closed"))).isEqualTo(Outcome.CLOSED);
    assertThat(stamps.next(other, rules("fenced"))).isEqualTo(Outcome.ALLOWED);
    assertThat(stamps.next(other, rules("strange"))).isEqualTo(Outcome.UNREADABLE);
  }

  @Test
  void forgetClosedScannersAndNeverHoldThoseWithoutAttributes() {
    InternalScanner run = new Empty();
    stamps.remember(run, new Scan().setAttribute(GuardAttributes.MIGRATION, RUN));
    stamps.remember(new Empty(), new Scan());
    assertThat(stamps.size()).isEqualTo(1);
    stamps.forget(new Empty());
    assertThat(stamps.size()).isEqualTo(1);
    stamps.forget(run);
    assertThat(stamps.size()).isZero();
  }
}
