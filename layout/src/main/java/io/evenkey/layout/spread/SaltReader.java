/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.text.Span;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a {@link Salt}, from the opening parenthesis on. Not thread-safe. */
final class SaltReader {
  private final Cursor cursor;
  private final int buckets;
  private final List<String> seen = new ArrayList<>();
  private final List<StepPlace> steps = new ArrayList<>();
  private List<String> fields = List.of();
  private @Nullable SliceWidth slices;
  private boolean random;
  private int over = 1;
  private BucketForm form;

  private SaltReader(Cursor cursor) {
    this.cursor = cursor;
    cursor.expect("(");
    this.buckets = cursor.expectNumber("number of buckets", 1, Salt.MAX_BUCKETS);
    this.form = BucketForm.bytes(buckets);
  }

  static ParsedPrefix read(Cursor cursor) {
    return new SaltReader(cursor).salt();
  }

  private ParsedPrefix salt() {
    if (cursor.skip(",")) {
      // Between backquotes, it is a field of that name.
      random =
          cursor.peek().isWord(SaltLine.RANDOM)
              && cursor.peek().span().length() == SaltLine.RANDOM.length();
      if (random) {
        cursor.next();
      } else {
        fields = Prefixes.fieldNames(cursor, this::readSlices);
      }
    }
    if (cursor.skip(";")) {
      do {
        readOption();
      } while (cursor.skip(","));
    }
    if (!cursor.skip(")")) {
      throw cursor.unexpected(
          !seen.isEmpty() || !steps.isEmpty()
              ? "',' or ')'"
              : random
                  ? "';' or ')'"
                  : fields.isEmpty() ? "',' and a field, ';' or ')'" : "',', ';' or ')'");
    }
    checkSteps();
    List<Steps.Written> written = steps.stream().map(StepPlace::step).toList();
    return new SaltLine(buckets, fields, random, over, form, written, slices);
  }

  private void readSlices(Token field) {
    SliceWidth width = SliceWidth.read(cursor, field);
    if (width != null && slices != null) {
      throw cursor.error(
          width.place(),
          "slices of two fields",
          "expected slices of " + slices.field().text() + " only");
    }
    slices = width == null ? slices : width;
  }

  private void readOption() {
    if (cursor.peek().kind() == Token.Kind.NUMBER) {
      steps.add(StepPlace.read(cursor));
      return;
    }
    Token option = cursor.expectName("an option: as, sep or over; or a step: M from field value");
    if (seen.contains(option.text())) {
      throw cursor.error(option.span(), "option '" + option.text() + "' stands twice", null);
    }
    seen.add(option.text());
    if (!List.of("as", "sep", "over").contains(option.text())) {
      throw cursor.unknown("option of a salt", option, List.of("as", "over", "sep"));
    }
    cursor.expect("=");
    switch (option.text()) {
      case "as" -> form = form.readStyle(cursor, buckets);
      case "sep" -> form = form.readSeparator(cursor);
      default -> {
        if (fields.isEmpty()) {
          throw cursor.error(
              option.span(),
              "over without fields",
              "expected the fields whose rows are to share that many buckets: salt("
                  + buckets
                  + ", field; over=m)");
        }
        over = cursor.expectNumber("buckets that rows of one value share", 1, buckets);
      }
    }
  }

  /** A step, and where its number stands. */
  private record StepPlace(Span number, Steps.Written step) {
    static StepPlace read(Cursor cursor) {
      Span number = cursor.peek().span();
      int buckets = cursor.expectNumber("number of buckets", 1, Salt.MAX_BUCKETS);
      if (!cursor.skipWord("from")) {
        throw cursor.unexpected(
            "'from', a field and the first value: " + buckets + " from ts 2027-01-01");
      }
      Token field = cursor.expectReference("the field with the step");
      String meaning = "the value of " + field.text() + " that the step begins with";
      Token value = cursor.bareValue(meaning);
      if (value.kind() != Token.Kind.STRING) {
        throw cursor.error(value.span(), "unexpected " + value.shown(), "expected " + meaning);
      }
      return new StepPlace(number, new Steps.Written(buckets, field, value));
    }
  }

  private void checkSteps() {
    int before = buckets;
    for (StepPlace place : steps) {
      int count = place.step.buckets();
      Token first = steps.get(0).step.field();
      if (random) {
        throw cursor.error(
            place.number,
            "a step in a random salt",
            "a random bucket does not depend on the key, so no value of the key can change how many"
                + " there are");
      } else if (!place.step.field().text().equals(first.text())) {
        throw cursor.error(
            place.step.field().span(),
            "steps of two fields",
            "expected all steps to be values of " + first.text());
      } else if (count == before) {
        throw cursor.error(
            place.number, "step from " + count + " buckets to as many", "leave it out");
      } else if (count < over) {
        throw cursor.error(
            place.number,
            "step to fewer buckets than rows of one value share: " + count,
            "expected at least over=" + over);
      } else if (!form.holds(count)) {
        throw cursor.error(
            place.number,
            "step to " + count + " buckets, whose numbers are wider than those of " + buckets,
            "all rows have numbers of one width, and a step does not rewrite earlier rows: for a"
                + " new table, write "
                + form.widened(count)
                + "; migrate an existing table to another salt");
      }
      before = count;
    }
  }
}
