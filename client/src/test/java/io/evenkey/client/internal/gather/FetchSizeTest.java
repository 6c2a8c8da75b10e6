/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class FetchSizeTest {
  @Test
  void aScanThatSetsItsCachingKeepsIt() {
    FetchSize asking = FetchSize.of(new Scan().setCaching(7), 100);
    assertThat(asking.rows()).isEqualTo(7);
    asking.answered();
    assertThat(asking.rows()).isEqualTo(7);
  }

  @Test
  void oneRangeIsAskedForAsMuchAsFitsIntoAnAnswer() {
    FetchSize asking = FetchSize.of(new Scan(), 1);
    assertThat(asking.rows()).isEqualTo(Integer.MAX_VALUE);
    asking.answered();
    assertThat(asking.rows()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void ofManyRangesTheFirstAnswersAreSmallAndLaterOnesGrow() {
    FetchSize asking = FetchSize.of(new Scan(), 16);
    assertThat(asking.rows()).isEqualTo(512);
    asking.answered();
    assertThat(asking.rows()).isEqualTo(8192);
    for (int i = 0; i < 10; i++) {
      asking.answered();
    }
    assertThat(asking.rows()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void veryManyRangesAreAskedForALittleEach() {
    assertThat(FetchSize.of(new Scan(), 128).rows()).isEqualTo(64);
    assertThat(FetchSize.of(new Scan(), 129).rows()).isEqualTo(64);
    assertThat(FetchSize.of(new Scan(), 65_536).rows()).isEqualTo(64);
  }

  @Test
  void aFetchOfOneRowEndsARequestAndTheNextFetchIsAsLargeAsBefore() {
    for (Scan scan : new Scan[] {new Scan(), new Scan().setCaching(7)}) {
      FetchSize asking = FetchSize.of(scan, 16);
      int before = asking.rows();
      asking.asLittleAsPossible();
      assertThat(asking.rows()).isOne();
      asking.asMuchAsBefore();
      assertThat(asking.rows()).isEqualTo(before);
    }
  }

  @Test
  void copiesOfItsScanAskForWhatItSaysNow() throws Exception {
    FetchSize asking = FetchSize.of(new Scan(), 16);
    Scan asked = asking.of(new Scan().setLimit(5));
    assertThat(asked.getLimit()).isEqualTo(5);
    assertThat(asked.getCaching()).isEqualTo(512);
    Scan copy = copied(asked);
    asking.answered();
    assertThat(asked.getCaching()).isEqualTo(8192);
    assertThat(copy.getCaching()).isEqualTo(8192);
    assertThat(copy.getLimit()).isEqualTo(5);
  }

  /** As HBase copies a scan: by the constructor of its own class that takes one. */
  private static Scan copied(Scan scan) throws IOException, ReflectiveOperationException {
    var constructor = scan.getClass().getDeclaredConstructor(scan.getClass());
    constructor.setAccessible(true);
    return constructor.newInstance(scan);
  }
}
