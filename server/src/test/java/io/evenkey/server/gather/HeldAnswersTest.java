/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.Cleaner;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

class HeldAnswersTest {
  private final HeldAnswers answers = new HeldAnswers(100);

  @Test
  void haveABoundTogether() {
    Object first = new Object();
    Object second = new Object();
    Cleaner.Cleanable one = answers.hold(first, 60);
    assertThatCode(answers::checkRoom).doesNotThrowAnyException();
    Cleaner.Cleanable other = answers.hold(second, 60);
    assertThatThrownBy(answers::checkRoom)
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "too many answers of gathers are not read to their end: bytes=120 most=100;"
                + " scan the regions themselves");
    one.clean();
    // As when a scanner is closed that has been read to its end.
    one.clean();
    assertThatCode(answers::checkRoom).doesNotThrowAnyException();
    other.clean();
    assertThatCode(answers::checkRoom).doesNotThrowAnyException();
    assertThat(first).isNotSameAs(second);
  }
}
