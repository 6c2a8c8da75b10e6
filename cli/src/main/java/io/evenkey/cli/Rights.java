/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.report.terminal.Prose;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The permissions that a command needs if HBase checks them: R (READ), W (WRITE), C (CREATE), A
 * (ADMIN). The help of the command shows them.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Rights {
  /** One line for each use of the command. */
  String[] value();

  /** Adds the permissions to the footer of all commands, for pages that have no such section. */
  final class InFooter {
    private InFooter() {}

    static void addTo(CommandLine command) {
      Rights rights = InHelp.of(command);
      UsageMessageSpec usage = command.getCommandSpec().usageMessage();
      // The footer's heading is that of a section of the page.
      String heading = usage.footerHeading();
      usage.footerHeading(
          heading == null || heading.isBlank()
              ? "Notes"
              : heading.replace("%n", "").replace(":", ""));
      if (rights != null) {
        List<String> footer = new ArrayList<>(List.of(usage.footer()));
        footer.add("");
        footer.add("Rights in HBase, if it checks them:");
        footer.add("");
        for (String line : rights.value()) {
          footer.add("  " + line);
        }
        usage.footer(footer.toArray(new String[0]));
      }
      command.getSubcommands().values().forEach(InFooter::addTo);
    }
  }

  /** Adds the permissions to the help of all commands. */
  final class InHelp {
    private static final String SECTION = "rights";

    private InHelp() {}

    static void addTo(CommandLine command) {
      Rights rights = of(command);
      if (rights != null) {
        List<String> keys = new ArrayList<>(command.getHelpSectionKeys());
        keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SECTION);
        command.setHelpSectionKeys(keys);
        command.getHelpSectionMap().put(SECTION, help -> section(help, rights));
      }
      command.getSubcommands().values().forEach(InHelp::addTo);
    }

    static @Nullable Rights of(CommandLine command) {
      return command.getCommandSpec().userObject().getClass().getAnnotation(Rights.class);
    }

    private static String section(Help help, Rights rights) {
      StringBuilder text = new StringBuilder();
      text.append(help.createHeading("%nRights in HBase, if it checks them:%n"));
      for (String line : rights.value()) {
        int width = help.commandSpec().usageMessage().width();
        text.append(Prose.wrapped("  " + line, width)).append(System.lineSeparator());
      }
      return text.toString();
    }
  }
}
