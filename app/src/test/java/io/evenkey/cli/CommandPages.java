/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.launch.PortalStarter;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** A page for each command, made of the model that also makes its help. */
final class CommandPages {
  private static final int SYNOPSIS_WIDTH = 100;

  private CommandPages() {}

  /** The pages by the names of their files. */
  static Map<String, String> all() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    PortalStarter none =
        (settings, cluster) -> {
          throw new IllegalStateException("a model of commands has no portal");
        };
    CommandLine root = Evenkey.commandLine(none, nowhere, nowhere);
    root.setUsageHelpWidth(SYNOPSIS_WIDTH);
    Map<String, String> pages = new TreeMap<>();
    pages.put("README.md", list(root));
    pages.put("rights.md", rights(root));
    for (CommandLine command : root.getSubcommands().values()) {
      add(command, pages);
    }
    return pages;
  }

  private static void add(CommandLine command, Map<String, String> pages) {
    pages.put(file(command), page(command));
    command.getSubcommands().values().forEach(part -> add(part, pages));
  }

  private static String file(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-") + ".md";
  }

  private static String list(CommandLine root) {
    StringBuilder page =
        new StringBuilder(
            """
            # Commands

            This page lists the commands by what you do with them. Each page is made from the command's `--help`; a test fails when
            one is stale.
            """);
    CommandGroups.COMMANDS.forEach(
        (group, names) -> {
          page.append("\n## ").append(group).append("\n\n").append(head("command", "does"));
          names.forEach(name -> row(page, root.getSubcommands().get(name)));
        });
    return page.toString();
  }

  private static String rights(CommandLine root) {
    StringBuilder page =
        new StringBuilder(
            """
            # Rights of commands

            This page lists the rights that each command needs, if HBase checks them: R (READ), W (WRITE), C (CREATE), A (ADMIN). It
            is made from the commands, whose `--help` shows the same; a test fails when it is stale. No command needs EXEC.
            [Rights](../rights.md) says what applications need.

            """);
    page.append(head("command", "rights"));
    rights(root, page);
    return page.toString();
  }

  private static void rights(CommandLine command, StringBuilder page) {
    Rights rights = Rights.InHelp.of(command);
    if (rights != null) {
      page.append(
          "| [`%s`](%s) | %s |\n"
              .formatted(
                  command.getCommandSpec().qualifiedName().replaceFirst("^evenkey ", ""),
                  file(command),
                  escaped(rights.value())));
    }
    command.getSubcommands().values().forEach(part -> rights(part, page));
  }

  private static void row(StringBuilder page, CommandLine command) {
    page.append(
        "| [`%s`](%s) | %s |\n"
            .formatted(
                command.getCommandSpec().qualifiedName().replaceFirst("^evenkey ", ""),
                file(command),
                escaped(usage(command).header())));
    command.getSubcommands().values().forEach(part -> row(page, part));
  }

  private static String page(CommandLine command) {
    Help help = new Help(command.getCommandSpec(), Help.defaultColorScheme(Help.Ansi.OFF));
    UsageMessageSpec usage = usage(command);
    StringBuilder page = new StringBuilder();
    page.append("# ").append(command.getCommandSpec().qualifiedName()).append("\n\n");
    page.append(escaped(usage.header())).append("\n");
    code(page, help.synopsis(0).lines());
    for (String paragraph : usage.description()) {
      if (!paragraph.isBlank()) {
        page.append("\n").append(wrapped(escaped(paragraph))).append("\n");
      }
    }
    if (!command.getSubcommands().isEmpty()) {
      page.append("\n## Commands\n\n").append(head("command", "does"));
      command.getSubcommands().values().forEach(part -> row(page, part));
    }
    arguments(page, command);
    Rights rights = Rights.InHelp.of(command);
    if (rights != null) {
      page.append("\n## Rights\n\nIn HBase, if it checks them:\n\n");
      for (String line : rights.value()) {
        page.append(wrapped("- " + escaped(line))).append("\n");
      }
    }
    String[] footer = usage.footer();
    if (footer.length > 0) {
      String heading = usage.footerHeading().replace("%n", "").replace(":", "").strip();
      page.append("\n## ").append(heading.isEmpty() ? "Notes" : heading).append("\n");
      code(page, Arrays.stream(footer).map(line -> line.replace("%n", "").replace("%%", "%")));
    }
    return page.toString();
  }

  private static void arguments(StringBuilder page, CommandLine command) {
    List<String> rows = new ArrayList<>();
    for (PositionalParamSpec positional : command.getCommandSpec().positionalParameters()) {
      if (!positional.hidden()) {
        rows.add("| `%s` | %s |\n".formatted(cell(positional.paramLabel()), meaning(positional)));
      }
    }
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        String label = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        rows.add(
            "| `%s` | %s |\n"
                .formatted(cell(String.join(", ", option.names()) + label), meaning(option)));
      }
    }
    if (!rows.isEmpty()) {
      page.append("\n## Arguments\n\n").append(head("argument", "meaning"));
      rows.forEach(page::append);
    }
  }

  private static String meaning(ArgSpec argument) {
    // In this form, variables such as ${DEFAULT-VALUE} have their values.
    return escaped(argument.description());
  }

  private static UsageMessageSpec usage(CommandLine command) {
    return command.getCommandSpec().usageMessage();
  }

  private static String head(String first, String second) {
    return "| %s | %s |\n| --- | --- |\n".formatted(first, second);
  }

  private static void code(StringBuilder page, Stream<String> lines) {
    page.append("\n```text\n")
        .append(lines.collect(Collectors.joining("\n")).stripIndent().strip())
        .append("\n```\n");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String escaped(String... text) {
    return String.join(" ", text)
        .strip()
        .replace("%n", " ")
        .replace("%%", "%")
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("_", "\\_")
        .replace("[", "\\[")
        .replace("{{", "&#123;&#123;")
        .replaceAll("(?<![\\w`-])(--[a-z][a-z-]*)", "`$1`");
  }

  private static String wrapped(String text) {
    StringBuilder lines = new StringBuilder();
    int length = 0;
    for (String word : text.split(" +", -1)) {
      if (length > 0 && length + word.length() + 1 > 120) {
        lines.append('\n').append(text.startsWith("- ") ? "  " : "");
        length = text.startsWith("- ") ? 2 : 0;
      } else if (length > 0) {
        lines.append(' ');
        length++;
      }
      lines.append(word);
      length += word.length();
    }
    return lines.toString();
  }
}
