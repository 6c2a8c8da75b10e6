/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.adopt.Proposal;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.field.Field;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.AdoptionJson;
import io.evenkey.report.terminal.Amount;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code evenkey adopt}. */
@Rights("R, and C or A, on the table.")
@Command(
    name = "adopt",
    header = "Detect the layout of an existing table, and record it.",
    description = {
      "",
      "Reads a sample of rows from every region, and tries the salts and hashes of Phoenix,"
          + " OpenTSDB, HBaseWD, Evenkey and hand-written code. Guesses the fields of the key."
          + " Shows the layouts that fit every row read, some rows as the first of them decodes"
          + " them, and implausible values. Changes metadata only with --record, and never changes"
          + " a row.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  evenkey adopt METRICS",
      "  evenkey adopt METRICS --key 'host:string + ts:timestamp' --record",
      "  evenkey adopt METRICS --layout 'phoenix_salt(20) + host:string + ts:timestamp' --record"
    },
    sortOptions = false)
final class AdoptCommand implements Callable<Integer> {
  private static final int EXAMPLES = 3;

  private final Console console;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private TableArgument argument = new TableArgument();

  @Option(
      names = "--key",
      paramLabel = "FIELDS",
      defaultValue = TableCheck.UNKNOWN_KEY,
      description = "The key fields after the salt, if known (default ${DEFAULT-VALUE}).")
  private String key = TableCheck.UNKNOWN_KEY;

  @Option(
      names = "--layout",
      paramLabel = "LINE",
      description = "The layout, if known: only this one is checked.")
  private @Nullable String line;

  @Mixin private SampleOption sample = new SampleOption();

  @Option(
      names = "--record",
      description = "Record the layout in the table's descriptor and in the registry.")
  private boolean record;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  AdoptCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    Layout given = line == null ? null : Layout.parse(line);
    List<Field> fields = Layout.parse(key).fields();
    int rows = sample.rows();
    try (Cluster open = cluster.openBriefly()) {
      TableCheck check = TableCheck.of(open.connection(), open.registry(), table, rows);
      console.note(
          String.format(
              Locale.ROOT,
              "%s read, of %,d of %s",
              Amount.of(check.rows().rows().size(), "row"),
              check.rows().looked(),
              Amount.of(check.rows().regions(), "region")));
      FittingRows recorded = check.inDescriptor();
      if (recorded != null && check.isSound()) {
        checkCorrection(check, recorded.layout(), given);
      }
      List<Proposal> proposals = proposals(check, given);
      if (proposals.isEmpty()) {
        throw new EvenkeyException(
            "no rows to detect a layout from: table=" + table + "; name it with --layout");
      }
      FittingRows best = proposals.get(0).fit();
      if (!best.isComplete()) {
        throw new EvenkeyException(
            "layout does not fit: table="
                + table
                + " layout="
                + best.layout()
                + " fitting="
                + best.fitting()
                + " rows="
                + best.rows()
                + (best.misfits().isEmpty()
                    ? "; the table is empty"
                    : "; " + best.misfits().get(0)));
      }
      if (record) {
        check.adopt(open.connection(), open.registry(), best.layout());
      }
      show(check, proposals, fields.size() == 1 && key.equals(TableCheck.UNKNOWN_KEY));
    }
    return CommandLine.ExitCode.OK;
  }

  // Rows stay where they are, so that another line may only give other names and types to their
  // bytes.
  private void checkCorrection(TableCheck check, Layout recorded, @Nullable Layout given) {
    if (given == null || given.equals(recorded)) {
      throw new ParameterException(
          spec.commandLine(),
          "table has a layout that fits its rows: "
              + recorded
              + "; --layout LINE corrects it to one that has the same bytes");
    }
    if (!TableLayout.indexesText(check.descriptor()).isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "layout of a table with indexes cannot be corrected: table="
              + check.name()
              + " layout="
              + recorded
              + "; drop its indexes, and add them again afterwards");
    }
  }

  private List<Proposal> proposals(TableCheck check, @Nullable Layout given) {
    List<byte[]> rows = check.rows().rows();
    return given == null
        ? AdoptionJson.proposals(check, key)
        : List.of(Proposal.given(given, rows));
  }

  private void show(TableCheck check, List<Proposal> proposals, boolean unknownKey) {
    Layout first = proposals.get(0).fit().layout();
    List<byte[]> rows = check.rows().rows();
    List<String> doubts = Plausibility.doubts(first, rows);
    if (json) {
      console.json(AdoptionJson.of(check, proposals, record));
      return;
    }
    for (Proposal proposal : proposals) {
      console.out().println(proposal.fit().layout() + "   (" + proposal.system() + ")");
      if (!proposal.caution().isEmpty()) {
        console.out().println("  note: " + proposal.caution());
      }
    }
    console.out().println("rows as the first one decodes them:");
    for (int i = 0; i < EXAMPLES; i++) {
      byte[] row = rows.get((int) ((rows.size() - 1L) * i / (EXAMPLES - 1)));
      console.out().println("  " + ByteText.printable(row) + "   " + first.label(row));
    }
    doubts.forEach(doubt -> console.note("warning: " + doubt));
    if (record) {
      console.out().println("recorded: " + proposals.get(0).fit().layout());
      console.say(
          "clients without Evenkey may continue to write rows of this layout; with the guard,"
              + " others are rejected (EVENKEY_RAW_WRITES=checked)");
    } else {
      console.out().println("nothing was changed; --record records the first");
    }
    if (unknownKey && line == null) {
      console.out().println("--key 'name:type + …' names the fields of the key");
    }
  }
}
