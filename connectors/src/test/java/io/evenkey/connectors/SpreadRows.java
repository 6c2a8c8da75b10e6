/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** A table with a salt of four buckets, and what a connector has stored in it. */
record SpreadRows(EmbeddedHBase hbase, TableName name) {
  private static final Layout LAYOUT = Layout.parse("salt(4) + key:bytes");

  /** Creates the table. */
  static SpreadRows create(EmbeddedHBase hbase, String name) throws IOException {
    SpreadRows rows = new SpreadRows(hbase, TableName.valueOf(name));
    try (Connection connection = ConnectionFactory.createConnection(hbase.configuration());
        SpreadTables tables = SpreadTables.on(connection)) {
      tables.create(rows.name, LAYOUT, LAYOUT.splits(4), List.of("d"));
    }
    return rows;
  }

  /** The settings of a server or a job that is to see logical keys. */
  static Configuration settings(EmbeddedHBase hbase) {
    Configuration settings = new Configuration(hbase.configuration());
    settings.set("hbase.client.connection.impl", "io.evenkey.client.EvenkeyConnection");
    settings.set("hbase.client.async.connection.impl", "io.evenkey.client.EvenkeyAsyncConnection");
    return settings;
  }

  static String key(int i) {
    return "row-%02d".formatted(i);
  }

  static List<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(SpreadRows::key).toList();
  }

  static List<String> reversed(List<String> keys) {
    List<String> copy = new ArrayList<>(keys);
    Collections.reverse(copy);
    return copy;
  }

  /** Looks at the rows as HBase stores them: each is there once, with the salt of its key. */
  void assertStored(List<String> expected) throws IOException {
    List<String> stored = new ArrayList<>();
    Set<Byte> salts = new HashSet<>();
    try (Connection plain = ConnectionFactory.createConnection(hbase.configuration());
        Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        byte[] logical = LAYOUT.logical(row.getRow());
        assertThat(LAYOUT.physical(logical)).isEqualTo(row.getRow());
        salts.add(row.getRow()[0]);
        stored.add(Bytes.toString(logical));
      }
    }
    assertThat(stored).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(salts).hasSize(4);
  }
}
