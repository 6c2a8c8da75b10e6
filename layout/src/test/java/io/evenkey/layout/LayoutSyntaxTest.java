/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkey.layout.text.SyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutSyntaxTest {
  private static final String[] VALID = {
    "salt(16) + device:string + ts:timestamp desc",
    "salt(16, device; 48 from ts 2027-01-01, 96 from ts 2028-01-01) + device:string + ts:timestamp",
    "salt(16, device, `order no`) + device:string + `order no`:int64",
    "md5(id):HEX + \":\" + d:digits(6) + \":\" + id:digits",
    "md5(a, b)[0..6] + a:string + b:string(3)",
    "reverse(order_id:digits(14)) + ts:int64 desc",
    "\"t\\\"x\\u0007\" + reverse(k:string)"
  };

  @Test
  void aLineIsPrintedInItsCanonicalSpelling() {
    assertThat(Layout.parse(" salt( 16 ,device )+device :string asc+ 'x' +ts:timestamp  DESC"))
        .hasToString("salt(16, device) + device:string + \"x\" + ts:timestamp desc");
    assertThat(Layout.parse("md5(a)[0..32]:hex + `a`:string")).hasToString("md5(a) + a:string");
  }

  @Test
  void everyValidLineReadsBackAsItself() {
    for (String line : VALID) {
      assertThat(Layout.parse(line)).hasToString(line);
    }
  }

  @Test
  void charactersOfTextMayBeEscaped() {
    assertThat(Layout.parse("'\\u00e9\\uABCD\\u00Ff\\n\\r\\t\\\\\\\"\\'\\`' + a:string"))
        .isEqualTo(Layout.parse("\"\u00e9\uABCD\u00ff\n\r\t\\\\\\\"'`\" + a:string"));
  }

  @Test
  void charactersThatCannotBeShownArePrintedAsEscapes() {
    String shown = " a\uD83D\uDE00\u0080~";
    assertThat(Layout.parse("\"" + shown + "\" + a:string"))
        .hasToString("\"" + shown + "\" + a:string");
    assertThat(Layout.parse("'\n\r\t\u001f\u007f' + a:string"))
        .hasToString("\"\\n\\r\\t\\u001f\\u007f\" + a:string");
    // Half a surrogate pair can be a name; it cannot be text, which is stored as UTF-8.
    for (String lone : new String[] {"\uD83D", "\uDE00", "x\uD83Dx", "x\uDE00", "\uDE00\uD83D"}) {
      Layout layout = Layout.parse("`" + lone + "`:string");
      assertThat(layout.toString()).matches("[\\x00-\\x7f]+");
      assertThat(Layout.parse(layout.toString())).isEqualTo(layout);
    }
  }

  @Test
  void namesHaveLettersDigitsAndUnderscores() {
    assertThat(Layout.parse("azAZ_09:string + _z:int8 + A:int8 + Z:int8 + a:int8 + z:int8"))
        .hasToString("azAZ_09:string + _z:int8 + A:int8 + Z:int8 + a:int8 + z:int8");
    for (String wrong : new String[] {"@", "[", "{", "^", "1a", "/"}) {
      assertThatThrownBy(() -> Layout.parse(wrong + ":string"))
          .as(wrong)
          .isInstanceOf(SyntaxException.class);
    }
  }

  @Test
  void aLineOfTheMostCharactersIsRead() {
    String blanks = " ".repeat(65_536 - "a:string".length());
    assertThat(Layout.parse("a:string" + blanks)).hasToString("a:string");
    assertThatThrownBy(() -> Layout.parse("a:string " + blanks))
        .hasMessageContaining("line too long: 65537 characters, at most 65536");
  }

  @Test
  void aSecondPrefixIsNamedWithTheFirst() {
    assertThatThrownBy(() -> Layout.parse("md5(a) + salt(4) + a:string"))
        .hasMessageContaining("a layout has one prefix, and this one has md5(a)");
    assertThatThrownBy(() -> Layout.parse("a:string + salt(4)"))
        .hasMessageContaining("a salt or hash prefix is the beginning of the row");
  }

  @Test
  void aFieldMayHaveTheNameOfASpread() {
    assertThat(Layout.parse("salt:string + md5:int64 + reverse:digits").fields()).hasSize(3);
  }

  @Test
  void anErrorShowsTheLineThePlaceAndTheRemedy() {
    assertThatThrownBy(() -> Layout.parse("salt(16) + device:strng + ts:timestamp desc"))
        .isInstanceOf(SyntaxException.class)
        .hasMessage(
            """
            layout: unknown field type 'strng'; did you mean 'string'?
              salt(16) + device:strng + ts:timestamp desc
                                ^^^^^
              expected one of bool, bytes, date, decimal, digits, float32, float64, hex, int, int16, int32, int64, int8, long, string, timestamp, uint16, uint32, uint64, uint8, uuid""");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\0',
      value = {
        "                               | unexpected the end of the line | ^",
        "salt(16)                       | a layout without a field       | ^",
        "slat(16) + a:string            | unknown spread 'slat'; did you mean 'salt'? | slat",
        "salt(0) + a:string             | number of buckets out of range: 0 | 0",
        "salt(99999999999) + a:string   | number of buckets out of range | 99999999999",
        "salt(16, b) + a:string         | unknown field 'b'              | b",
        "salt(16, a, a) + a:string      | field 'a' stands twice         | a",
        "salt(16 + a:string             | unexpected '+'                 | +",
        "a:string + salt(16)            | 'salt' can only stand first    | salt",
        "md5(a) + salt(4) + a:string    | 'salt' can only stand first    | salt",
        "a:string + 'x\\u00e'           | incomplete escape              | \\u00e'",
        "a:string + 'x\\u00g9'          | incomplete escape              | \\u00g9",
        "a:string + 'x\\uffg'           | incomplete escape              | \\uffg'",
        "a:string + \uD83D\uDE00        | unexpected character '\uD83D\uDE00' | \uD83D\uDE00",
        "a                              | field 'a' without a type       | a",
        "a:string b:string              | unknown direction 'b'          | b",
        "a:string + a:int64             | field 'a' stands twice         | a:int64",
        "a:string dsc                   | unknown direction 'dsc'; did you mean 'desc'? | dsc",
        "a:digits(0)                    | number of digits out of range  | 0",
        "a:digits(40000)                | number of digits out of range  | 40000",
        "a:string + \"\" + b:int64      | empty text                     | \"\"",
        "a:string + \"x                 | text without its closing quote | \"x",
        "a:string + 'x\\q'              | unknown escape '\\q'           | \\q",
        "a:digits + \":\" + b:int64     | digits cannot end at \":\"     | a:digits",
        "a:digits + \"5\" + b:int64     | digits cannot end at \"5\"     | a:digits",
        "reverse(a:string) + b:int64    | a reversed part of variable width can only come last | a:string",
        "reverse(reverse(a:string))     | 'reverse' cannot stand inside  | reverse",
        "reverse(salt(3) + a:string)    | 'salt' cannot stand inside reverse | salt",
        "md5(a)[6..6] + a:string        | end of the slice, exclusive out of range | 6",
        "md5(a)[0..33] + a:string       | end of the slice, exclusive out of range | 33",
        "md5(a)[0..20]:bytes + a:string | slice past the end of md5 as bytes | [0..20]",
        "md5(a):Hex + a:string          | unknown form of a hash 'Hex'; did you mean 'HEX'? | Hex",
        "md5() + a:string               | unexpected ')'                 | )",
        "a:string + é:int64             | unexpected character 'é'       | é",
        "a:string + 5                   | unexpected '5'                 | 5",
        "\"x\" + \"y\"                  | a layout without a field       | ^"
      })
  void mistakesAreNamedWithTheirPlace(String line, String problem, String place) {
    String source = line == null ? "" : line;
    SyntaxException e = catchThrowableOfType(SyntaxException.class, () -> Layout.parse(source));
    assertThat(e.problem()).startsWith(problem);
    if (!place.equals("^")) {
      int end = Math.min(source.length(), e.span().start() + e.span().length());
      assertThat(source.substring(e.span().start(), end)).isEqualTo(place);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 1000, 60_000, 5_000_000})
  void hostileNestingIsRefusedWithoutHarm(int depth) {
    assertThatThrownBy(() -> Layout.parse("reverse(".repeat(depth)))
        .isInstanceOf(SyntaxException.class);
    assertThatThrownBy(() -> Layout.parse("(".repeat(depth))).isInstanceOf(SyntaxException.class);
  }

  @Test
  void aMutatedLineIsEitherALayoutOrASyntaxError() {
    String signs = "+():;[]..,'\"`\\ 0159azé\n\uD83D";
    Property.holds(
        50_000,
        0.2,
        0.8,
        (random, size) -> {
          StringBuilder line = new StringBuilder(VALID[random.nextInt(VALID.length)]);
          for (int edits = random.nextInt(4); edits > 0; edits--) {
            int at = random.nextInt(line.length());
            char sign = signs.charAt(random.nextInt(signs.length()));
            switch (random.nextInt(3)) {
              case 0 -> line.setCharAt(at, sign);
              case 1 -> line.insert(at, sign);
              default -> line.deleteCharAt(at);
            }
          }
          return Hostile.line(line.toString());
        });
  }
}
