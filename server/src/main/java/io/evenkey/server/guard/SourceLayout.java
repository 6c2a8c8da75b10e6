/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.step.AppendedSteps;
import io.evenkey.protocol.guard.GuardAttributes;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The layout of the table from which HBase's replication brings a mutation, or files: {@link
 * SinkObserver} puts it there. Immutable.
 *
 * @param line its line; null if the source does not tell it, since it has no layout or no guard
 */
record SourceLayout(@Nullable String line) {
  static final SourceLayout UNKNOWN = new SourceLayout(null);

  /** The source's layout of a mutation. */
  static SourceLayout of(OperationWithAttributes mutation) {
    return of(mutation, GuardAttributes.SOURCE_LAYOUT);
  }

  /** The source's layout of a question about files. */
  static SourceLayout ofFiles(OperationWithAttributes question) {
    return of(question, GuardAttributes.SOURCE_FILES);
  }

  private static SourceLayout of(OperationWithAttributes request, String attribute) {
    byte[] line = request.getAttribute(attribute);
    return new SourceLayout(line == null ? null : new String(line, StandardCharsets.UTF_8));
  }

  /**
   * Whether rows of it are stored in another way than by a layout. The names of fields do not
   * matter. One that is not known, or not understood, may be the other one.
   */
  boolean differsFrom(@Nullable String own) {
    if (line == null || own == null || line.equals(own)) {
      return false;
    }
    try {
      return !withoutNames(line).equals(withoutNames(own));
    } catch (RuntimeException e) {
      // Written by a later version.
      return false;
    }
  }

  /**
   * The steps that one of this layout and a table's own appends to the other; null if they do not
   * differ, differ otherwise, or one is not known or not understood.
   */
  @Nullable AppendedSteps steps(@Nullable String own) {
    if (line == null || own == null || line.equals(own)) {
      return null;
    }
    try {
      return AppendedSteps.between(Layout.parse(line), Layout.parse(own)).orElse(null);
    } catch (RuntimeException e) {
      // Written by a later version.
      return null;
    }
  }

  /** Whether this layout is the one of two that has {@linkplain #steps the steps}. */
  boolean hasSteps(AppendedSteps steps) {
    return line != null && steps.after().equals(Layout.parse(line));
  }

  private static String withoutNames(String line) {
    Layout layout = Layout.parse(line);
    String text = layout.toString();
    int number = 0;
    for (Field field : layout.fields()) {
      Pattern name = Pattern.compile("\\b" + Pattern.quote(field.name()) + "\\b");
      text = name.matcher(text).replaceAll(Matcher.quoteReplacement("#" + number));
      number++;
    }
    return text;
  }

  @Override
  public String toString() {
    return line == null ? "unknown" : line;
  }
}
