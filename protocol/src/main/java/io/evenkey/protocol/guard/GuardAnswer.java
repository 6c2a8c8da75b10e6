/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The guard's answer to a client that asks for a region's state. On the wire: lines of UTF-8 text,
 * one field each, in this order; later versions may append lines.
 *
 * @param layout the layout's line as in the table's descriptor; empty if the table has none
 * @param state the state that the region has
 * @param region the encoded name of the region
 * @param clockMs the server's clock, milliseconds since 1970
 * @param server the server's name as HBase writes it, with port and start code
 * @param version the version of Evenkey on the server; empty if it is not known
 * @param openSeqNum the region's open sequence number, which grows whenever the region opens; -1 if
 *     it is not known
 * @param takesSteps whether the guard knows of steps of a salt
 * @param indexes the text of the table's indexes, which is empty if it has none; empty if the guard
 *     does not know of indexes
 * @param keys whether the table's row key was changed
 * @param indexed the name of the table whose rows this one has the entries of, as the table of an
 *     index; empty if it is none, or the guard does not know of them
 * @param guarded since when the region was open with the guard only; empty if that is not kept,
 *     since the table is at rest and has no indexes, or the guard does not know of it
 */
public record GuardAnswer(
    String layout,
    GuardState state,
    String region,
    long clockMs,
    String server,
    String version,
    long openSeqNum,
    boolean takesSteps,
    Optional<String> indexes,
    KeyHistory keys,
    Optional<String> indexed,
    Optional<GuardedSince> guarded) {
  private static final String STEPS = "steps";
  private static final String INDEXES = "indexes";
  private static final String KEYS = "keys ";
  private static final String INDEX_OF = "index-of ";
  private static final String GUARDED = "guarded ";
  private static final String FORMAT = "evenkey 1";

  /** The bytes on the wire. */
  public byte[] toBytes() {
    return String.join(
            "\n",
            FORMAT,
            layout,
            state.toString(),
            region,
            Long.toString(clockMs),
            server,
            version,
            Long.toString(openSeqNum) + lastLines())
        .getBytes(StandardCharsets.UTF_8);
  }

  // Each version of the guard has one line more. A line that is not known is empty.
  private String lastLines() {
    String lines =
        "\n"
            + (takesSteps ? STEPS : "")
            + "\n"
            + indexes.map(text -> (INDEXES + " " + text).strip()).orElse("")
            + "\n"
            + (keys == KeyHistory.UNKNOWN ? "" : KEYS + keys.name().toLowerCase(Locale.ROOT))
            + "\n"
            + indexed.map(table -> INDEX_OF + table).orElse("")
            + "\n"
            + guarded.map(since -> GUARDED + since).orElse("");
    return lines.stripTrailing();
  }

  /**
   * The answer in such bytes.
   *
   * @throws IllegalArgumentException if these are none
   */
  public static GuardAnswer parse(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    String[] lines = text.split("\n", -1);
    if (lines.length < 6 || !lines[0].equals(FORMAT)) {
      throw new IllegalArgumentException("answer of a guard not understood: answer=" + text);
    }
    return new GuardAnswer(
        lines[1],
        GuardState.parse(lines[2]),
        lines[3],
        Long.parseLong(lines[4]),
        lines[5],
        lines.length > 6 ? lines[6] : "",
        lines.length > 7 ? Long.parseLong(lines[7]) : -1,
        lines.length > 8 && lines[8].equals(STEPS),
        lines.length > 9 && lines[9].startsWith(INDEXES)
            ? Optional.of(lines[9].substring(INDEXES.length()).strip())
            : Optional.empty(),
        keys(lines.length > 10 ? lines[10] : ""),
        lines.length > 11 && lines[11].startsWith(INDEX_OF)
            ? Optional.of(lines[11].substring(INDEX_OF.length()))
            : Optional.empty(),
        lines.length > 12 && lines[12].startsWith(GUARDED)
            ? Optional.of(GuardedSince.parse(lines[12].substring(GUARDED.length())))
            : Optional.empty());
  }

  private static KeyHistory keys(String line) {
    return switch (line) {
      case KEYS + "same" -> KeyHistory.SAME;
      case KEYS + "recorded" -> KeyHistory.RECORDED;
      case KEYS + "changed" -> KeyHistory.CHANGED;
      default -> KeyHistory.UNKNOWN;
    };
  }
}
