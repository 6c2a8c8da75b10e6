/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.key.Key;
import io.evenkey.layout.message.Quoted;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Salt} as a layout line spells it. What its steps and slices mean depends on the types of
 * their fields.
 *
 * @param buckets N, from 1 to 65,536
 * @param fields the hashed fields in the order of hashing, or none for the whole logical key
 * @param random whether the bucket is drawn, and not hashed
 * @param over m, from 1 to N
 * @param form the form of the number in the row
 * @param steps the steps
 * @param slices the width of the slices of one of the fields, or null
 */
record SaltLine(
    int buckets,
    List<String> fields,
    boolean random,
    int over,
    BucketForm form,
    List<Steps.Written> steps,
    @Nullable SliceWidth slices)
    implements ParsedPrefix {
  static final String RANDOM = "random";

  SaltLine {
    fields = List.copyOf(fields);
    steps = List.copyOf(steps);
  }

  @Override
  public Prefix before(Key key) {
    int most = steps.stream().mapToInt(Steps.Written::buckets).reduce(buckets, Math::max);
    return new Salt(this, most, Steps.of(buckets, steps, key), Slices.of(slices, key));
  }

  @Override
  public String toString() {
    return spelled(steps.stream().map(step -> ", " + step).collect(Collectors.joining()));
  }

  /**
   * The salt in its canonical spelling.
   *
   * @param stepOptions its steps, each after a comma
   */
  String spelled(String stepOptions) {
    StringBuilder line = new StringBuilder("salt(").append(buckets);
    if (random) {
      line.append(", ").append(RANDOM);
    }
    for (int i = 0; i < fields.size(); i++) {
      boolean reserved = i == 0 && fields.get(i).equalsIgnoreCase(RANDOM);
      line.append(", ").append(reserved ? "`" + fields.get(i) + "`" : Quoted.name(fields.get(i)));
      if (slices != null && slices.field().text().equals(fields.get(i))) {
        line.append(slices);
      }
    }
    String options = (over == 1 ? "" : ", over=" + over) + form + stepOptions;
    if (!options.isEmpty()) {
      line.append(";").append(options.substring(1));
    }
    return line.append(")").toString();
  }
}
