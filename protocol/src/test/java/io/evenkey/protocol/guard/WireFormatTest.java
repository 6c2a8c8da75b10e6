/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.dynatrace.hash4j.hashing.Hashing;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndexes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bytes and texts that clients and region servers of different versions have in common. */
class WireFormatTest {
  private static final GuardState STATE =
      new GuardState(7, GuardMode.TRACKED, 3, 2, "shop:orders.g2");
  private static final GuardAnswer ANSWER =
      new GuardAnswer(
          "salt(4) + größe:string",
          STATE,
          "0123456789abcdef0123456789abcdef",
          1_700_000_000_123L,
          "rs1.example.com,16020,1700000000000",
          "1.2.3",
          42,
          true,
          Optional.empty(),
          KeyHistory.UNKNOWN,
          Optional.empty(),
          Optional.empty());

  /** As a guard of the first version answers. */
  private static final GuardAnswer EARLIEST =
      new GuardAnswer(
          "",
          GuardState.REST,
          "r",
          5,
          "s",
          "",
          -1,
          false,
          Optional.empty(),
          KeyHistory.UNKNOWN,
          Optional.empty(),
          Optional.empty());

  @ParameterizedTest
  @CsvSource({
    "salt(4) + id:string, 1ae690db7594001c",
    "salt(16) + device:string + ts:timestamp desc, ea2bd166bf67969d",
    "key:bytes, 7e136eb92aa525d8"
  })
  void stampsAreFrozen(String line, String stamp) {
    Layout layout = Layout.parse(line);
    assertThat(HexFormat.of().formatHex(Stamp.of(layout))).isEqualTo(stamp);
    assertThat(GuardAttributes.number(Stamp.of(layout)))
        .isEqualTo(
            Hashing.xxh3_64().hashBytesToLong(layout.toString().getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theStampOfATableWithIndexesIsThatOfTheLineAndTheText() {
    Layout layout = Layout.parse("salt(4) + id:string");
    TableIndexes indexes =
        TableIndexes.parse(
            "format=1 version=3; by_c events public as \"c:string + id:string\" from c=d:c");
    assertThat(GuardAttributes.number(Stamp.of(layout, indexes)))
        .isEqualTo(Hashing.xxh3_64().hashBytesToLong((layout + "\n" + indexes).getBytes(UTF_8)));
    assertThat(HexFormat.of().formatHex(Stamp.of(layout, indexes))).isEqualTo("db93ff8d9b4b7c7a");
    assertThat(Stamp.of(layout, TableIndexes.NONE)).isEqualTo(Stamp.of(layout));
    assertThat(Stamp.of(layout, indexes.without("by_c"))).isEqualTo(Stamp.of(layout));
  }

  @Test
  void theIndexesOfADescriptorAreThoseOfItsOwnTable() {
    TableIndexes indexes =
        TableIndexes.parse("format=1 version=3; by_c events public as \"id:string\"");
    String value = DescribedIndexes.valueFor("shop:orders", indexes);
    assertThat(DescribedIndexes.DESCRIPTOR_KEY).isEqualTo("EVENKEY_INDEXES");
    assertThat(DescribedIndexes.INDEXED_TABLE_KEY).isEqualTo("EVENKEY_INDEX_OF");
    assertThat(DescribedIndexes.ENTRIES_TABLE_KEY).isEqualTo("EVENKEY_INDEX_ENTRIES");
    assertThat(DescribedIndexes.FORMAT).isEqualTo("2");
    assertThat(value)
        .isEqualTo("shop:orders format=1 version=3; by_c events public as \"id:string\"");
    assertThat(DescribedIndexes.textFor("shop:orders", key -> value)).isEqualTo(indexes.toString());
    assertThat(DescribedIndexes.textFor("shop:clone", key -> value)).isEmpty();
    assertThat(DescribedIndexes.textFor("shop:orders", key -> null)).isEmpty();
  }

  @Test
  void aStampIsThatOfTheCanonicalLine() {
    assertThat(Stamp.of(Layout.parse("  salt( 4 )+id:string")))
        .isEqualTo(Stamp.of(Layout.parse("salt(4) + id:string")));
  }

  @Test
  void attributesAreFrozen() {
    assertThat(
            List.of(
                GuardAttributes.LAYOUT,
                GuardAttributes.ASK,
                GuardAttributes.MIGRATION,
                GuardAttributes.PLAIN,
                GuardAttributes.RAW,
                GuardAttributes.ENTRY,
                GuardAttributes.KEPT,
                GuardAttributes.TIMED,
                GuardAttributes.ANSWER))
        .containsExactly(
            "evenkey.layout",
            "evenkey.ask",
            "evenkey.migration",
            "evenkey.plain",
            "evenkey.raw",
            "evenkey.entry",
            "evenkey.kept",
            "evenkey.timed",
            "evenkey");
    assertThat(GuardAttributes.number(0x0102030405060708L)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(GuardAttributes.number(GuardAttributes.number(-2))).isEqualTo(-2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardAttributes.number(new byte[7]))
        .withMessageContaining("bytes=7");
  }

  @Test
  void marksAreFrozen() {
    byte[] mark = ChangeMark.qualifier(0x01020304);
    assertThat(HexFormat.of().formatHex(mark)).isEqualTo("006576656e6b65790001020304");
    assertThat(ChangeMark.isMark(mark, 0, mark.length)).isTrue();
    byte[] within = new byte[mark.length + 5];
    System.arraycopy(mark, 0, within, 3, mark.length);
    assertThat(ChangeMark.isMark(within, 3, mark.length)).isTrue();
    assertThat(ChangeMark.isMark(within, 2, mark.length)).isFalse();
    assertThat(ChangeMark.isMark(mark, 0, mark.length - 1)).isFalse();
    assertThat(ChangeMark.isMark(new byte[0], 0, 0)).isFalse();
  }

  @Test
  void theKeysOfFilesAreFrozen() {
    assertThat(FileStamp.LAYOUT).isEqualTo("EVENKEY_LAYOUT");
    assertThat(FileStamp.TURN).isEqualTo("EVENKEY_TURN");
  }

  @Test
  void statesAreFrozen() {
    assertThat(GuardState.DESCRIPTOR_KEY).isEqualTo("EVENKEY_GUARD");
    assertThat(STATE).hasToString("revision=7 mode=tracked pass=3 turn=2 other=shop:orders.g2");
    assertThat(GuardState.REST).hasToString("revision=0 mode=open pass=0 turn=0 other=");
    assertThat(GuardMode.values())
        .extracting(mode -> new GuardState(1, mode, 0, 1, "").toString().split(" ", -1)[1])
        .containsExactly(
            "mode=open",
            "mode=tracked",
            "mode=fenced",
            "mode=read_only",
            "mode=closed",
            "mode=held",
            "mode=shared");
    assertThat(GuardState.STEP_KEY).isEqualTo("EVENKEY_STEP");
  }

  @ParameterizedTest
  @EnumSource(GuardMode.class)
  void statesComeBackFromTheirText(GuardMode mode) {
    for (String other : List.of("", "a:b.g2")) {
      GuardState state = new GuardState(Long.MAX_VALUE, mode, 3, 9, other);
      assertThat(GuardState.parse(state.toString())).isEqualTo(state);
    }
  }

  @Test
  void statesOfLaterVersionsMayHaveMoreFields() {
    assertThat(GuardState.parse("since=5 " + STATE + " note=x")).isEqualTo(STATE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "open",
        "revision=7 mode=tracked pass=3 turn=2",
        "revision=7 mode=melting pass=3 turn=2 other=",
        "revision=x mode=open pass=3 turn=2 other=",
        "revision=7 mode=open pass=-3 turn=2 other=",
        "revision=7 mode=open pass=3 turn=-2 other="
      })
  void malformedStateIsRefusedWithItsText(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GuardState.parse(value))
        .withMessageContaining("value=" + value);
  }

  @Test
  void answersAreFrozen() {
    assertThat(new String(ANSWER.toBytes(), StandardCharsets.UTF_8))
        .isEqualTo(
            """
            evenkey 1
            salt(4) + größe:string
            revision=7 mode=tracked pass=3 turn=2 other=shop:orders.g2
            0123456789abcdef0123456789abcdef
            1700000000123
            rs1.example.com,16020,1700000000000
            1.2.3
            42
            steps""");
    assertThat(GuardAnswer.parse(ANSWER.toBytes())).isEqualTo(ANSWER);
  }

  private static GuardAnswer answer(
      boolean steps, Optional<String> indexes, KeyHistory keys, Optional<String> indexed) {
    return new GuardAnswer(
        "id:string",
        GuardState.REST,
        "r",
        5,
        "s",
        "",
        7,
        steps,
        indexes,
        keys,
        indexed,
        Optional.empty());
  }

  @Test
  void theTenthLineOfAnAnswerSaysTheIndexes() {
    String text = "format=1 version=3; by_c events public as \"id:string\"";
    for (String indexes : List.of("", text)) {
      for (boolean steps : new boolean[] {true, false}) {
        GuardAnswer answer =
            answer(steps, Optional.of(indexes), KeyHistory.UNKNOWN, Optional.empty());
        assertThat(GuardAnswer.parse(answer.toBytes())).isEqualTo(answer);
        assertThat(new String(answer.toBytes(), UTF_8))
            .endsWith("\n7\n" + (steps ? "steps" : "") + "\n" + ("indexes " + indexes).strip());
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"SAME, same", "RECORDED, recorded", "CHANGED, changed"})
  void theEleventhLineOfAnAnswerSaysWhetherTheRowKeyWasChanged(KeyHistory keys, String word) {
    for (Optional<String> indexes : List.of(Optional.<String>empty(), Optional.of(""))) {
      GuardAnswer answer = answer(true, indexes, keys, Optional.empty());
      assertThat(GuardAnswer.parse(answer.toBytes())).isEqualTo(answer);
      assertThat(new String(answer.toBytes(), UTF_8))
          .endsWith("\nsteps\n" + indexes.map(text -> "indexes").orElse("") + "\nkeys " + word);
    }
  }

  @Test
  void theThirteenthLineOfAnAnswerSaysSinceWhenTheRegionIsGuarded() {
    GuardAnswer answer =
        new GuardAnswer(
            "id:string",
            STATE,
            "r",
            5,
            "s",
            "",
            7,
            true,
            Optional.of(""),
            KeyHistory.UNKNOWN,
            Optional.empty(),
            Optional.of(new GuardedSince(4, 1_700_000_000_123L)));
    assertThat(GuardAnswer.parse(answer.toBytes())).isEqualTo(answer);
    assertThat(new String(answer.toBytes(), UTF_8))
        .endsWith("\nsteps\nindexes\n\n\nguarded 4 1700000000123");
  }

  @ParameterizedTest
  @EnumSource(KeyHistory.class)
  void theTwelfthLineOfAnAnswerSaysWhoseIndexATableIs(KeyHistory keys) {
    GuardAnswer answer = answer(true, Optional.of(""), keys, Optional.of("shop:orders"));
    assertThat(GuardAnswer.parse(answer.toBytes())).isEqualTo(answer);
    String line = keys == KeyHistory.UNKNOWN ? "" : "keys " + keys.name().toLowerCase(Locale.ROOT);
    assertThat(new String(answer.toBytes(), UTF_8))
        .endsWith("\nindexes\n" + line + "\nindex-of shop:orders");
  }

  @Test
  void answersOfLaterVersionsMayHaveMoreLines() {
    String text = new String(ANSWER.toBytes(), StandardCharsets.UTF_8);
    assertThat(GuardAnswer.parse((text + "\nmore\n").getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(ANSWER);
    for (String wrong : List.of("", "evenkey 2" + text.substring(9), text.substring(0, 60))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> GuardAnswer.parse(wrong.getBytes(StandardCharsets.UTF_8)));
    }
  }

  @Test
  void answersOfEarlierVersionsHaveFewerLines() {
    byte[] first =
        "evenkey 1\n\nrevision=0 mode=open pass=0 turn=0 other=\nr\n5\ns"
            .getBytes(StandardCharsets.UTF_8);
    assertThat(GuardAnswer.parse(first)).isEqualTo(EARLIEST);
  }

  @Test
  void anAnswerInAnExceptionIsFrozenAndComesBack() {
    String message = Refusal.answer(EARLIEST);
    assertThat(message)
        .isEqualTo(
            "question answered [evenkey:answer]ZXZlbmtleSAxCgpyZXZpc2lvbj0wIG1vZGU9b3BlbiBw"
                + "YXNzPTAgdHVybj0wIG90aGVyPQpyCjUKcwoKLTE=]");
    // As HBase's client shows a remote exception.
    assertThat(Refusal.answerIn("x.DoNotRetryIOException: " + message + "\n\tat y [z]"))
        .contains(EARLIEST);
    assertThat(Refusal.answerIn(Refusal.answer(ANSWER))).contains(ANSWER);
    assertThat(Refusal.answerIn("nothing")).isEmpty();
    assertThat(Refusal.answerIn(null)).isEmpty();
  }

  @Test
  void refusalsAreFoundInMessagesAndCauses() {
    assertThat(Refusal.values())
        .extracting(Refusal::mark)
        .containsExactly(
            "[evenkey:fenced]",
            "[evenkey:closed]",
            "[evenkey:layout]",
            "[evenkey:unstamped]",
            "[evenkey:turn]",
            "[evenkey:migrating]",
            "[evenkey:entries]",
            "[evenkey:changed]",
            "[evenkey:answer]");
    for (Refusal refusal : Refusal.values()) {
      Exception cause = new IllegalStateException("table=a " + refusal.mark());
      assertThat(Refusal.of(new IllegalStateException("outer", cause))).contains(refusal);
    }
    assertThat(Refusal.in("[evenkey:unheard]")).isEqualTo(Optional.empty());
    assertThat(Refusal.of(null)).isEmpty();
  }

  @Test
  void theRevisionOfARefusalIsReadFromItsMessage() {
    String message =
        "request was made by another layout: table=t layout=revision:int64 "
            + Refusal.revisionText(1_048_577)
            + "; look it up again "
            + Refusal.LAYOUT.mark();
    assertThat(Refusal.revision(new IllegalStateException("x", new IllegalStateException(message))))
        .hasValue(1_048_577);
    assertThat(Refusal.revision(new IllegalStateException("revision=3 " + Refusal.CLOSED.mark())))
        .isEmpty();
    assertThat(Refusal.revision(new IllegalStateException("of an index " + Refusal.LAYOUT.mark())))
        .isEmpty();
    assertThat(Refusal.revision(null)).isEmpty();
  }
}
