/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

import static io.evenkey.jobs.history.Write.OPEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.history.Breach.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Histories made by hand, and random ones of an index that is kept under one lock. */
class VerdictTest {
  private static final Comparator<Found> ORDER =
      Comparator.comparing(Found::value).thenComparing(Found::row);

  private final List<Write> writes = new ArrayList<>();

  private VerdictTest write(@Nullable String value, long begin, long end) {
    writes.add(new Write("r", value, begin, end));
    return this;
  }

  private List<Kind> read(long begin, long end, Found... found) {
    List<Read> reads = List.of(new Read(begin, end, List.of(found)));
    return Verdict.of(writes, reads, ORDER).breaches().stream().map(Breach::kind).toList();
  }

  private static Found at(String value) {
    return new Found("r", value);
  }

  @Test
  void anAcknowledgedRowHasToBeThere() {
    write("a", 1, 2);
    assertThat(read(3, 4)).containsExactly(Kind.LOST);
    assertThat(read(3, 4, at("a"))).isEmpty();
  }

  @Test
  void aRowThatIsWrittenDuringTheReadMayBeThere() {
    write("a", 1, 3);
    assertThat(read(2, 4)).isEmpty();
    assertThat(read(2, 4, at("a"))).isEmpty();
  }

  @Test
  void aRowThatChangesDuringTheReadMayBeMissed() {
    write("a", 1, 2).write("b", 4, 7);
    assertThat(read(3, 5)).isEmpty();
    assertThat(read(3, 5, at("a"))).isEmpty();
    assertThat(read(3, 5, at("b"))).isEmpty();
  }

  @Test
  void aRowIsReturnedOnceByOneValue() {
    write("a", 1, 2).write("b", 4, 5);
    assertThat(read(3, 6, at("a"), at("a"), at("b"))).containsExactly(Kind.DOUBLED);
    assertThat(read(3, 6, at("a"), at("b"))).isEmpty();
  }

  @Test
  void aValueThatWasReplacedBeforeTheReadIsAPhantom() {
    write("a", 1, 2).write("b", 3, 4);
    assertThat(read(5, 6, at("a"))).containsExactly(Kind.PHANTOM, Kind.LOST);
    assertThat(read(5, 6, at("b"))).isEmpty();
  }

  @Test
  void aDeletedRowIsAPhantom() {
    write("a", 1, 2).write(null, 3, 4);
    assertThat(read(5, 6)).isEmpty();
    assertThat(read(5, 6, at("a"))).containsExactly(Kind.PHANTOM);
  }

  @Test
  void aValueThatWasNeverWrittenIsAPhantom() {
    assertThat(read(5, 6, at("a"))).containsExactly(Kind.PHANTOM);
  }

  @Test
  void aWriteAfterTheReadIsAPhantom() {
    write("a", 7, 8);
    assertThat(read(5, 6, at("a"))).containsExactly(Kind.PHANTOM);
  }

  @Test
  void aWriteWithoutAnAnswerMayBeDoneLater() {
    write("a", 1, OPEN).write("b", 2, 3);
    assertThat(read(5, 6, at("b"))).isEmpty();
    assertThat(read(5, 6, at("a"))).isEmpty();
    assertThat(read(5, 6)).isEmpty();
  }

  @Test
  void ofTwoWritesAtOneTimeEitherMayBeTheLater() {
    write("a", 1, 4).write("b", 2, 3);
    assertThat(read(5, 6, at("a"))).isEmpty();
    assertThat(read(5, 6, at("b"))).isEmpty();
  }

  @Test
  void aRowBehindItsPlaceIsOutOfOrder() {
    write("b", 1, 2);
    writes.add(new Write("s", "a", 1, 2));
    assertThat(read(3, 4, at("b"), new Found("s", "a"))).containsExactly(Kind.OUT_OF_ORDER);
    assertThat(read(3, 4, new Found("s", "a"), at("b"))).isEmpty();
  }

  @Test
  void onlyHistoriesThatLackARowHaveABreach() {
    long seed = Long.getLong("evenkey.seed", 24);
    for (long run = seed; run < seed + 200; run++) {
      Random random = new Random(run);
      History history = new History();
      List<Found> rows = new ArrayList<>();
      for (int step = 0; step < 60; step++) {
        String row = "r" + random.nextInt(8);
        long begin = history.now();
        if (random.nextInt(3) == 0) {
          history.add(new Read(begin, history.now(), rows.stream().sorted(ORDER).toList()));
        } else {
          String value = random.nextInt(4) == 0 ? null : "v" + random.nextInt(3);
          boolean answered = random.nextInt(5) != 0;
          if (answered || random.nextBoolean()) {
            rows.removeIf(found -> found.row().equals(row));
            if (value != null) {
              rows.add(new Found(row, value));
            }
          }
          history.add(new Write(row, value, begin, answered ? history.now() : OPEN));
        }
      }
      Verdict verdict = history.verdict(ORDER);
      assertThat(verdict.breaches()).as("-Devenkey.seed=" + run).isEmpty();

      long begin = history.now();
      String kept = "kept" + run;
      history.add(new Write(kept, "v", begin, history.now()));
      history.add(new Read(history.now(), history.now(), rows.stream().sorted(ORDER).toList()));
      assertThat(history.verdict(ORDER).breaches())
          .as("-Devenkey.seed=" + run)
          .extracting(Breach::row)
          .containsExactly(kept);
      assertThat(history.verdict(ORDER).decided()).isGreaterThan(verdict.decided());
    }
  }
}
