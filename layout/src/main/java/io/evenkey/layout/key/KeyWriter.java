package io.evenkey.layout.key;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.ValueException;
import java.util.Objects;

/**
 * Writes keys value by value, in the order of {@link Key#fields}; literals go in by themselves.
 * Writes one key after the other without allocating. Not thread-safe.
 */
public final class KeyWriter {
  private final Key key;
  private final int[] starts;
  private final int[] spans;
  private KeyBuffer out = new KeyBuffer(0);
  private int step;

  KeyWriter(Key key) {
    this.key = key;
    this.starts = new int[key.stepCount() + 1];
    this.spans = new int[2 * key.fields().size()];
  }

  /** Starts a key at the end of {@code buffer}. */
  public void start(KeyBuffer buffer) {
    out = buffer;
    step = 0;
    putLiterals();
  }

  /**
   * Appends the next field.
   *
   * @throws ValueException if no key can hold the value
   */
  public void put(Object value) {
    FieldCodec codec = next();
    codec.write(codec.field().convert(value), out);
    done(codec);
  }

  /** As {@link #put(Object)}, without boxing. */
  public void put(long value) {
    FieldCodec codec = next();
    codec.writeLong(value, out);
    done(codec);
  }

  /** As {@link #put(Object)}, without copying where the field holds text. */
  public void put(CharSequence value) {
    FieldCodec codec = next();
    codec.writeText(value, out);
    done(codec);
  }

  private FieldCodec next() {
    if (step == key.stepCount()) {
      throw new IllegalStateException(
          "more values than fields: the key has " + key.fields().size());
    }
    starts[step] = out.size();
    return Objects.requireNonNull(key.steps().get(step).codec());
  }

  private void done(FieldCodec codec) {
    int field = key.steps().get(step).field();
    spans[2 * field] = starts[step];
    spans[2 * field + 1] = out.size() - codec.markWidth();
    step++;
    putLiterals();
  }

  private void putLiterals() {
    while (step < key.stepCount()) {
      byte[] literal = key.steps().get(step).literal();
      if (literal == null) {
        return;
      }
      starts[step++] = out.size();
      out.put(literal);
    }
  }

  /**
   * Ends the key.
   *
   * @return start and end of each field's value in the buffer, in the order of {@link Key#fields};
   *     valid until the next key
   * @throws ValueException if a field was given no value
   */
  public int[] finish() {
    if (step < key.stepCount()) {
      Field missing = Objects.requireNonNull(key.steps().get(step).codec()).field();
      throw ValueException.missing(missing.name());
    }
    starts[step] = out.size();
    return spans;
  }

  /** Turns the reversed parts of the finished key round. */
  public void reverse() {
    for (Key.Run run : key.reversedRuns()) {
      Key.reverseBytes(out.array(), starts[run.first()], starts[run.end()]);
    }
  }
}
