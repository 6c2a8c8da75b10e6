/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.protocol.index.IndexFit;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import java.util.List;
import org.apache.hadoop.hbase.TableName;

/**
 * The command that adds an index with the row key that a table had before a migration, or why there
 * is none. The layout before is that of the index if an index can have it, and else its fields
 * behind a salt.
 *
 * @param command a shell command; empty if the table cannot have such an index
 * @param layout that of the index; empty if the table cannot have such an index
 * @param problem the reason, with the remedy; empty if there is a command
 */
public record KeyBeforeIndex(String command, String layout, String problem) {
  private static final String NAME = "by_key_before";

  /** For layouts before that an index cannot have: reversed keys, and prefixes of many values. */
  private static final String SALT = "salt(8) + ";

  /** Returns the key before a finished migration to another key. */
  public static KeyBeforeIndex of(TableName table, Kind.AnotherKey change) {
    Layout after = Layout.parse(change.after());
    Layout before = Layout.parse(change.before());
    try {
      return fitting(table, after, before);
    } catch (LayoutException e) {
      return behindSalt(table, after, before, e);
    }
  }

  private static KeyBeforeIndex behindSalt(
      TableName table, Layout after, Layout before, LayoutException refusal) {
    try {
      return fitting(table, after, Layout.parse(SALT + before.key().unreversed()));
    } catch (LayoutException e) {
      return new KeyBeforeIndex("", "", "no index can have the old key: " + refusal.getMessage());
    }
  }

  private static KeyBeforeIndex fitting(TableName table, Layout after, Layout before) {
    TableIndex index = TableIndex.of(NAME, IndexProtocol.EVENTS, before, List.of(), List.of());
    IndexFit.complete(after, index);
    return new KeyBeforeIndex(
        DescribedIndex.addition(table.getNameAsString(), index), before.toString(), "");
  }

  /** Whether there is a command. */
  public boolean isPossible() {
    return problem.isEmpty();
  }
}
