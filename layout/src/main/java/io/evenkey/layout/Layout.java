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
import io.evenkey.layout.message.Quoted;
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
 * The layout of a table's row keys, parsed from one line: how a record's fields make the logical
 * key, and how that key is spread over buckets to make the physical row that HBase stores.
 *
 * <pre>{@code
 * Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
 * byte[] row = layout.encode(Values.of("device", "d1").and("ts", 1_700_000_000_000L));
 * Values fields = layout.decode(row);
 * Scatter one = layout.scatter(layout.where("device = 'd1'")); // one range: the salt hashes device
 * SplitPlan splits = layout.splits(16);
 * }</pre>
 *
 * <p>Four verbs: {@link #encode} a record into a row, {@link #decode} a row, {@link #scatter} a
 * logical range over the physical ranges that hold it, and {@link #splits} a table into regions.
 * Code that has logical keys instead of records uses {@link #physical} and {@link #logical}. No
 * method sends a request.
 *
 * <p>Parse a line once and keep the layout. To encode or decode many rows without allocation, use a
 * {@link #writer} or {@link #reader} per thread.
 *
 * <p>Immutable and thread-safe. Two layouts are equal if their lines mean the same. {@link
 * #toString} is the line in canonical spelling, and {@code parse(toString())} equals the layout.
 * The bytes that a line produces never change in later versions.
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
   * Parses a layout line; {@code docs/layout-language.md} describes the language.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the line is not a layout; the message shows
   *     the place and suggests a correction
   */
  public static Layout parse(String line) {
    return new Layout(LayoutParser.parse(line));
  }

  /** The fields in logical order. */
  public List<Field> fields() {
    return key.fields();
  }

  /** The form of the logical keys: fields, literals and reversed parts. */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public Key key() {
    return key;
  }

  /** The map from logical keys to physical rows. */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public Spread spread() {
    return spread;
  }

  /** Returns the layout that stores the logical keys of this one as they are, without a prefix. */
  public Layout plain() {
    Prefix unsalted = key.form() == KeyForm.PHOENIX ? Prefixes.phoenixWithoutSalt() : null;
    return new Layout(new LayoutParser.Line(unsalted, List.of(), key.unreversed()));
  }

  /** Whether rows are stored in the order of their logical keys, so that a scan reads one range. */
  public boolean isPlain() {
    return spread.width() == 0 && spread.isPrefixOnly();
  }

  /**
   * Reads a record's values from text, such as the columns of a CSV file.
   *
   * @param column returns the text of a field by its name; null if there is none
   * @throws ValueException if a text is missing, or is not a value of its field
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
   * Returns the physical row of a record.
   *
   * @param record a value for each field; names without a field are ignored
   * @throws ValueException if a value is missing, or if the key cannot hold it in order; names
   *     field, value and remedy
   */
  public byte[] encode(Values record) {
    KeyBuffer row = new KeyBuffer(64);
    encode(record, row);
    return row.toArray();
  }

  /**
   * Writes the physical row of a record into a buffer, which it empties first. Saves the allocation
   * of {@link #encode(Values)}.
   *
   * @throws ValueException if a value is missing, or if the key cannot hold it in order
   */
  public void encode(Values record, KeyBuffer row) {
    row.truncate(0).fill(0, spread.width());
    key.write(converted(record), row);
    spread.spreadInPlace(row);
  }

  /**
   * Returns the logical key of a record, which is the row that applications give to Evenkey's
   * clients.
   *
   * @throws ValueException if a value is missing, or if the key cannot hold it in order
   */
  public byte[] logicalKey(Values record) {
    KeyBuffer logical = new KeyBuffer(64);
    key.write(converted(record), logical);
    return logical.toArray();
  }

  /**
   * Returns the record of a physical row. Also checks that the row begins with the prefix that this
   * layout gives its key.
   *
   * @throws io.evenkey.layout.text.RowException if the row was not written under this layout
   */
  public Values decode(byte[] row) {
    return decodeLogical(spread.logical(row));
  }

  /**
   * Returns the record of a logical key.
   *
   * @throws io.evenkey.layout.text.RowException if the bytes are not a key of this layout
   */
  public Values decodeLogical(byte[] logicalKey) {
    @Nullable Object[] values = key.read(logicalKey);
    Map<String, @Nullable Object> byName = new LinkedHashMap<>();
    for (int i = 0; i < values.length; i++) {
      byName.put(key.fields().get(i).name(), values[i]);
    }
    return Values.of(byName);
  }

  /**
   * Returns the physical row of a logical key. With a random salt, each call may return another
   * row.
   *
   * @throws io.evenkey.layout.text.RowException if the bytes do not have the form that the spread
   *     depends on
   */
  public byte[] physical(byte[] logicalKey) {
    return spread.physical(logicalKey);
  }

  /**
   * Returns the logical key of a physical row, and checks the row's prefix.
   *
   * @throws io.evenkey.layout.text.RowException if the row was not written under this layout
   */
  public byte[] logical(byte[] row) {
    return spread.logical(row);
  }

  /**
   * Returns a physical row, or the start key of a region, in a form for people: its bucket, and its
   * fields as far as they can be read. Returns an empty text for no bytes. Never throws; for bytes
   * of another layout, the label says little.
   */
  public String label(byte[] row) {
    return RowLabel.ofRow(this, row);
  }

  /** Returns a logical key, or the beginning of one, in a form for people; see {@link #label}. */
  public String labelLogical(byte[] logicalKey) {
    return RowLabel.ofLogical(key, logicalKey);
  }

  /**
   * Returns an encoder that makes one row after the other without allocating anything else. It is
   * not thread-safe. Keys of Phoenix, which can have nulls, need {@link #encode}.
   */
  public RowWriter writer() {
    return new RowWriter(this);
  }

  /**
   * Returns a decoder that reads one row after the other without allocating anything but values. It
   * is not thread-safe.
   */
  public RowReader reader() {
    return new RowReader(this);
  }

  /** Returns the physical ranges that together hold a logical range. */
  public Scatter scatter(KeyRange logical) {
    return Scatter.of(spread, logical);
  }

  /**
   * Returns the physical ranges that hold the keys which meet a condition. Conditions on fields
   * behind the leading ones do not narrow the ranges; {@link Where#residual} lists them.
   *
   * @throws ValueException if a key cannot hold a value of the condition
   */
  public Scatter scatter(Where where) {
    return Scatter.of(spread, where);
  }

  /**
   * Returns the physical ranges that hold the keys which meet a condition and lie in a logical
   * range; see {@link #scatter(Where)}.
   *
   * @throws ValueException if a key cannot hold a value of the condition
   */
  public Scatter scatter(Where where, KeyRange within) {
    return Scatter.of(spread, where, within);
  }

  /**
   * Returns the keys of a range that an ordered scan reads first: those in its first slice, or
   * before its first step. Far fewer physical ranges hold them than the whole range, so a scan with
   * a small limit can begin there.
   *
   * @param reversed whether the scan begins at the end of the range
   * @return null if the range cannot be divided, as when the layout {@linkplain #hasParts has
   *     neither slices nor steps}, or if the first part is the whole range
   */
  public @Nullable KeyRange firstPart(KeyRange logical, boolean reversed) {
    return spread.firstPart(logical, reversed);
  }

  /**
   * Parses a condition on the fields; {@link Where#parse} has the grammar.
   *
   * @throws io.evenkey.layout.text.SyntaxException if the text is not a condition; shows the place
   */
  public Where where(String condition) {
    return Where.parse(key, condition);
  }

  /**
   * Binds a condition that was built in Java to the fields of this layout.
   *
   * @throws io.evenkey.layout.field.UnknownFieldException if no field has a name in it
   * @throws ValueException if a field cannot hold a value in it
   */
  public Where where(Condition condition) {
    return Where.of(key, condition);
  }

  /**
   * Splits a table of this layout between its buckets, evenly.
   *
   * @param regions the number of regions, at most the number of buckets
   * @throws io.evenkey.layout.split.SplitException if the layout has fewer buckets than {@code
   *     regions}, or none
   */
  public SplitPlan splits(int regions) {
    return SplitAlgorithm.byBucket(spread, regions);
  }

  /**
   * The keys at which the salt changes its number of buckets; {@link Steps#NONE} if it never does.
   */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public Steps steps() {
    Prefix prefix = spread.prefix();
    return prefix == null ? Steps.NONE : prefix.steps();
  }

  /** The slices by which the salt hashes a field; {@link Slices#NONE} if it hashes whole values. */
  @SuppressWarnings("exports") // for the other modules of Evenkey
  public Slices slices() {
    Prefix prefix = spread.prefix();
    return prefix == null ? Slices.NONE : prefix.slices();
  }

  /** Whether the salt has slices or steps, so that {@link #firstPart} can divide ranges. */
  public boolean hasParts() {
    return !slices().isNone() || !steps().isNone();
  }

  /** Whether the number of buckets can change by a step, without rewriting rows. */
  public boolean canHaveSteps() {
    Prefix prefix = spread.prefix();
    return prefix != null && prefix.spelledWithStep("").isPresent();
  }

  /**
   * Returns this layout with one more step; empty if its prefix cannot have steps.
   *
   * @param buckets the number of buckets from the step on
   * @param field the field whose values decide, a number or a time of fixed width
   * @param from the first value of the step, as a layout line spells it
   * @throws io.evenkey.layout.text.SyntaxException if the salt cannot have this step; says why
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
   * Returns the step that a logical key belongs to, counted from 0.
   *
   * @throws io.evenkey.layout.text.RowException if the bytes are not a key of this layout
   */
  public int step(byte[] logicalKey) {
    Steps steps = steps();
    return steps.isNone()
        ? 0
        : steps.stepOf(logicalKey, key.locate(logicalKey, 0, logicalKey.length));
  }

  /**
   * The number of buckets, counting each prefix once; empty if the layout has no prefix, or one
   * with more than 65,536 values.
   */
  public OptionalInt buckets() {
    Prefix prefix = spread.prefix();
    return prefix != null && prefix.count() <= Spread.MAX_FAN_OUT
        ? OptionalInt.of((int) prefix.count())
        : OptionalInt.empty();
  }

  /**
   * Shows which part of the line makes which bytes of a record's row.
   *
   * @throws ValueException if a value is missing, or if the key cannot hold it in order
   */
  public Explanation explain(Values record) {
    return Explanation.of(this, record);
  }

  /**
   * Returns warnings about the layout alone, such as a key that grows with time and is not spread;
   * empty if there are none.
   */
  public List<String> warnings() {
    return Warnings.of(this);
  }

  /**
   * Returns those of {@link #warnings()} that still apply when the spread of the writes has been
   * measured.
   */
  public List<String> warningsIfMeasured() {
    return Warnings.ifMeasured(this);
  }

  /**
   * Returns warnings about rows of a length; empty if there are none.
   *
   * @param rowLength bytes of a physical row
   */
  public List<String> warnings(int rowLength) {
    return Warnings.of(this, rowLength);
  }

  /**
   * Returns warnings about a table of this layout with a number of regions; empty if there are
   * none.
   *
   * @param regions the number of regions, at least 1
   * @param servers the number of region servers, at least 1
   */
  public List<String> warnings(int regions, int servers) {
    return Warnings.of(this, regions, servers);
  }

  /**
   * Returns what rows of a length cost in storage, and common advice on row lengths.
   *
   * @param rowLength bytes of a physical row
   */
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
