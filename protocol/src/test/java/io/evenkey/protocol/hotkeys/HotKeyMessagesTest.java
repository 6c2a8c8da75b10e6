/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.evenkey.layout.bytes.ByteString;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HotKeyMessagesTest {
  private static final HotKeyAnswer ANSWER =
      new HotKeyAnswer(
          "host,16020,1",
          "abc",
          "id:string",
          "on",
          64,
          45_000,
          Map.of(
              HotKeyKind.READ_KEYS,
              new HotItems(9, 2, List.of(new HotItem(ByteString.of((byte) 1), 4, 3, 5))),
              HotKeyKind.SCAN_STARTS,
              new HotItems(1, 0, List.of(new HotItem(ByteString.of(), 1, 1, 1)))));

  @Test
  void questionsAreReadAsTheyWereWritten() {
    for (HotKeyQuestion question :
        List.of(new HotKeyQuestion(1, false), new HotKeyQuestion(64, true))) {
      assertThat(HotKeyQuestion.parse(question.toBytes())).isEqualTo(question);
      assertThat(HotKeyQuestion.isIn(question.toBytes())).isTrue();
    }
    assertThat(new HotKeyQuestion(20, true).toBytes()).containsExactly(1, 1, 0, 0, 0, 20);
  }

  @Test
  void aQuestionToTheGuardIsNone() {
    assertThat(HotKeyQuestion.isIn(new byte[Long.BYTES])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "00",
        "020000000001",
        "010200000001",
        "010000000000",
        "010000000041",
        "0100ffffffff"
      })
  void otherQuestionsAreRefused(String hex) {
    byte[] bytes = ByteString.fromHex(hex).toArray();
    assertThatIllegalArgumentException().isThrownBy(() -> HotKeyQuestion.parse(bytes));
  }

  @Test
  void answersAreReadAsTheyWereWritten() {
    HotKeyAnswer parsed = HotKeyAnswer.parse(ANSWER.toBytes());
    for (HotKeyKind kind : HotKeyKind.values()) {
      assertThat(parsed.of(kind)).isEqualTo(ANSWER.of(kind));
    }
    assertThat(parsed.server()).isEqualTo("host,16020,1");
    assertThat(parsed.region()).isEqualTo("abc");
    assertThat(parsed.layout()).isEqualTo("id:string");
    assertThat(parsed.setting()).isEqualTo("on");
    assertThat(parsed.oneIn()).isEqualTo(64);
    assertThat(parsed.windowMs()).isEqualTo(45_000);
  }

  @Test
  void aKindOfALaterVersionIsPassedOver() {
    byte[] bytes = ANSWER.toBytes();
    byte[] later = Arrays.copyOf(bytes, bytes.length + Long.BYTES + Long.BYTES + Short.BYTES);
    int kinds = 1 + 2 + 12 + 2 + 3 + 2 + 9 + 2 + 2 + Integer.BYTES + Long.BYTES;
    assertThat(later[kinds]).isEqualTo((byte) 5);
    later[kinds]++;
    assertThat(HotKeyAnswer.parse(later).of(HotKeyKind.READ_KEYS).total()).isEqualTo(9);
  }

  @Test
  void damagedAnswersAreRefusedOrReadButNeverFailOtherwise() {
    SplittableRandom random = new SplittableRandom(7);
    byte[] bytes = ANSWER.toBytes();
    for (int i = 0; i < bytes.length; i++) {
      byte[] cut = Arrays.copyOf(bytes, i);
      assertThatIllegalArgumentException().isThrownBy(() -> HotKeyAnswer.parse(cut));
    }
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = bytes.clone();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        HotKeyAnswer.parse(damaged);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageContaining("not understood");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "none,0",
        "off,0",
        "OFF,0",
        "on,256",
        "' On ',256",
        "1/1,1",
        "1/16,16",
        "1/65536,65536"
      })
  void settingsAreRead(String text, int oneIn) {
    HotKeySetting setting = HotKeySetting.parse(text);
    assertThat(setting.oneIn()).isEqualTo(oneIn);
    assertThat(HotKeySetting.parse(setting.toString())).isEqualTo(setting);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "1/0", "1/65537", "1/99999999999", "2/3", "1/-1"})
  void otherSettingsAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HotKeySetting.parse(text))
        .withMessageMatching("setting of hot keys not understood.*|out of range.*");
  }
}
