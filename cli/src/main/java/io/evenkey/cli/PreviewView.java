/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.plan.NewTable;
import io.evenkey.jobs.migration.MigrationPreview;
import io.evenkey.jobs.migration.MigrationPreview.Way;
import io.evenkey.report.cluster.FreeDisk;
import io.evenkey.report.terminal.Amount;
import io.evenkey.report.terminal.Prose;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints what a migration would do. */
final class PreviewView {
  private static final int INDENT = 12;

  private final PrintStream out;
  private final int columns;
  private final MigrationPreview preview;
  private final @Nullable FreeDisk free;

  /**
   * @param columns width of the terminal behind {@code out} in characters; 0 if it is not a
   *     terminal
   * @param free null if it is not known
   */
  PreviewView(PrintStream out, int columns, MigrationPreview preview, @Nullable FreeDisk free) {
    this.out = out;
    this.columns = columns;
    this.preview = preview;
    this.free = free;
  }

  void show() {
    line("before", preview.before());
    line("after", preview.after());
    line("rows", rows() + ", " + Amount.megabytes(preview.megabytes()) + " in one replica");
    line("written", written());
    line("regions", regions());
    preview.settings().forEach(setting -> line("setting", setting));
    line("disk", disk());
    if (preview.diskMegabytes() > 0) {
      line("free", free());
    }
    line("time", time());
    line("pause", pause());
    preview.warnings().forEach(warning -> line("warning", warning));
    if (free != null && !free.hasRoomFor(preview.diskMegabytes())) {
      line(
          "warning",
          "the copy does not fit on HBase's file system: free space first, for example by deleting"
              + " old generations and snapshots");
    }
  }

  private void line(String name, Object text) {
    String label = name + " ".repeat(INDENT - name.length());
    out.println(Prose.wrapped(label + text, columns, INDENT));
  }

  private String rows() {
    return preview.rows().isExact()
        ? Amount.of(preview.rows().rows(), "row")
        : "about " + Amount.rounded(preview.rows().rows()) + " rows";
  }

  private String written() {
    return switch (preview.way()) {
      case COPY -> "all rows, to a new table, by " + preview.by().name().toLowerCase(Locale.ROOT);
      case CLONE -> "the rows at or after the step, in a clone of the table";
      case STEP -> "no row: rows from the step on get the new buckets";
    };
  }

  private String regions() {
    boolean usual = preview.way() == Way.COPY && preview.after().spread().width() > 0;
    return preview.regionsBefore()
        + " now, "
        + preview.regionsAfter()
        + " afterwards, on "
        + Amount.of(preview.servers(), "server")
        + (usual ? " (" + NewTable.spreadRule() + "; --regions sets another number)" : "");
  }

  private String disk() {
    return preview.diskMegabytes() == 0
        ? preview.way() == Way.COPY ? "next to nothing" : "none: files are shared"
        : Amount.megabytes(preview.diskMegabytes())
            + " more in each replica, until the generation before is dropped";
  }

  private String free() {
    if (free == null) {
      return "not known: the client's settings have no hbase.rootdir, or its file system does not"
          + " report it";
    }
    return Amount.megabytes(free.megabytes())
        + " on HBase's file system"
        + (free.replicas() > 1 ? ", which stores each byte " + free.replicas() + " times" : "");
  }

  private String time() {
    String about = "about " + Amount.time(preview.time());
    return preview.way() == Way.COPY
        ? about + " to copy and compare, if the cluster does 200,000 rows or 25 MB a second"
        : about;
  }

  private String pause() {
    Duration pause = preview.pause();
    return preview.fence() == Migration.Fence.NAMES
        ? "reads and writes: about " + Amount.time(pause) + " at --switch"
        : preview.way() == Way.STEP
            ? "none, but for rows at or after the step"
            : "writes: about " + Amount.time(pause) + " at --switch; reads: none";
  }
}
