/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A name=value of a failure's line, and the patterns that find its value in exception messages. */
enum FailureField {
  TABLE(
      "\\btable=([\\w.:-]+)",
      "\\bon table '([\\w.:-]+)'",
      "\\btable '?([\\w.:-]+)'?,? (?:has|at|cf|family|was|is|does)\\b",
      "\\bin table '([\\w.:-]+)'",
      "(?:^|[ =\\[])([\\w.:-]+),[^ ]*,\\d{10,}\\.[0-9a-f]{32}\\."),
  /** A table, in an exception whose message may have nothing else. */
  NAMED_TABLE(
      "\\btable=([\\w.:-]+)",
      "[Tt]able '?([\\w.:-]+?)'?(?: |$)",
      "^([\\w.:-]+) is (?:disabled|not)",
      "^([\\w.:-]+)$"),
  NAMESPACE("[Nn]amespace '?([\\w-]+)'?", "^([\\w-]+)$"),
  SNAPSHOT("snapshot=([\\w.:-]+)", "ss=([\\w.:-]+)", "[Ss]napshot '([^']+)'", "^([\\w.-]+)$"),
  FAMILY("[Cc]olumn [Ff]amily '?(\\S+?)'? (?:does not|in region)", "family[= ]'?(\\w+)"),
  USER(
      "\\buser=([^\\s,;)]+)",
      "\\buser '([^']+)'",
      "\\bUser '([^']+)'",
      "for user:? ([\\w.@/-]+)",
      "\\b[Uu]ser:? ([\\w.@/-]+)"),
  ACTION("\\baction=(\\w+)", "\\baccess=(\\w+)"),
  HOST(
      "can not resolve (?:\\w+,)?([\\w.-]+)",
      "destination host is: \\W*([\\w.-]+)",
      "^(?:\\S+[Ee]xception: )?([\\w.-]+)(?::|$)"),
  SERVER(
      "\\b(?:server|location|hostname|servername)=([\\w.-]+),(\\d+),\\d+",
      "\\b([\\w.-]+),(\\d{2,5}),\\d{10,}",
      "(?:to|address=|with|Server) ?([\\w.-]+)(?:/[\\w.:<>-]*)?:(\\d{2,5})",
      "\\b([\\w-]+(?:\\.[\\w-]+)*):(\\d{2,5})\\b"),
  NODE("\\bfor (/\\S+)", "\\bnode (/\\S+)"),
  /** HBase's own node in ZooKeeper, of a message that names it or one of its children. */
  PARENT("\\bfor (/\\S+?)(?:/(?:master|hbaseid|meta-region-server[\\w-]*))?(?:\\s|$)"),
  REGION("\\b(?:regionName|region)=([0-9a-f]{32})\\b", "\\.([0-9a-f]{32})\\."),
  PATH(
      "\\bpath=(\\S+)",
      "inode=\"([^\"]+)\"",
      "^`([^']+)'",
      "[Ff]ile:? ((?:\\w+:)?/\\S+?)(?:[,;]|\\.? |$)",
      "^((?:\\w+:)?[^:;]+) \\([^)]*\\)$",
      "(?:^|[ \"'])((?:\\w+:)?/[^\\s,;\"')]+?)[.:]?(?=[\\s,;\"')]|$)",
      "^(?!No space left|Disk quota|There is not enough)([^:;]+?)(?:$|: | -> )"),
  LIMIT("^(.+?) (?:limit )?exceeded\\b"),
  WAIT("wait (\\d+\\w*)"),
  POLICY("\\b(NO_INSERTS|NO_WRITES_COMPACTIONS|NO_WRITES|DISABLE)\\b"),
  MISSING("(?:ClassNotFound|NoClassDefFound)\\w+: ([\\w.$/]+)", "^([\\w.$/]+)$"),
  FREE_TEXT();

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
  private final List<Pattern> patterns;

  FailureField(String... patterns) {
    this.patterns = Stream.of(patterns).map(Pattern::compile).toList();
  }

  /** Its name in a line. */
  String label() {
    return switch (this) {
      case NAMED_TABLE -> "table";
      case PARENT -> "node";
      case MISSING -> "class";
      case FREE_TEXT -> "reason";
      default -> name().toLowerCase(Locale.ROOT);
    };
  }

  /** Its value, if the message has it. */
  Optional<String> in(String message) {
    if (this == FREE_TEXT) {
      String text = Text.shortened(message);
      return text.isEmpty() || text.equals("null") ? Optional.empty() : Optional.of(text);
    }
    for (Pattern pattern : patterns) {
      Matcher found = pattern.matcher(message);
      if (found.find()) {
        return Optional.of(value(found));
      }
    }
    return Optional.empty();
  }

  private String value(Matcher found) {
    return switch (this) {
      case SERVER -> found.group(1) + ":" + found.group(2);
      case TABLE, NAMED_TABLE -> found.group(1).replaceFirst("^default:", "");
      case LIMIT -> found.group(1).replace(' ', '_');
      case MISSING -> found.group(1).replace('/', '.');
      default -> found.group(1);
    };
  }
}
