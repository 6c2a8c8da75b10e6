/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.remedy.Remedy;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Adds the option or the command to each remedy that a message names. Stateless. */
final class CommandWords {
  private static final Pattern TABLE = Pattern.compile("\\btable=([^\\s;,]+)");
  private static final Pattern INDEX_OF = Pattern.compile("\\bindex_of=([^\\s;,]+)");
  private static final Pattern INDEX = Pattern.compile("\\bindex=([^\\s;,]+)");

  private CommandWords() {}

  /** The message, with the command line's words behind each remedy. */
  static String in(String message) {
    return in(message, null, option -> true);
  }

  /**
   * The message of a command for a table, whose name it may not have: a message about a generation
   * has the generation's.
   *
   * @param options whether the command has an option; a step that it cannot take stays words
   */
  static String in(String message, @Nullable String given, Predicate<String> options) {
    String table = given == null ? found(TABLE, message, "TABLE") : given;
    String shown = message;
    for (Remedy remedy : Remedy.values()) {
      String words = remedy.toString();
      int at = shown.indexOf(words);
      if (at >= 0 && !shown.startsWith(" (", at + words.length())) {
        int end = at + words.length();
        String command =
            command(remedy, table, found(INDEX_OF, message, table), found(INDEX, message, ""));
        if (!command.startsWith("--") || options.test(command.split(" ", 2)[0])) {
          shown = shown.substring(0, end) + " (" + command + ")" + shown.substring(end);
        }
      }
    }
    return shown;
  }

  private static String found(Pattern name, String message, String otherwise) {
    Matcher found = name.matcher(message);
    return found.find() ? found.group(1) : otherwise;
  }

  private static String command(Remedy remedy, String table, String indexed, String index) {
    String of = index.isEmpty() ? table : indexed + " " + index;
    return switch (remedy) {
      case RESUME_LOAD, RESUME_COMPARISON -> "--resume";
      case REPAIR -> "--repair";
      case RESTART_LOAD -> "--restart";
      case ALLOW_REJECTS -> "--max-rejects";
      case NAME_REJECTS -> "--rejects";
      case NAME_CHECKPOINT -> "--checkpoint";
      case RESOLVE_COLLISIONS -> "--on-collision report or keep-first";
      case LOAD_IN_BULK -> "--bulk";
      case NAME_WORK -> "--work";
      case REPLACE_FILE -> "--force";
      case NAME_FORMAT -> "--format";
      case NAME_COLUMNS -> "--column";
      case TRIM -> "--trim";
      case NAME_FAMILY -> "--family";
      case NAME_TIME_UNIT -> "--time-unit";
      case NAME_CODEC -> "--codec";
      case NAME_NULL -> "--null TEXT";
      case NAME_INDEX -> "--by";
      case NAME_FAMILIES -> "--families d";
      case NAME_FIELDS -> "--key or --layout";
      case DECLARE_STOPPED -> "--others-stopped";
      case DECLARE_REPLICATION_ENDED -> "--replication-ended";
      case CHANGE_KEY -> "--change-key";
      case COPY_ALL -> "--copy";
      case COPY_BY_FILES -> "--by files";
      case REWRITE -> "--rewrite-from";
      case ACCEPT_PAUSE -> "--accept-pause";
      case CONTINUE_ALONE -> "--alone";
      case TRUST -> "--trust descriptor or --trust registry";
      case COMPARE_CLONE -> "'evenkey verify " + table + " --against CLONE'";
      case VERIFY_TABLE -> "'evenkey verify " + table + "'";
      case RECORD_LAYOUT -> "'evenkey adopt " + table + "'";
      case PLAN -> "'evenkey plan " + table + " --layout …'";
      case CREATE -> "'evenkey create " + table + "'";
      case ADD_INDEX -> "'evenkey index add " + of + " …'";
      case DROP_INDEX -> "'evenkey index drop " + of + "'";
      case VERIFY_INDEX -> "'evenkey index verify " + of + "'";
      case REPAIR_INDEX -> "'evenkey index verify " + of + " --repair'";
      case ADOPT_INDEX -> "'evenkey index adopt " + of + "'";
      case LIST_INDEXES -> "'evenkey index list " + table + "'";
      case CHECK_CLUSTER -> "'evenkey doctor'";
      case SHOW_SERVERS -> "'evenkey server status'";
      case INSTALL_GUARD -> "'evenkey server install'";
      case COUNT_HOT_KEYS -> "'evenkey heat " + table + " --hot-keys on'";
      case MIGRATE -> "'evenkey migrate " + table + " --layout …'";
      case SHOW_MIGRATION -> "'evenkey migrate " + table + " --status'";
      case RESUME_MIGRATION -> "'evenkey migrate " + table + " --resume'";
      case ROLL_BACK -> "'evenkey migrate " + table + " --rollback'";
      case FINISH -> "'evenkey migrate " + table + " --finish'";
    };
  }
}
