/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HooksTest {
  private static final TableName TABLE = TableName.valueOf("shop:orders");

  private static Throwable thrown(Throwable inside) {
    return catchThrowable(() -> Hooks.run("preGetOp", TABLE, () -> Faults.raise(inside)));
  }

  static List<Throwable> kinds() {
    return Faults.kinds();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void anyThrowableBecomesAnExceptionThatSaysWhere(Throwable kind) {
    assertThat(thrown(kind))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessage("hook failed: hook=preGetOp table=shop:orders cause=" + kind)
        .hasCause(kind);
    assertThatThrownBy(
            () ->
                Hooks.answer(
                    "preGetOp",
                    null,
                    () -> {
                      Faults.raise(kind);
                      return kind;
                    }))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessage("hook failed: hook=preGetOp cause=" + kind);
    assertThatCode(() -> Hooks.attempt("start", null, () -> Faults.raise(kind)))
        .doesNotThrowAnyException();
  }

  @Test
  void exceptionsThatClientsUnderstandPassAsTheyAre() {
    for (IOException exception : List.of(new IOException("a"), new FileNotFoundException("b"))) {
      assertThat(thrown(exception)).isSameAs(exception);
    }
    assertThatCode(() -> Hooks.attempt("start", null, () -> Faults.raise(new IOException("a"))))
        .doesNotThrowAnyException();
  }

  @Test
  void whatTheJvmCannotGoOnAfterIsPassedOn() {
    for (Error error : List.of(new OutOfMemoryError(), new InternalError(), new UnknownError())) {
      assertThat(thrown(error)).isSameAs(error);
    }
  }

  @Test
  void anInterruptIsKept() {
    assertThat(thrown(new InterruptedException())).isInstanceOf(DoNotRetryIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  /** As one of a filter may, whose class is not whole. */
  @Test
  void aThrowableThatCannotBePrintedIsNamed() {
    RuntimeException silent =
        new RuntimeException() {
          @Override
          public String getMessage() {
            throw new IllegalStateException("no message");
          }
        };
    RuntimeException causeless =
        new RuntimeException() {
          @Override
          public synchronized Throwable getCause() {
            throw new NoClassDefFoundError("no cause");
          }
        };
    for (RuntimeException hostile : List.of(silent, causeless)) {
      assertThat(thrown(hostile))
          .isExactlyInstanceOf(DoNotRetryIOException.class)
          .hasMessageEndingWith("cause=" + hostile.getClass().getName())
          .hasNoCause();
    }
  }

  @Test
  void aLongMessageIsCut() {
    assertThat(thrown(new IllegalStateException("x".repeat(1_000_000) + "\n")).getMessage())
        .hasSizeLessThan(1_000)
        .doesNotContain("\n");
  }

  private static int deep(int depth) throws IOException {
    return Hooks.answer("preGetOp", TABLE, () -> deep(depth + 1)) + 1;
  }

  /** As of a coprocessor that writes in its own writes. */
  @Test
  void hooksWithinHooksMayFillTheStack() {
    assertThatThrownBy(() -> deep(0)).isInstanceOf(DoNotRetryIOException.class);
  }
}
