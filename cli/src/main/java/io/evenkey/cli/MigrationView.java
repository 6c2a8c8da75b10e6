/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.Transitions;
import io.evenkey.layout.Layout;
import io.evenkey.report.json.KeyBeforeIndex;
import io.evenkey.report.json.MigrationJson;
import io.evenkey.report.terminal.Amount;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the progress of a migration as text or JSON. */
final class MigrationView {
  private final Console console;
  private final boolean json;
  private @Nullable Migration copied;

  MigrationView(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  private static String next(Migration migration) {
    String command = "evenkey migrate " + migration.table() + " ";
    if (migration.kind() instanceof Kind.StepInPlace) {
      return migration.stage().isOver()
          ? ""
          : command
              + "--resume continues"
              + (migration.stage() == Stage.SWITCHING
                  ? ""
                  : "; --rollback keeps the layout before");
    }
    return switch (migration.stage()) {
      case READY ->
          command + "--switch reads the next generation; --rollback returns to the old one";
      case SWITCHED -> command + "--finish closes the old generation; --rollback returns to it";
      case FINISHING -> command + "--resume continues";
      case FINISHED ->
          migration.kind() instanceof Kind.Renaming
              ? ""
              : "the old generation is kept, closed to clients: drop "
                  + migration.source()
                  + " by hand; or "
                  + command
                  + "--rename gives the next one the table's own name";
      case ROLLED_BACK ->
          command
              + (migration.kind() instanceof Kind.Renaming ? "--rename" : "--layout …")
              + " begins again";
      default -> command + "--resume continues; --rollback returns to the old generation";
    };
  }

  /** Remembers the migration whose target this command renames, for the end. */
  void copied(Migration migration) {
    copied = migration;
  }

  void end(Migration migration) {
    if (json) {
      console.json(MigrationJson.of(migration));
    } else {
      show(migration);
      showNext(migration);
    }
  }

  private void showNext(Migration migration) {
    if (migration.kind() instanceof Kind.AnotherKey change && !migration.isGoingBack()) {
      showApplications(migration, change);
    }
    if (!next(migration).isEmpty()) {
      console.out().println(next(migration));
    }
  }

  private void showApplications(Migration migration, Kind.AnotherKey change) {
    boolean switched = migration.stage().usesTarget();
    console
        .out()
        .println(
            "applications: "
                + (switched ? "each one" : "from --switch on, each one")
                + " is rejected until it builds the new keys, and says so by the setting "
                + DeclaredKeys.OF_TABLE
                + migration.table()
                + "="
                + DeclaredKeys.keyOf(Layout.parse(change.after())));
    if (migration.stage() == Stage.FINISHED) {
      KeyBeforeIndex index = KeyBeforeIndex.of(migration.table(), change);
      console
          .out()
          .println(
              "rows in the order of the old key: "
                  + (index.isPossible() ? index.command() : index.problem()));
    }
  }

  private static String held(Migration.Pace pace) {
    return pace.latencyMs() == 0 || pace.heldTo() == 0
        ? ""
        : String.format(Locale.ROOT, ": %,d rows/s now", pace.allowed());
  }

  private void show(Kind.Step step, long rewritten) {
    console.out().println("before      " + step.before());
    console.out().println("after       " + step.after());
    console
        .out()
        .printf(
            Locale.ROOT,
            "rewritten   %s: both layouts store the rows before the step alike%n",
            Amount.of(rewritten, "row"));
  }

  private void show(Migration migration) {
    console
        .out()
        .println("stage       " + migration.stage() + ": " + Transitions.meaning(migration));
    if (migration.kind() instanceof Kind.Step step) {
      show(step, migration.work().rows());
    }
    if (migration.kind() instanceof Kind.StepInPlace) {
      return;
    }
    console.out().println("generation  " + migration.generation());
    console.out().println("source      " + migration.source());
    console.out().println("target      " + migration.target());
    if (migration.kind() instanceof Kind.AnotherKey change) {
      console.out().println("key before  " + DeclaredKeys.keyOf(Layout.parse(change.before())));
      console.out().println("key after   " + DeclaredKeys.keyOf(Layout.parse(change.after())));
      if (!change.columns().isEmpty()) {
        console.out().println("from        " + change.columns());
      }
    }
    console.out().println("fence       " + MigrationJson.meaning(migration.fence()));
    if (!(migration.kind() instanceof Kind.Renaming)) {
      showWork(migration);
    } else {
      if (copied != null) {
        showWork(copied);
      }
      console.out().println("renamed     by a clone of a snapshot, which shares the files");
    }
    if (migration.pace().rowsPerSecond() > 0 || migration.pace().latencyMs() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "pace        %,d rows/s, reads within %,d ms%s%n",
              migration.pace().rowsPerSecond(),
              migration.pace().latencyMs(),
              held(migration.pace()));
    }
  }

  private void showWork(Migration migration) {
    console
        .out()
        .printf(
            Locale.ROOT,
            "copied      %d of %s, %s, by %s%n",
            migration.work().copied(),
            Amount.of(migration.work().rounds().size(), "part"),
            Amount.of(migration.work().rows(), "row"),
            migration.work().by().name().toLowerCase(Locale.ROOT));
    if (migration.work().comparedThrough() > 0) {
      console
          .out()
          .println("compared    rows written up to pass " + migration.work().comparedThrough());
    }
    console.out().println("repaired    " + Amount.of(migration.work().repaired(), "row"));
  }
}
