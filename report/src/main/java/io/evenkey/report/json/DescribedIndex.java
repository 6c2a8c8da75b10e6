/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.terminal.Shell;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * An index of a table, and what commands have done with it.
 *
 * @param table the table that applications name
 * @param work null if the registry has nothing of the index
 */
public record DescribedIndex(TableName table, TableIndex index, @Nullable IndexWork work) {

  /** The indexes of a table, by the descriptor of its generation. */
  public static List<DescribedIndex> of(TableDescriptor generation, Registry registry)
      throws IOException {
    String of = generation.getValue(TableLayout.TABLE);
    TableName table = of == null ? generation.getTableName() : TableName.valueOf(of);
    List<DescribedIndex> all = new ArrayList<>();
    for (TableIndex index : TableLayout.indexes(generation).list()) {
      IndexWork work = registry.indexes().get(table, index.name()).orElse(null);
      all.add(new DescribedIndex(table, index, work));
    }
    return all;
  }

  /** The command that adds the index, or goes on with adding it. */
  public String addition() {
    return addition(table.getNameAsString(), index);
  }

  /** The command that adds an index to a table. */
  public static String addition(String table, TableIndex index) {
    StringBuilder command = new StringBuilder("evenkey index add ");
    command.append(table).append(' ').append(index.name());
    command.append(' ').append(Shell.quoted(index.layout().toString()));
    option(command, "--from", joined(index.columns()));
    option(command, "--covering", joined(index.covering()));
    option(command, "--where", index.where());
    return command
        + switch (index.protocol()) {
          case EVENTS -> "";
          case MUTABLE -> " --mutable";
          case APPEND_ONLY -> " --append-only";
        };
  }

  private static String joined(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static void option(StringBuilder command, String name, String value) {
    if (!value.isEmpty()) {
      command.append(' ').append(name).append(' ').append(Shell.quoted(value));
    }
  }

  /** The table of the entries. */
  public TableName entries() {
    return TableName.valueOf(index.tableName(table.getNameAsString()));
  }
}
