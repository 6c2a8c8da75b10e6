/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.junit.jupiter.api.Test;

class FailureMessageTest {
  @Test
  void valuesAndTheRemedyFollowTheRule() {
    assertThat(FailureMessage.of("no such index").with("table", "t").with("index", "i"))
        .hasToString("no such index: table=t index=i");
    assertThat(FailureMessage.of("no such index").with("").remedy("list them"))
        .isEqualTo("no such index; list them");
  }

  @Test
  void aReasonIsOneLineAndNeverNull() {
    assertThat(FailureMessage.reason(new IOException("no route\n\tat Server.call")))
        .isEqualTo("no route");
    assertThat(FailureMessage.reason(new InterruptedIOException()))
        .isEqualTo("InterruptedIOException");
    assertThat(FailureMessage.reason(new IOException(""))).isEmpty();
  }
}
