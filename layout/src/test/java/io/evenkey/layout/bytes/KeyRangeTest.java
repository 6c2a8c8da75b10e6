package io.evenkey.layout.bytes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyRangeTest {
  private static byte[] bytes(String hex) {
    return ByteText.fromHex(hex);
  }

  private static KeyRange range(String start, String stop) {
    return KeyRange.of(bytes(start), bytes(stop));
  }

  @Test
  void aPrefixOfAllFfHasNoEnd() {
    assertThat(KeyRange.afterPrefix(bytes("61ffff"))).isEqualTo(bytes("62"));
    assertThat(KeyRange.afterPrefix(bytes("ffff"))).isEmpty();
    assertThat(KeyRange.prefix(bytes("ff")).isOpenEnded()).isTrue();
    assertThat(KeyRange.prefix(bytes("ff")).contains(bytes("ffff00"))).isTrue();
  }

  @Test
  void aPointHoldsItsKeyAndNoLongerOne() {
    KeyRange point = KeyRange.point(bytes("6100"));
    assertThat(point.contains(bytes("6100"))).isTrue();
    assertThat(point.contains(bytes("610000"))).isFalse();
    assertThat(point.onlyKey()).isEqualTo(bytes("6100"));
    assertThat(range("61", "6101").onlyKey()).isNull();
    assertThat(KeyRange.all().onlyKey()).isNull();
  }

  @Test
  void theCommonPrefixIsAsLongAsItCanBe() {
    assertThat(range("6162", "6164").commonPrefix()).isEqualTo(bytes("61"));
    assertThat(range("6162", "6163").commonPrefix()).isEqualTo(bytes("6162"));
    assertThat(range("6162ff01", "6163").commonPrefix()).isEqualTo(bytes("6162ff"));
    assertThat(range("6162", "616299").commonPrefix()).isEqualTo(bytes("6162"));
    assertThat(range("ffff61", "").commonPrefix()).isEqualTo(bytes("ffff"));
    assertThat(KeyRange.all().commonPrefix()).isEmpty();
  }

  @Test
  void underAPrefixTheRangeStaysInsideIt() {
    assertThat(KeyRange.all().under(bytes("05"))).isEqualTo(range("05", "06"));
    assertThat(range("61", "").under(bytes("ff"))).isEqualTo(range("ff61", ""));
    assertThat(range("61", "62").under(bytes("05"))).isEqualTo(range("0561", "0562"));
  }

  @Test
  void aStartAtOrAfterTheStopIsNoKeyAtAll() {
    assertThat(range("62", "61")).isEqualTo(KeyRange.none());
    assertThat(range("61", "61").isEmpty()).isTrue();
    assertThat(KeyRange.none().contains(bytes("00"))).isFalse();
  }

  @Test
  void bytesArePrintedAsTheHBaseShellDoes() {
    assertThat(ByteText.printable(bytes("615c007e7fff"))).isEqualTo("a\\x5C\\x00~\\x7F\\xFF");
    assertThat(range("05", "")).hasToString("[\\x05, )");
  }
}
