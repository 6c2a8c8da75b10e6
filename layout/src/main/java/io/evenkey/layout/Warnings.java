package io.evenkey.layout;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.List;

/** What can be said against a layout, or a key of it, before any data is seen. Stateless. */
final class Warnings {
  /** {@code HConstants.MAX_ROW_LENGTH}; the 64 KB that is often quoted is wrong. */
  static final int MAX_ROW_LENGTH = Short.MAX_VALUE;

  /** Every cell repeats its row, so a long key is paid for in each. */
  private static final int LONG_ROW = 100;

  private Warnings() {}

  static List<String> of(Layout layout) {
    List<String> warnings = new ArrayList<>();
    Prefix prefix = layout.spread().prefix();
    if (prefix == null && layout.key().parts().get(0) instanceof Part.Value first) {
      Field field = first.field();
      if (field.type().growsWithArrival()) {
        warnings.add(
            "keys begin with "
                + field
                + ": if it grows as records arrive, all writes go to one region at a time; put"
                + " salt(N) in front");
      }
    }
    if (prefix != null && prefix.count() > Spread.MAX_FAN_OUT) {
      warnings.add(
          prefix
              + " has more than "
              + Spread.MAX_FAN_OUT
              + " values: rows can be read one by one or all together, but not as a range in order");
    }
    if (prefix != null && prefix.count() == 1) {
      warnings.add(prefix + " has one bucket: it spreads nothing");
    }
    if (layout.key().isReversed()) {
      warnings.add(
          "a reversed part has no order: ranges over its fields cannot be read in order unless each"
              + " is fixed to one value");
    }
    return warnings;
  }

  static List<String> of(Layout layout, int rowLength) {
    List<String> warnings = new ArrayList<>(of(layout));
    if (rowLength > MAX_ROW_LENGTH) {
      warnings.add("row of " + rowLength + " bytes: HBase refuses more than " + MAX_ROW_LENGTH);
    } else if (rowLength > LONG_ROW) {
      warnings.add(
          "row of "
              + rowLength
              + " bytes: HBase repeats it in every cell; aim for at most "
              + LONG_ROW);
    }
    return warnings;
  }
}
