package io.evenkey.layout.key;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.IllegalValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The form of a layout's logical keys. Immutable and thread-safe.
 *
 * <p>Inside, the parts are flattened into <em>steps</em>, a field or a literal each, in logical
 * order; a reversed part is a run of steps. Every step but an ascending variable-width field in
 * last position finds its own end, so a prefix of a key can be read as far as it goes.
 */
public final class Key {
  private final List<Part> parts;
  private final List<Step> steps;
  private final List<Run> reversed;
  private final List<Field> fields;
  private final Map<String, Integer> positions;

  /** Steps {@code first} to before {@code end} are stored reversed. */
  record Run(int first, int end) {}

  Key(
      List<Part> parts,
      List<Step> steps,
      List<Run> reversed,
      List<Field> fields,
      Map<String, Integer> positions) {
    this.parts = List.copyOf(parts);
    this.steps = List.copyOf(steps);
    this.reversed = List.copyOf(reversed);
    this.fields = List.copyOf(fields);
    this.positions = Map.copyOf(positions);
  }

  /**
   * The key that is these parts, one after the other.
   *
   * @throws PartProblem if they cannot stand together
   */
  public static Key of(List<Part> parts) {
    return Assembly.of(parts);
  }

  /** The parts as they were given. */
  public List<Part> parts() {
    return parts;
  }

  /** The fields in logical order. */
  public List<Field> fields() {
    return fields;
  }

  /** The position of a field in {@link #fields}, or -1. */
  public int indexOf(String field) {
    return positions.getOrDefault(field, -1);
  }

  /** Whether some part is stored reversed. */
  public boolean isReversed() {
    return !reversed.isEmpty();
  }

  /** The same fields and literals in the same order, nothing reversed. */
  public Key unreversed() {
    List<Part> flat = new ArrayList<>();
    parts.forEach(part -> Assembly.flatten(part, flat));
    return of(flat);
  }

  /** How many of the key's fields and literals there are. */
  public int stepCount() {
    return steps.size();
  }

  /** The field or literal at a place, counted from 0. */
  public Part stepAt(int step) {
    return steps.get(step).part();
  }

  /**
   * The first step of the first reversed part that does not end within the first {@code wholeSteps}
   * steps, or -1 if all reversed parts do.
   */
  public int firstReversedBeyond(int wholeSteps) {
    return reversed.stream()
        .filter(run -> run.end() > wholeSteps)
        .mapToInt(Run::first)
        .findFirst()
        .orElse(-1);
  }

  /**
   * Appends the logical key of these values, in the order of {@link #fields}.
   *
   * @throws io.evenkey.layout.field.ValueException if no key can hold one of them
   */
  public void write(Object[] values, KeyBuffer out) {
    for (Step step : steps) {
      writeStep(step, values, out);
    }
  }

  /**
   * Appends one field or literal with the mark of its end.
   *
   * @param values in the order of {@link #fields}; only the step's own is looked at
   */
  public void writeStep(int step, Object[] values, KeyBuffer out) {
    writeStep(steps.get(step), values, out);
  }

  private static void writeStep(Step step, Object[] values, KeyBuffer out) {
    if (step.codec() != null) {
      step.codec().write(values[step.field()], out);
    } else if (step.literal() != null) {
      out.put(step.literal());
    }
  }

  /** Whether the step is a field that only the end of the key ends. */
  public boolean endsWithKey(int step) {
    FieldCodec codec = steps.get(step).codec();
    return codec != null && codec.endsWithKey();
  }

  /**
   * Where the fields of a whole logical key are.
   *
   * @return start and end of each field's value, in the order of {@link #fields}; a mark of the end
   *     is outside
   * @throws RowException if the bytes are not a key of this form
   */
  public int[] locate(byte[] key, int offset, int length) {
    int[] spans = new int[2 * fields.size()];
    Walk walk = new Walk(key, offset, offset + length, spans, true);
    walk.to(steps.size());
    if (walk.step < steps.size()) {
      Part missing = steps.get(walk.step).part();
      throw new RowException(
          missing instanceof Part.Literal ? "expected " + missing : "no end of " + missing,
          key,
          walk.at);
    }
    if (walk.at < offset + length) {
      throw new RowException("bytes after the last field", key, walk.at);
    }
    return spans;
  }

  /** Whether these bytes have the form of a whole logical key. */
  public boolean isWhole(byte[] key) {
    Walk walk = new Walk(key, 0, key.length, new int[2 * fields.size()], true);
    walk.to(steps.size());
    return walk.step == steps.size() && walk.at == key.length;
  }

