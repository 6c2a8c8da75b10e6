/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands on indexes of tables in other namespaces, with dots in their names, and empty. */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class IndexOfNamedTableIT {
  private static final String NAMESPACE = "index_shop";
  private static final int ROWS = 120;

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection plain;

  @BeforeEach
  void createNamespace(EmbeddedHBase shared, Connection connection) throws IOException {
    hbase = shared;
    plain = connection;
    try (Admin admin = plain.getAdmin()) {
      if (!List.of(admin.listNamespaces()).contains(NAMESPACE)) {
        admin.createNamespace(NamespaceDescriptor.create(NAMESPACE).build());
      }
    }
  }

  private Run done(String... arguments) {
    return Run.on(hbase, arguments).done();
  }

  private void create(String table) {
    done("plan", table, "--layout", "salt(4) + ts:timestamp + id:int64", "--families", "d");
    done("create", table);
  }

  private void write(String table, int from, int to, String customer) throws IOException {
    StringBuilder lines = new StringBuilder("ts,id,customer\n");
    for (int i = from; i < to; i++) {
      lines.append(1_000L * i).append(',').append(i).append(',').append(customer).append('\n');
    }
    Path records = Files.writeString(directory.resolve(customer + ".csv"), lines);
    Path checkpoint = directory.resolve(customer + ".checkpoint");
    done("import", table, "--csv", records.toString(), "--checkpoint", checkpoint.toString());
  }

  private Run add(String table, String by) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "index",
                "add",
                table,
                "by_customer",
                "salt(3) + customer:string",
                "--mutable",
                "--from",
                "customer=d:customer",
                "--by",
                by));
    return done(arguments.toArray(String[]::new));
  }

  private boolean exists(String table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.tableExists(TableName.valueOf(table));
    }
  }

  private long counted(String table, String customer) throws IOException {
    return done(
            "count",
            table,
            "--by",
            "by_customer",
            "--where",
            "customer = '" + customer + "'",
            "--json")
        .json()
        .get("rows")
        .asLong();
  }

  @ParameterizedTest
  @CsvSource("index_shop:old.orders.v2.files, files")
  void anIndexOfATableWithDotsInAnotherNamespace(String table, String by) throws IOException {
    anIndexIsAddedVerifiedSweptAndDropped(table, by);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "index_shop:orders, puts",
    "index_shop:orders_of_files, files",
    "index_shop:old.orders.v2, puts",
    "old.index_orders, files",
  })
  void anIndexIsAddedVerifiedSweptAndDropped(String table, String by) throws IOException {
    create(table);
    write(table, 0, ROWS, "c1");
    assertThat(add(table, by).out()).contains(table + ".by_customer: clients read it; 120 rows");
    assertThat(exists(table + ".by_customer")).isTrue();
    assertThat(counted(table, "c1")).isEqualTo(ROWS);

    write(table, 0, 20, "moved");
    assertThat(counted(table, "c1")).isEqualTo(ROWS - 20);
    assertThat(counted(table, "moved")).isEqualTo(20);
    JsonNode verified = done("index", "verify", table, "by_customer", "--json").json();
    assertThat(verified.get("rows").asInt()).isEqualTo(ROWS);
    assertThat(verified.get("missing").asInt()).isZero();
    assertThat(verified.get("stale").asInt()).isEqualTo(20);
    assertThat(done("index", "sweep", table, "by_customer").out())
        .contains(table + ".by_customer: 140 entries read, 20 removed");
    assertThat(done("index", "show", table, "by_customer").out())
        .contains("20 stale before the sweep", ": 140 entries, 20 removed, 0 settled");
    assertThat(done("index", "list", table).out())
        .contains("20 stale before the sweep", ": 20 removed");

    JsonNode listed = done("index", "list", table, "--json").json().get("indexes").get(0);
    assertThat(listed.get("entries_table").asText()).isEqualTo(table + ".by_customer");
    assertThat(listed.get("filled_rows").asInt()).isEqualTo(ROWS);
    assertThat(listed.get("swept_removed").asInt()).isEqualTo(20);
    assertThat(listed.get("stale_entries").asInt()).isZero();
    assertThat(done("index", "drop", table, "by_customer").out()).contains("dropped");
    assertThat(exists(table + ".by_customer")).isFalse();
    assertThat(done("index", "list", table).out()).contains("no indexes");
    assertThat(done("count", table, "--json").json().get("rows").asLong()).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = "files")
  void anIndexIsAddedToAnEmptyTable(String by) throws IOException {
    String table = NAMESPACE + ":empty_" + by;
    create(table);
    assertThat(add(table, by).out()).contains("clients read it; 0 rows");
    JsonNode verified = done("index", "verify", table, "by_customer", "--json").json();
    assertThat(verified.get("rows").asInt() + verified.get("entries").asInt()).isZero();
    write(table, 0, 5, "first");
    assertThat(counted(table, "first")).isEqualTo(5);
    done("index", "drop", table, "by_customer");
    assertThat(exists(table + ".by_customer")).isFalse();
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = "puts")
  void anIndexIsAddedToAnEmptyTableByPuts(String by) throws IOException {
    anIndexIsAddedToAnEmptyTable(by);
  }

  /** Each is an index of its own table, though one name begins with the other. */
  @Tag("long")
  @Test
  void tablesWhoseNamesBeginAlikeHaveTheirOwnIndexes() throws IOException {
    create("index_shop:alike");
    create("alike");
    write("index_shop:alike", 0, 7, "shop");
    write("alike", 0, 3, "default");
    add("index_shop:alike", "puts");
    add("alike", "files");
    assertThat(counted("index_shop:alike", "shop")).isEqualTo(7);
    assertThat(counted("alike", "default")).isEqualTo(3);
    done("index", "drop", "alike", "by_customer");
    assertThat(counted("index_shop:alike", "shop")).isEqualTo(7);
  }
}
