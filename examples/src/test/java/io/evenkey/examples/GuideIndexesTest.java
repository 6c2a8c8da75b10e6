/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.scatter.Where;
import io.evenkey.protocol.index.IndexColumn;
import io.evenkey.protocol.index.IndexFit;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The indexes of the guide fit their tables, and serve the queries beside them. */
class GuideIndexesTest {
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| [^|]+ \\| `(?<key>[^`]+)` \\| `scan (?<scanned>\\w+)(?: --by (?<by>\\w+))? --where"
              + " \"(?<where>[^\"]+)\"(?: --limit \\d+)?` \\| `evenkey index add (?<table>\\w+)"
              + " (?<name>\\w+) '(?<layout>[^']+)'(?: --from (?<from>\\S+?))?(?<mutable>"
              + " --mutable)?` \\|$");

  @ParameterizedTest
  @ValueSource(strings = {"docs/guide.md", "docs/guide.zh-CN.md"})
  void serveTheQueriesBesideThem(String page) throws IOException {
    Matcher row = ROW.matcher(Files.readString(Path.of(Documents.ROOT.toString(), page)));
    List<String> tables = new ArrayList<>();
    while (row.find()) {
      tables.add(row.group("table"));
      assertThat(row.group("scanned")).isEqualTo(row.group("table"));
      Layout key = Layout.parse(row.group("key"));
      TableIndex index = IndexFit.complete(key, index(row));
      Where where = index.layout().where(row.group("where"));
      assertThat(where.fields())
          .as("the leading field of %s", index)
          .contains(index.layout().fields().get(0).name());
      boolean tableHasAll =
          where.fields().stream().allMatch(field -> key.key().indexOf(field) >= 0);
      assertThat(row.group("by"))
          .as("named where the client would read the table: %s", index)
          .isEqualTo(tableHasAll ? index.name() : null);
    }
    assertThat(tables).containsExactly("orders", "profiles", "tracks", "mail");
  }

  private static TableIndex index(Matcher row) {
    String from = row.group("from");
    List<IndexColumn> columns = from == null ? List.of() : IndexParser.columns(from);
    return TableIndex.of(
        row.group("name"),
        row.group("mutable") == null ? IndexProtocol.EVENTS : IndexProtocol.MUTABLE,
        Layout.parse(row.group("layout")),
        columns,
        List.of());
  }
}