  /**
   * How far the beginning of a logical key can be read.
   *
   * @param steps how many fields and literals, from the first on, are whole: every key that begins
   *     with these bytes has the same ones there
   * @param bytes how many bytes those take
   * @param spans start and end of the value of each whole field, in the order of {@link #fields}
   */
  @SuppressWarnings("ArrayRecordComponent") // an answer on its way to one caller, never compared
  public record Beginning(int steps, int bytes, int[] spans) {}

  /**
   * Reads the beginning of a logical key as far as it is whole, at most {@code stepLimit} steps.
   */
  public Beginning beginning(byte[] bytes, int stepLimit) {
    int[] spans = new int[2 * fields.size()];
    Walk walk = new Walk(bytes, 0, bytes.length, spans, false);
    walk.to(stepLimit);
    return new Beginning(walk.step, walk.at, spans);
  }

  /** The step at which the field at this position of {@link #fields} stands. */
  public int stepOf(int field) {
    int step = 0;
    while (steps.get(step).field() != field) {
      step++;
    }
    return step;
  }

  /**
   * The values of a whole logical key, in the order of {@link #fields}.
   *
   * @throws RowException if the bytes are not a key of this form
   */
  public Object[] read(byte[] key) {
    int[] spans = locate(key, 0, key.length);
    Object[] values = new Object[fields.size()];
    for (Step step : steps) {
      if (step.codec() == null) {
        continue;
      }
      int from = spans[2 * step.field()];
      try {
        values[step.field()] = step.codec().read(key, from, spans[2 * step.field() + 1]);
      } catch (IllegalValue e) {
        throw new RowException(e.rule() + " in " + step.part(), key, from);
      }
    }
    return values;
  }

  /**
   * Turns the reversed parts round, in place: a logical key into the stored one, and a stored one
   * into the logical key. Does nothing to a key without reversed parts.
   *
   * @throws RowException if the bytes are not a key of this form
   */
  public void reverse(byte[] key, int offset, int length) {
    if (!reversed.isEmpty() && !reverseBeginning(key, offset, length, steps.size())) {
      throw new RowException("too short", key, offset + length);
    }
  }

  /**
   * Turns the reversed parts among the first {@code stepLimit} steps round, in place.
   *
   * @return whether every one of them was whole
   */
  public boolean reverseBeginning(byte[] key, int offset, int length, int stepLimit) {
    Walk walk =
        new Walk(
            key, offset, offset + length, new int[2 * fields.size()], stepLimit == steps.size());
    for (Run run : reversed) {
      if (run.end() > stepLimit) {
        break;
      }
      walk.to(run.first());
      if (walk.step < run.first()) {
        return false;
      }
      int end = run.end() == steps.size() ? offset + length : walk.at + widthOf(run);
      if (end > offset + length) {
        return false;
      }
      reverseBytes(key, walk.at, end);
      walk.skipTo(run.end(), end);
    }
    return true;
  }

  private int widthOf(Run run) {
    return steps.subList(run.first(), run.end()).stream().mapToInt(Step::width).sum();
  }

  private static void reverseBytes(byte[] bytes, int from, int to) {
    for (int low = from, high = to - 1; low < high; low++, high--) {
      byte b = bytes[low];
      bytes[low] = bytes[high];
      bytes[high] = b;
    }
  }

  /** Goes through a key step by step, as far as each step's end can be found. */
  private final class Walk {
    private final byte[] key;
    private final int limit;
    private final int[] spans;
    private final boolean wholeKey;
    private int at;
    private int step;

    Walk(byte[] key, int offset, int limit, int[] spans, boolean wholeKey) {
      this.key = key;
      this.at = offset;
      this.limit = limit;
      this.spans = spans;
      this.wholeKey = wholeKey;
    }

    void to(int end) {
      while (step < end && take(steps.get(step))) {
        step++;
      }
    }

    void skipTo(int nextStep, int nextAt) {
      step = nextStep;
      at = nextAt;
    }

    private boolean take(Step current) {
      FieldCodec codec = current.codec();
      if (codec == null) {
        return takeLiteral(current);
      }
      if (codec.endsWithKey() && !wholeKey) {
        return false;
      }
      int end = codec.end(key, at, limit);
      if (end < 0) {
        return false;
      }
      spans[2 * current.field()] = at;
      spans[2 * current.field() + 1] = end;
      at = end + codec.markWidth();
      return true;
    }

    private boolean takeLiteral(Step current) {
      byte[] literal = current.literal();
      if (literal == null
          || limit - at < literal.length
          || !Arrays.equals(key, at, at + literal.length, literal, 0, literal.length)) {
        return false;
      }
      at += literal.length;
      return true;
    }
  }

  /** The parts as a layout line spells them. */
  @Override
  public String toString() {
    return String.join(" + ", parts.stream().map(Part::toString).toList());
  }
}
