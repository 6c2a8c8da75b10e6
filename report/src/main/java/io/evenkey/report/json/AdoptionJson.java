/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.adopt.FieldGuess;
import io.evenkey.client.internal.adopt.Proposal;
import io.evenkey.client.internal.adopt.Recognition;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The layouts that the rows of a table may have, as JSON. Immutable.
 *
 * @param rows the number of rows that were read
 * @param recorded whether the first layout is the table's from now on
 * @param proposals the best first
 * @param doubts what makes the first one implausible
 * @param examples rows as the first one reads them
 */
public record AdoptionJson(
    String table,
    int rows,
    boolean recorded,
    List<ProposedLayout> proposals,
    List<String> doubts,
    List<ReadRow> examples) {
  private static final int EXAMPLES = 5;

  /** Copies the lists. */
  public AdoptionJson {
    proposals = List.copyOf(proposals);
    doubts = List.copyOf(doubts);
    examples = List.copyOf(examples);
  }

  /**
   * One layout.
   *
   * @param system the program that writes such rows, in words
   * @param note what the rows do not show; empty if there is nothing
   * @param fitting the number of rows that it fits
   */
  public record ProposedLayout(String layout, String system, String note, int fitting) {}

  /** One row: its bytes as HBase's shell prints them, and its fields. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record ReadRow(String row, String readAs) {}

  /**
   * The layouts that the rows of a table may have, the best first.
   *
   * @param key the fields of the key behind a salt, or {@link TableCheck#UNKNOWN_KEY}
   */
  public static List<Proposal> proposals(TableCheck check, String key) {
    List<byte[]> rows = check.rows().rows();
    List<Proposal> found = Recognition.of(check.descriptor(), rows, key).proposals();
    return key.equals(TableCheck.UNKNOWN_KEY)
        ? FieldGuess.refined(found, check.rows(), key)
        : found;
  }

  /**
   * Proposals for a table.
   *
   * @param proposals at least one, and the table has rows
   */
  public static AdoptionJson of(TableCheck check, List<Proposal> proposals, boolean recorded) {
    List<byte[]> rows = check.rows().rows();
    Layout first = proposals.get(0).fit().layout();
    int shown = Math.min(EXAMPLES, rows.size());
    return new AdoptionJson(
        check.name().getNameAsString(),
        rows.size(),
        recorded,
        proposals.stream()
            .map(
                one ->
                    new ProposedLayout(
                        one.fit().layout().toString(),
                        one.system(),
                        one.caution(),
                        one.fit().fitting()))
            .toList(),
        Plausibility.doubts(first, rows),
        IntStream.range(0, shown)
            .mapToObj(i -> rows.get((int) ((long) i * (rows.size() - 1) / Math.max(1, shown - 1))))
            .map(row -> new ReadRow(ByteText.printable(row), first.label(row)))
            .toList());
  }
}
