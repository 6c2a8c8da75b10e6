/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.KeyForm;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.language.LayoutParser;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Prefixes;
import io.evenkey.layout.spread.Slices;
import io.evenkey.layout.spread.Spread;
import io.evenkey.layout.spread.Steps;
import io.evenkey.layout.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a table's row keys: the parsed line.
 *
 * <p>Four verbs: {@link #encode} a record into a row, {@link #decode} a row, {@link #scatter} a
 * logical range over the physical ranges that hold it, and {@link #splits} a table into regions.
 * Code that has logical keys rather than records uses {@link #physical} and {@link #logical}.
 *
 * <p>Immutable and thread-safe. Two layouts are equal when their lines say the same; {@link
 * #toString} is that line in its canonical spelling, and {@code parse(toString())} is equal to the
 * layout.
 */
public final class Layout {
  private final String line;
  private final Key key;
  private final Spread spread;

  private Layout(LayoutParser.Line parsed) {
    line = parsed.toString();
    key = parsed.key();
    spread = Spread.of(parsed.prefix(), separator(parsed.separators()), key);
  }

  private static byte[] separator(List<Part.Literal> literals) {
    return literals.stream()
        .map(Part.Literal::text)
        .collect(Collectors.joining())
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The layout that a line describes.
   *
   * @throws io.evenkey.layout.text.SyntaxException if it describes none; the message shows the
   *     place
   */
  public static Layout parse(String line) {
    return new Layout(LayoutParser.parse(line));
  }

  /** The fields in logical order. */
  public List<Field> fields() {
    return key.fields();
  }

  /** The form of the logical keys. */
  public Key key() {
    return key;
  }

  /** The spread, which puts keys into buckets. */
  public Spread spread() {
    return spread;
  }

  /** The layout of the same logical keys stored as they are: what one has without a spread. */
  public Layout plain() {
    Prefix unsalted = key.form() == KeyForm.PHOENIX ? Prefixes.phoenixWithoutSalt() : null;
    return new Layout(new LayoutParser.Line(unsalted, List.of(), key.unreversed()));
  }

  /** Whether rows are stored in the order of their logical keys. */
  public boolean isPlain() {
    return spread.width() == 0 && spread.isPrefixOnly();
  }

  /**
   * A record's values, read from text.
   *
   * @param column the text of a field, or null where there is none
   * @throws ValueException if a text is missing or is no value of its field
   */
  public Values read(Function<String, @Nullable String> column) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Field field : key.fields()) {
      String text = column.apply(field.name());
      if (text == null || text.isEmpty() && key.allowsNull()) {
        if (!key.allowsNull()) {
          throw ValueException.missing(field.name());
        }
        values.put(field.name(), null);
      } else {
        values.put(field.name(), field.parse(text));
      }
    }
    return Values.of(values);
  }

  /**
   * The physical row of a record.
   *
   * @throws ValueException if a value is missing or no key can hold it
   */
  public byte[] encode(Values record) {
    KeyBuffer row = new KeyBuffer(64);
    encode(record, row);
    return row.toArray();
  }

  /** As {@link #encode(Values)}, into a buffer that is emptied first. */
  public void encode(Values record, KeyBuffer row) {
    row.truncate(0).fill(0, spread.width());
    key.write(converted(record), row);
    spread.spreadInPlace(row);
  }

  /**
   * The logical key of a record.
   *
   * @throws ValueException if a value is missing or no key can hold it
   */
  public byte[] logicalKey(Values record) {
    KeyBuffer logical = new KeyBuffer(64);
    key.write(converted(record), logical);
    return logical.toArray();
  }

  /**
   * The record of a physical row.
   *
   * @throws io.evenkey.layout.key.RowException if the row was not written under this layout
   */
  public Values decode(byte[] row) {
    return decodeLogical(spread.logical(row));
  }

  /**
   * The record of a logical key.
   *
   * @throws io.evenkey.layout.key.RowException if it is not a key of this layout
   */
  public Values decodeLogical(byte[] logicalKey) {
    @Nullable Object[] values = key.read(logicalKey);
    Map<String, @Nullable Object> byName = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      byName.put(key.fields().get(i).name(), values[i]);
    }
    return Values.of(byName);
  }

  /** The physical row of a logical key; see {@link Spread#physical}. */
  public byte[] physical(byte[] logicalKey) {
    return spread.physical(logicalKey);
  }

  /** The logical key of a physical row; see {@link Spread#logical}. */
  public byte[] logical(byte[] row) {
    return spread.logical(row);
  }

  /**
   * A readable form of a physical row, or of the beginning of one, such as a region starts with:
   * its bucket, and its fields as far as they can be read. Empty for no bytes; never refused, but
   * of bytes that are of some other layout it says little.
   */
  public String label(byte[] row) {
    return RowLabel.ofRow(this, row);
  }

  /** As {@link #label}, of a logical key or the beginning of one. */
  public String labelLogical(byte[] logicalKey) {
    return RowLabel.ofLogical(key, logicalKey);
  }

  /** A fast encoder of rows, value by value. Not for layouts of Phoenix, which can have nulls. */
  public RowWriter writer() {
    return new RowWriter(this);
  }

  /** A fast decoder of rows, value by value. */
  public RowReader reader() {
    return new RowReader(this);
  }

  /** The physical ranges that hold a logical range. */
  public Scatter scatter(KeyRange logical) {
    return Scatter.of(spread, logical);
  }

  /**
   * The physical ranges that hold the keys that fulfil a condition on the leading fields; see
   * {@link Where#residual} for what is left of it.
   *
   * @throws ValueException if a value of the condition cannot stand in a key
   */
  public Scatter scatter(Where where) {
    return Scatter.of(spread, where);
  }

  /** As {@link #scatter(Where)}, of the keys that are also within a range. */
  public Scatter scatter(Where where, KeyRange within) {
    return Scatter.of(spread, where, within);
  }

  /**
   * The keys of a range that a scan in logical order reads first: those of its first slice, or
   * before its first step. Far fewer ranges hold them than hold the whole range, and can be
   * computed without the others.
   *
   * @param reversed whether the scan begins at the end of the range
   * @return null if the range has no such part, as where the layout {@linkplain #hasParts has
   *     none}, or if it is the whole range
   */
  public @Nullable KeyRange firstPart(KeyRange logical, boolean reversed) {
    return spread.firstPart(logical, reversed);
  }

  /**
   * Reads a condition on the fields.
   *
   * @throws io.evenkey.layout.text.SyntaxException if it is not one
   */
  public Where where(String condition) {
    return Where.parse(key, condition);
  }

  /**
   * Reads a condition that was made in Java.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if a name in it is no field's
   * @throws ValueException if a field cannot hold a value in it
   */
  public Where where(Condition condition) {
    return Where.of(key, condition);
  }

  /**
   * Cuts a table of this layout between its buckets.
   *
   * @throws io.evenkey.layout.split.SplitException if there are fewer buckets than regions
   */
  public SplitPlan splits(int regions) {
    return SplitAlgorithm.byBucket(spread, regions);
  }

  /** The keys at which the number of buckets changes; {@link Steps#NONE} if it never does. */
  public Steps steps() {
    Prefix prefix = spread.prefix();
    return prefix == null ? Steps.NONE : prefix.steps();
  }

  /** The slices by which a field is hashed; {@link Slices#NONE} if whole values are. */
  public Slices slices() {
    Prefix prefix = spread.prefix();
    return prefix == null ? Slices.NONE : prefix.slices();
  }

  /** Whether ranges of keys have a {@link #firstPart}: the salt has slices or steps. */
  public boolean hasParts() {
    return !slices().isNone() || !steps().isNone();
  }

  /** Whether the prefix can have steps. */
  public boolean canHaveSteps() {
    Prefix prefix = spread.prefix();
    return prefix != null && prefix.spelledWithStep("").isPresent();
  }

  /**
   * This layout with one more step; empty if its prefix cannot have steps.
   *
   * @param from the first value of the field, as a line spells it
   * @throws io.evenkey.layout.text.SyntaxException if it cannot have this one
   */
  public Optional<Layout> withStep(int buckets, String field, String from) {
    Prefix prefix = spread.prefix();
    String written = prefix == null ? "" : prefix.toString();
    if (prefix == null || !line.startsWith(written)) {
      return Optional.empty();
    }
    return prefix
        .spelledWithStep(buckets + " from " + Quoted.name(field) + " " + from)
        .map(stepped -> parse(stepped + line.substring(written.length())));
  }

  /**
   * The step that a logical key is of, counted from 0.
   *
   * @throws io.evenkey.layout.key.RowException if it is not a key of this layout
   */
  public int step(byte[] logicalKey) {
    Steps steps = steps();
    return steps.isNone()
        ? 0
        : steps.stepOf(logicalKey, key.locate(logicalKey, 0, logicalKey.length));
  }

  /**
   * The number of buckets, those of all steps together; empty when the spread has none that can be
   * counted.
   */
  public OptionalInt buckets() {
    Prefix prefix = spread.prefix();
    return prefix != null && prefix.count() <= Spread.MAX_FAN_OUT
        ? OptionalInt.of((int) prefix.count())
        : OptionalInt.empty();
  }

  /**
   * Takes the row of a record apart.
   *
   * @throws ValueException if a value is missing or no key can hold it
   */
  public Explanation explain(Values record) {
    return Explanation.of(this, record);
  }

  /** Warnings about this layout; empty if there are none. */
  public List<String> warnings() {
    return Warnings.of(this);
  }

  /** Those of {@link #warnings()} that stay when the spread of the writes has been measured. */
  public List<String> warningsIfMeasured() {
    return Warnings.ifMeasured(this);
  }

  /** Warnings about a row of {@code rowLength} bytes; empty if there are none. */
  public List<String> warnings(int rowLength) {
    return Warnings.of(this, rowLength);
  }

  /**
   * Warnings about this layout for a table of some regions; empty if there are none.
   *
   * @param regions the number of regions, at least 1
   * @param servers the number of region servers, at least 1
   */
  public List<String> warnings(int regions, int servers) {
    return Warnings.of(this, regions, servers);
  }

  /** The cost of a row of {@code rowLength} bytes, and common advice on row lengths. */
  public static List<String> rowLengthNotes(int rowLength) {
    return Warnings.rowLengthNotes(rowLength);
  }

  @Nullable Object[] converted(Values record) {
    List<Field> fields = key.fields();
    @Nullable Object[] values = new Object[fields.size()];
    for (int i = 0; i < values.length; i++) {
      Field field = fields.get(i);
      Object value = record.get(field.name());
      if (value == null && !key.allowsNull()) {
        throw ValueException.missing(field.name());
      }
      values[i] = value == null ? null : field.convert(value);
    }
    return values;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Layout that && line.equals(that.line);
  }

  @Override
  public int hashCode() {
    return line.hashCode();
  }

  /** The line in its canonical spelling. */
  @Override
  public String toString() {
    return line;
  }
}
