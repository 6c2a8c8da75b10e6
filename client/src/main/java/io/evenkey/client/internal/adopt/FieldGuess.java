/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.StoredRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Guesses the fields of logical keys: numbers and times as {@code Bytes.toBytes} writes them,
 * UUIDs, and text, in fixed or separated parts. For one thread.
 */
public final class FieldGuess {
  /** Fewer rows would make a field of any byte that happens to be equal in all. */
  private static final int FEWEST_ROWS = 8;

  /** Separators, the most common first. */
  private static final String SEPARATORS = "|#;,_:/.- ";

  private static final Pattern DIGITS = Pattern.compile("[0-9]+");
  private static final Pattern HEX = Pattern.compile("[0-9a-f]{8,}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final List<String> TIMES =
      List.of("yyyyMMddHHmmss", "yyyyMMddHHmm", "yyyyMMddHH", "yyyyMMdd");
  private static final List<String> WRITTEN_TIMES = List.of("yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd");
  private static final char NUL = '\0';
  private static final int UUID_BYTES = 16;

  /** Times of rows are from so long before the first cell was written, as of a history, … */
  private static final long HISTORY_MS = TimeUnit.DAYS.toMillis(5 * 365);

  /** … to so long after the last one, as of a clock that is ahead. */
  private static final long AHEAD_MS = TimeUnit.DAYS.toMillis(1);

  private static final Map<String, TimeUnit> UNITS =
      Map.of(
          "seconds", TimeUnit.SECONDS,
          "micros", TimeUnit.MICROSECONDS,
          "nanos", TimeUnit.NANOSECONDS);

  /** The stem of a field's name, and the text that follows the name in the line. */
  private record Part(String kind, String declared) {
    static final Part REST = new Part("rest", ":bytes");
  }

  private final List<byte[]> keys;

  /** Whose cells' timestamps tell times in units that no field has. */
  private final StoredRows stored;

  private final List<Part> parts = new ArrayList<>();

  /** Places from which no fields lead to the end of the keys. */
  private final BitSet ends = new BitSet();

  private FieldGuess(List<byte[]> keys, StoredRows stored) {
    this.keys = keys;
    this.stored = stored;
  }

  /**
   * Puts a layout with guessed fields before each layout of an unknown key, where the rows allow a
   * guess.
   *
   * @param stored the rows, and when they were written
   * @param unknown the key of which nothing is known, as the layouts name it
   */
  public static List<Proposal> refined(
      List<Proposal> proposals, StoredRows stored, String unknown) {
    List<Proposal> refined = new ArrayList<>();
    for (Proposal proposal : proposals) {
      guessed(proposal, stored, unknown).ifPresent(refined::add);
      refined.add(proposal);
    }
    return refined;
  }

  private static Optional<Proposal> guessed(Proposal proposal, StoredRows stored, String unknown) {
    List<byte[]> rows = stored.rows();
    Layout layout = proposal.fit().layout();
    String line = layout.toString();
    if (rows.size() < FEWEST_ROWS || !line.endsWith(unknown)) {
      return Optional.empty();
    }
    List<byte[]> keys = rows.stream().map(layout::logical).toList();
    String prefix = line.substring(0, line.length() - unknown.length());
    return new FieldGuess(keys, stored)
        .line()
        .map(fields -> fit(prefix + fields, rows))
        .filter(FittingRows::isComplete)
        .map(
            fit ->
                new Proposal(
                    fit,
                    proposal.system() + ", fields guessed",
                    proposal.caution().isEmpty()
                        ? "the names of the fields are made up: " + Remedy.NAME_FIELDS
                        : proposal.caution()));
  }

  private static FittingRows fit(String line, List<byte[]> rows) {
    try {
      return FittingRows.of(Layout.parse(line), rows);
    } catch (LayoutException e) {
      return new FittingRows(Layout.parse("key:bytes"), rows.size(), 0, List.of());
    }
  }

  /** The fields; empty if they would say no more than {@code bytes}. */
  private Optional<String> line() {
    int least = keys.stream().mapToInt(key -> key.length).min().orElse(0);
    int most = keys.stream().mapToInt(key -> key.length).max().orElse(0);
    if (least == 0) {
      return Optional.empty();
    }
    if (keys.stream().allMatch(key -> isUnicode(key, 0, key.length))) {
      text(0, most, true);
    } else if (least == most && !endedText(least)) {
      fixed(least);
    } else if (least < most && !endedText(least) && !numbersBeforeText(0, least, most)) {
      return Optional.empty();
    }
    return parts.equals(List.of(Part.REST)) ? Optional.empty() : Optional.of(joined());
  }

  private String joined() {
    Map<String, Integer> names = new HashMap<>();
    return parts.stream()
        .map(
            part -> {
              int count = names.merge(part.kind, 1, Integer::sum);
              return part.kind + (count == 1 ? "" : count) + part.declared;
            })
        .collect(Collectors.joining(" + "));
  }

  /** Finds fields up to the end of the keys; at worst, bytes of no known kind are the last one. */
  private void fixed(int length) {
    if (fixed(0, length)) {
      return;
    }
    int at = 0;
    List<Part> next = candidates(at, length);
    while (!next.isEmpty()) {
      parts.add(next.get(0));
      at += width(next.get(0));
      next = candidates(at, length);
    }
    parts.add(Part.REST);
  }

  private boolean fixed(int at, int length) {
    if (at == length || ends.get(at)) {
      return at == length;
    }
    int run = textRun(at, length);
    if (at + run == length) {
      text(at, length, true);
      return true;
    }
    for (Part part : candidates(at, length)) {
      int before = parts.size();
      parts.add(part);
      if (fixed(at + width(part), length)) {
        return true;
      }
      parts.subList(before, parts.size()).clear();
    }
    int before = parts.size();
    if (run > 0) {
      text(at, at + run, false);
      if (fixed(at + run, length)) {
        return true;
      }
    }
    parts.subList(before, parts.size()).clear();
    ends.set(at);
    return false;
  }

  private static int width(Part part) {
    return Layout.parse("v" + part.declared).fields().get(0).type().width();
  }

  /** The fields of fixed width that may begin at a byte, the likeliest first. */
  private List<Part> candidates(int at, int length) {
    List<Part> found = new ArrayList<>();
    number(at, length, Long.BYTES).ifPresent(found::add);
    boolean isTime = !found.isEmpty() && !found.get(0).kind.equals("id");
    if (!isTime) {
      // Two numbers of four bytes read as one of eight; of a long, the upper half hardly changes.
      number(at, length, Integer.BYTES)
          .ifPresent(part -> found.add(changes(at, Integer.BYTES) ? 0 : found.size(), part));
    }
    if (areUuids(at, length)) {
      found.add(new Part("uuid", ":uuid"));
    }
    return found;
  }

  private boolean changes(int at, int width) {
    return keys.stream().map(key -> Bytes.toStringBinary(key, at, width)).distinct().count() > 2;
  }

  /** A field of some bytes whose values are likely. */
  private Optional<Part> number(int at, int length, int width) {
    // Letters are numbers, too.
    if (at + width > length || areText(at, at + width)) {
      return Optional.empty();
    }
    List<byte[]> values =
        keys.stream().map(key -> Arrays.copyOfRange(key, at, at + width)).toList();
    String type =
        Plausibility.types(width).stream()
            .filter(likely -> isLikely(likely, values))
            .findFirst()
            .orElse("");
    if (type.startsWith("timestamp")) {
      return Optional.of(new Part("ts", ":" + type));
    }
    String ofJava = width == Long.BYTES ? "long" : "int";
    return unit(values, ofJava)
        .map(unit -> new Part(unit, ":" + ofJava))
        .or(() -> type.isEmpty() ? Optional.empty() : Optional.of(new Part("id", ":" + type)));
  }

  /** The unit in which numbers are times near those at which the rows were written. */
  private Optional<String> unit(List<byte[]> values, String type) {
    return UNITS.keySet().stream()
        .filter(unit -> stored.lastMs() > 0)
        .filter(
            unit ->
                Plausibility.isMost(values.stream().filter(v -> isNear(v, unit)).count(), values))
        .filter(unit -> FittingRows.of(Layout.parse("v:" + type), values).isComplete())
        .findFirst();
  }

  private boolean isNear(byte[] value, String unit) {
    long number = value.length == Long.BYTES ? Bytes.toLong(value) : Bytes.toInt(value);
    long ms = Objects.requireNonNull(UNITS.get(unit)).toMillis(number);
    return ms >= stored.firstMs() - HISTORY_MS && ms <= stored.lastMs() + AHEAD_MS;
  }

  private static boolean isLikely(String type, List<byte[]> values) {
    Layout layout = Layout.parse("v:" + type);
    return FittingRows.of(layout, values).isComplete()
        && Plausibility.of(
                layout.fields().get(0),
                values.stream().map(value -> layout.decode(value).get("v")).toList())
            == Plausibility.LIKELY;
  }

  // The version and the variant of RFC 9562.
  private boolean areUuids(int at, int length) {
    return at + UUID_BYTES <= length
        && keys.stream()
            .allMatch(
                key ->
                    (key[at + 8] & 0xc0) == 0x80
                        && (key[at + 6] >> 4 & 0xf) >= 1
                        && (key[at + 6] >> 4 & 0xf) <= 8);
  }

  /** Numbers and UUIDs, and text of any length behind them. */
  private boolean numbersBeforeText(int at, int least, int most) {
    if (at > 0 && keys.stream().allMatch(key -> isUnicode(key, at, key.length))) {
      text(at, most, true);
      return true;
    }
    for (Part part : candidates(at, least)) {
      parts.add(part);
      if (numbersBeforeText(at + width(part), least, most)) {
        return true;
      }
      parts.remove(parts.size() - 1);
    }
    return false;
  }

  /** Text of any length, a separator or NUL, and a number at the end; or texts with NUL between. */
  private boolean endedText(int least) {
    return endedText(least, Long.BYTES) || endedText(least, Integer.BYTES) || textsBetweenNuls();
  }

  private boolean endedText(int least, int width) {
    if (least <= width) {
      return false;
    }
    byte[] first = keys.get(0);
    char separator = (char) first[first.length - width - 1];
    if (separator != NUL && SEPARATORS.indexOf(separator) < 0) {
      return false;
    }
    List<byte[]> numbers = new ArrayList<>();
    for (byte[] key : keys) {
      int end = key.length - width - 1;
      if (key[end] != separator
          || !isUnicode(key, 0, end)
          || string(key, 0, end).indexOf(separator) >= 0) {
        return false;
      }
      numbers.add(Arrays.copyOfRange(key, end + 1, key.length));
    }
    Optional<Part> number = new FieldGuess(numbers, stored).number(0, width, width);
    number.ifPresent(
        part -> {
          // Text before the end of a key ends with NUL by itself.
          String literal = separator == NUL ? "" : " + \"" + separator + "\"";
          parts.add(new Part("name", ":string" + literal));
          parts.add(part);
        });
    return number.isPresent();
  }

  private boolean textsBetweenNuls() {
    List<String[]> split =
        keys.stream()
            .filter(FieldGuess::isUnicodeBetweenNuls)
            .map(key -> string(key, 0, key.length).split(String.valueOf(NUL), -1))
            .toList();
    if (split.size() < keys.size()) {
      return false;
    }
    int count = split.get(0).length;
    if (count == 1 || split.stream().anyMatch(texts -> texts.length != count)) {
      return false;
    }
    for (int i = 1; i < count; i++) {
      parts.add(new Part("name", ":string"));
    }
    parts.addAll(parts(split.stream().map(texts -> texts[count - 1]).toList(), true, false));
    return true;
  }

  private static String string(byte[] key, int from, int to) {
    return new String(key, from, to - from, UTF_8);
  }

  private static boolean isUnicodeBetweenNuls(byte[] key) {
    byte[] text = key.clone();
    for (int i = 0; i < text.length; i++) {
      text[i] = text[i] == NUL ? (byte) ' ' : text[i];
    }
    return isUnicode(text, 0, text.length);
  }

  /** Whether bytes are UTF-8 without control characters. */
  private static boolean isUnicode(byte[] key, int from, int to) {
    if (isText(key, from, to)) {
      return true;
    }
    try {
      CharBuffer text = UTF_8.newDecoder().decode(ByteBuffer.wrap(key, from, to - from));
      return text.chars().noneMatch(Character::isISOControl);
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  private boolean areText(int from, int to) {
    return keys.stream().allMatch(key -> isText(key, from, Math.min(to, key.length)));
  }

  private static boolean isText(byte[] key, int from, int to) {
    for (int i = from; i < to; i++) {
      if (key[i] < ' ' || key[i] > '~') {
        return false;
      }
    }
    return true;
  }

  private int textRun(int at, int length) {
    int end = at;
    while (end < length && areText(end, end + 1)) {
      end++;
    }
    return end - at;
  }

  /** Splits text at the first separator that all keys have equally often, and names its parts. */
  private void text(int from, int to, boolean isLast) {
    List<String> texts =
        keys.stream().map(key -> string(key, from, Math.min(to, key.length))).toList();
    Part whole = known(texts, isLast);
    if (whole != null) {
      parts.add(whole);
      return;
    }
    for (int s = 0; s < SEPARATORS.length(); s++) {
      char separator = SEPARATORS.charAt(s);
      long count = count(texts.get(0), separator);
      if (count > 0 && texts.stream().allMatch(text -> count(text, separator) == count)) {
        List<String[]> split =
            texts.stream()
                .map(text -> text.split(Pattern.quote(String.valueOf(separator)), -1))
                .toList();
        for (int i = 0; i <= count; i++) {
          int part = i;
          boolean ends = i == count;
          parts.addAll(parts(split.stream().map(all -> all[part]).toList(), isLast && ends, !ends));
          if (!ends) {
            Part field = parts.remove(parts.size() - 1);
            parts.add(new Part(field.kind, field.declared + " + \"" + separator + "\""));
          }
        }
        return;
      }
    }
    parts.addAll(parts(texts, isLast, false));
  }

  private static long count(String text, char separator) {
    return text.chars().filter(c -> c == separator).count();
  }

  /** A UUID or a time as people write it, whose own separators part no fields; null for others. */
  private static @Nullable Part known(List<String> texts, boolean isLast) {
    if (all(texts, UUID_TEXT)) {
      return new Part("uuid", isLast ? ":string" : ":string(36)");
    }
    int width = texts.get(0).length();
    String time = isFixed(texts) ? time(texts, width, WRITTEN_TIMES) : null;
    return time == null ? null : new Part("ts", ":" + time);
  }

  private static boolean isFixed(List<String> texts) {
    int width = texts.get(0).length();
    return width > 0 && texts.stream().allMatch(text -> text.length() == width);
  }

  private static List<Part> parts(List<String> texts, boolean isLast, boolean isSeparated) {
    Part known = known(texts, isLast || isSeparated);
    if (known != null) {
      return List.of(known);
    }
    int width = texts.get(0).length();
    boolean isFixed = isFixed(texts);
    if (all(texts, DIGITS)) {
      String digits = ":digits" + (isFixed ? "(" + width + ")" : "");
      return isFixed ? timed(texts, width) : List.of(new Part("no", digits));
    }
    if (isFixed && all(texts, HEX)) {
      return List.of(new Part("hash", ":hex(" + width + ")"));
    }
    boolean hasEnd = isLast || isSeparated || !isFixed;
    return List.of(new Part("name", ":string" + (hasEnd ? "" : "(" + width + ")")));
  }

  /** Digits, which may be or begin with a time. */
  private static List<Part> timed(List<String> texts, int width) {
    for (String pattern : TIMES) {
      int length = pattern.length();
      if (length <= width) {
        List<String> times = texts.stream().map(text -> text.substring(0, length)).toList();
        String time = time(times, length, List.of(pattern));
        if (time != null) {
          Part ts = new Part("ts", ":" + time);
          return length == width
              ? List.of(ts)
              : List.of(ts, new Part("no", ":digits(" + (width - length) + ")"));
        }
      }
    }
    return List.of(new Part("no", ":digits(" + width + ")"));
  }

  private static boolean all(List<String> texts, Pattern pattern) {
    return texts.stream().allMatch(text -> pattern.matcher(text).matches());
  }

  /** The type of times in one of some patterns, or null. */
  private static @Nullable String time(List<String> texts, int width, List<String> patterns) {
    for (String pattern : patterns) {
      if (pattern.length() == width) {
        String type = "timestamp(\"" + pattern + "\")";
        List<byte[]> values = texts.stream().map(text -> text.getBytes(US_ASCII)).toList();
        if (isLikely(type, values)) {
          return type;
        }
      }
    }
    return null;
  }
}
