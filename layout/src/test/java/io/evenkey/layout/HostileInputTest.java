/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.text.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link Hostile} on good input made bad, which needs no fuzzer, and on input of the worst size.
 */
class HostileInputTest {
  private static final int CASES = 30_000;

  private static final int[] LENGTHENED = {-1, 0, 0, 0, 0, 1};

  private static final String[] WORDS = {
    "salt",
    "(",
    ")",
    "+",
    ":",
    ";",
    ",",
    "=",
    "[",
    "..",
    "]",
    "string",
    "desc",
    "reverse",
    "md5",
    "\"",
    "'",
    "`",
    "\\",
    "99999999999",
    "0",
    "-1",
    "\u0000",
    "\uD83D",
    "é",
    "and",
    "in",
    "between",
    "starts with",
    "!=",
    ">=",
    "random",
    "over",
    "as",
    "timestamp",
    "phoenix_salt",
    "from",
    "; 48 from a 5",
    "a",
    " "
  };

  @Test
  void aMutatedLineIsALayoutOrRefused() {
    Property.holds(
        CASES, 0.2, 0.8, (random, size) -> Hostile.line(mutated(random, line(random, size), size)));
  }

  private static String line(SplittableRandom random, int size) {
    return random.nextInt(10) == 0
        ? words(random, size)
        : new RandomLayout(random, size).layout().toString();
  }

  private static String words(SplittableRandom random, int size) {
    return IntStream.range(0, 3 * size)
        .mapToObj(i -> WORDS[random.nextInt(WORDS.length)])
        .collect(Collectors.joining());
  }

  private static String mutated(SplittableRandom random, String text, int size) {
    StringBuilder line = new StringBuilder(text);
    for (int i = random.nextInt(1 + random.nextInt(size)); i > 0; i--) {
      int at = random.nextInt(line.length() + 1);
      int end = Math.min(line.length(), at + random.nextInt(4));
      line.replace(at, end, random.nextBoolean() ? "" : WORDS[random.nextInt(WORDS.length)]);
    }
    return line.toString();
  }

  @Test
  void aMutatedRowIsDecodedOrRefused() {
    Property.holds(
        CASES,
        0.2,
        0.8,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout =
              random.nextBoolean()
                  ? make.layout()
                  : Hostile.LAYOUTS.get(random.nextInt(Hostile.LAYOUTS.size()));
          byte[] row = bytes(random, 2 * size);
          if (random.nextInt(4) != 0) {
            row = layout.encode(make.acceptedValues(layout));
          }
          return Hostile.row(layout, mutated(random, row, size));
        });
  }

  private static byte[] bytes(SplittableRandom random, int length) {
    byte[] bytes = new byte[random.nextInt(length + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] mutated(SplittableRandom random, byte[] row, int size) {
    byte[] mutated =
        Arrays.copyOf(row, Math.max(0, row.length + LENGTHENED[random.nextInt(LENGTHENED.length)]));
    for (int i = random.nextInt(1 + random.nextInt(size)); i > 0 && mutated.length > 0; i--) {
      byte[] likely = {0, 1, -1, -2, (byte) random.nextInt(256)};
      mutated[random.nextInt(mutated.length)] = likely[random.nextInt(likely.length)];
    }
    return mutated;
  }

  @Test
  void aMutatedConditionIsReadOrRefused() {
    Property.holds(
        CASES,
        0.2,
        0.8,
        (random, size) -> {
          Layout layout = Hostile.LAYOUTS.get(random.nextInt(Hostile.LAYOUTS.size()));
          Values record = new RandomLayout(random, size).acceptedValues(layout);
          String condition = condition(random, layout, record);
          return Hostile.condition(layout, mutated(random, condition, size));
        });
  }

  private static String condition(SplittableRandom random, Layout layout, Values record) {
    List<String> comparisons = new ArrayList<>();
    for (Field field : layout.fields()) {
      Object value = record.get(field.name());
      if (value == null || random.nextInt(4) == 0) {
        continue;
      }
      String literal = Quoted.literal(field.type().format(value));
      comparisons.add(
          field.name()
              + switch (random.nextInt(4)) {
                case 0 -> " in (" + literal + ", " + literal + ")";
                case 1 -> " between " + literal + " and " + literal;
                case 2 -> " >= " + literal;
                default -> " = " + literal;
              });
    }
    return String.join(" and ", comparisons);
  }

  /** A quadratic reader would take minutes for these, and a recursive one would not come back. */
  @Test
  @Tag("slow")
  void theLongestLinesTakeNoTime() {
    List<String> worst = new ArrayList<>();
    worst.add("(".repeat(65_536));
    worst.add("reverse(".repeat(8_000));
    worst.add("\"".repeat(65_535));
    worst.add("\\".repeat(65_536));
    worst.add("a+".repeat(32_000));
    worst.add(repeated(4_500, i -> "f" + i + ":int8", " + "));
    worst.add(
        "salt(4, "
            + repeated(4_000, i -> "f" + i, ",")
            + ") + "
            + repeated(4_000, i -> "f" + i + ":int8", "+"));
    worst.add("salt(1; " + repeated(3_500, i -> 2 + i % 9 + " from n " + i, ", ") + ") + n:int64");
    worst.add("reverse(" + repeated(4_500, i -> "f" + i + ":int8", "+") + ")");
    worst.add("a:string" + " + \"x\"".repeat(9_000));
    worst.add("a:timestamp(\"yyyy" + ".".repeat(60_000) + "\")");
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30), () -> worst.forEach(Hostile::line), "all of them together");
    String longWhenPrinted = repeated(5_800, i -> "f" + i + ":int8", "+");
    for (String line : List.of("a".repeat(65_537), longWhenPrinted)) {
      assertThatThrownBy(() -> Layout.parse(line))
          .isInstanceOf(SyntaxException.class)
          .hasMessageContaining("too long");
    }
  }

  private static String repeated(int count, IntFunction<String> one, String by) {
    return IntStream.range(0, count).mapToObj(one).collect(Collectors.joining(by));
  }

  @Test
  void aListOfValuesOpensNoMoreRangesThanWereAskedFor() {
    Layout layout = Layout.parse("a:int32 + b:int32 + c:int32");
    String list =
        IntStream.range(0, 300).mapToObj(i -> "" + 2 * i).collect(Collectors.joining(","));
    var where = layout.where("a in (" + list + ") and b in (" + list + ") and c in (" + list + ")");
    assertThat(layout.scatter(where).fanOut()).isEqualTo(300);
    assertThat(where.residual(true)).hasSize(2);
  }

  @Test
  @Tag("slow")
  void theLongestRowsTakeNoTime() {
    byte[] ones = "a".repeat(32_767).getBytes(StandardCharsets.US_ASCII);
    byte[] zeros = new byte[32_767];
    byte[] high = new byte[32_767];
    Arrays.fill(high, (byte) 0xff);
    Assertions.assertTimeoutPreemptively(
        Duration.ofSeconds(30),
        () -> {
          for (Layout layout : Hostile.LAYOUTS) {
            for (byte[] row : List.of(ones, zeros, high)) {
              Hostile.row(layout, row);
            }
          }
        });
  }
}
