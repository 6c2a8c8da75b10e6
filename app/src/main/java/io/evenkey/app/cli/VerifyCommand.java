package io.evenkey.app.cli;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.client.adopt.Fit;
import io.evenkey.client.adopt.TableCheck;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkey verify}. */
@Command(
    name = "verify",
    header = "Compare what descriptor, registry and rows say of a table's layout.",
    description = {
      "",
      "Clients refuse a table of which two things are said, since a wrong layout loses rows",
      "silently. This shows what is said, which of it fits the rows, and mends the other.",
      ""
    },
    footerHeading = "%nExamples:%n",
    footer = {"  evenkey verify readings", "  evenkey verify readings --trust registry"},
    sortOptions = false)
final class VerifyCommand implements Callable<Integer> {
  /** Which of two to believe. */
  enum Side {
    /** The table's descriptor. */
    DESCRIPTOR,
    /** The registry in ZooKeeper. */
    REGISTRY
  }

  private final Console console;

  @Mixin private TableArgument argument = new TableArgument();

  @Mixin private SampleOption sample = new SampleOption();

  @Option(
      names = "--trust",
      paramLabel = "SIDE",
      description = "Make the other say the same: ${COMPLETION-CANDIDATES}.")
  private @Nullable Side trust;

  @Option(names = "--json", description = "Print one JSON document.")
  private boolean json;

  @Mixin private ClusterOption cluster = new ClusterOption();

  VerifyCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    TableName table = argument.table();
    int rows = sample.rows();
    try (Cluster open = cluster.open()) {
      TableCheck check = TableCheck.of(open.connection(), open.registry(), table, rows);
      if (trust == Side.DESCRIPTOR) {
        check.trustDescriptor(open.registry());
      } else if (trust == Side.REGISTRY) {
        check.trustRegistry(open.connection(), open.registry());
      }
      TableCheck now =
          trust == null ? check : TableCheck.of(open.connection(), open.registry(), table, rows);
      show(now);
      if (!now.isSound()) {
        throw new IOException(problem(now));
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private static String problem(TableCheck check) {
    if (!check.agrees()) {
      return "descriptor and registry disagree: table="
          + check.name()
          + "; --trust descriptor or --trust registry mends the other";
    }
    Fit fit = check.inDescriptor();
    return "rows that were not written under the table's layout: table="
        + check.name()
        + (fit == null || fit.misfits().isEmpty() ? "" : " row=" + fit.misfits().get(0))
        + "; evenkey adopt "
        + check.name()
        + " looks for the layout that they have";
  }

  private void show(TableCheck check) {
    if (json) {
      Map<String, Object> document = new LinkedHashMap<>();
      document.put("table", check.name().getNameAsString());
      document.put("sound", check.isSound());
      document.put("rows", check.rows().rows().size());
      document.put("descriptor", json(check.inDescriptor()));
      document.put("registry", json(check.inRegistry()));
      console.json(document);
      return;
    }
    console
        .out()
        .printf(
            Locale.ROOT,
            "rows read   %,d, of %,d of %,d regions%n",
            check.rows().rows().size(),
            check.rows().looked(),
            check.rows().regions());
    console.out().println("descriptor  " + text(check.inDescriptor(), null));
    console.out().println("registry    " + text(check.inRegistry(), check.recorded()));
    console.out().println(check.isSound() ? "sound" : "NOT SOUND");
  }

  private static String text(@Nullable Fit fit, @Nullable String line) {
    if (fit == null) {
      return line == null ? "no layout" : line + "   (not a layout)";
    }
    return String.format(
        Locale.ROOT, "%s   fits %,d of %,d rows", fit.layout(), fit.fitting(), fit.rows());
  }

  private static @Nullable Map<String, Object> json(@Nullable Fit fit) {
    if (fit == null) {
      return null;
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("layout", fit.layout().toString());
    document.put("rows_fitting", fit.fitting());
    document.put("misfits", fit.misfits());
    return document;
  }
}
