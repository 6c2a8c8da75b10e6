/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class IdleScansTest {
  private static final long NEVER_IN_A_TEST = 3_600_000;

  private final AtomicInteger letGo = new AtomicInteger();

  private IdleScans idle(long idleMs) {
    Configuration configuration = new Configuration(false);
    configuration.setLong(Gather.IDLE, idleMs);
    return new IdleScans(TableName.valueOf("t"), configuration, letGo::incrementAndGet);
  }

  private void awaitLetGo(int times) {
    Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> letGo.get() == times);
  }

  private void staysAt(int times) {
    Awaitility.await()
        .during(200, TimeUnit.MILLISECONDS)
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> letGo.get() == times);
  }

  @Test
  void aScanWithoutRequestsReleasesItsScannersOnceForEachSuspension() {
    IdleScans idle = idle(20);
    idle.suspended();
    awaitLetGo(1);
    staysAt(1);
    idle.suspended();
    awaitLetGo(2);
  }

  @Test
  void severalRangesThatAreSuspendedHaveOneTimer() {
    IdleScans idle = idle(50);
    for (int i = 0; i < 10; i++) {
      idle.suspended();
    }
    awaitLetGo(1);
    staysAt(1);
  }

  @Test
  void aScanThatWasAskedForRowsIsCheckedAgain() {
    IdleScans idle = idle(NEVER_IN_A_TEST);
    idle.suspended();
    for (int i = 0; i < 3; i++) {
      idle.asked();
      idle.look();
      assertThat(letGo).hasValue(0);
    }
    idle.look();
    assertThat(letGo).hasValue(1);
  }

  @Test
  void aScanThatWasAskedForRowsIsCheckedAgainByTheTimer() {
    IdleScans idle = idle(20);
    idle.suspended();
    idle.asked();
    awaitLetGo(1);
  }

  @Test
  void aScanForWhichTheCallerWaitsKeepsItsScanners() {
    IdleScans idle = idle(NEVER_IN_A_TEST);
    idle.awaits(true);
    idle.suspended();
    idle.look();
    idle.look();
    assertThat(letGo).hasValue(0);
    idle.awaits(false);
    idle.look();
    assertThat(letGo).as("it was asked for rows just now").hasValue(0);
    idle.look();
    assertThat(letGo).hasValue(1);
  }

  @Test
  void aScanThatHasEndedReleasesNothing() {
    IdleScans idle = idle(20);
    idle.suspended();
    idle.close();
    idle.suspended();
    idle.look();
    staysAt(0);
  }

  @Test
  void anIdleTimeOfZeroKeepsScanners() {
    IdleScans idle = idle(0);
    idle.suspended();
    staysAt(0);
  }

  @Test
  void knowsWhereItsScanWasOpened() {
    assertThat(idle(0).openedAt().toString()).startsWith(IdleScansTest.class.getName() + ".idle(");
  }
}
