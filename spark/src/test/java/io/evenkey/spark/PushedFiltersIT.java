/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteString;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Filters on fields of each type: pushed down, they let the rows pass that Spark lets pass. */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class PushedFiltersIT {
  private static final Layout LAYOUT =
      Layout.parse(
          "salt(3, name) + name:string + n:int32 desc + at:timestamp + day:date desc"
              + " + num:digits(4) + reverse_domain(site:string) + amount:decimal desc + x:float64"
              + " + flag:bool + id:uuid + tiny:int8 + big:uint64 + raw:bytes");

  private static final Map<String, List<String>> LITERALS = literals();
  private static final int ROWS = 600;
  private static final int FILTERS = Boolean.getBoolean("evenkey.deep") ? 3_000 : 40;

  private static LocalSpark spark;
  private static Dataset<Row> pushed;
  private static Dataset<Row> own;

  /** As SQL spells them: some in keys, some between, some that no key can have. */
  private static Map<String, List<String>> literals() {
    Map<String, List<String>> literals = new LinkedHashMap<>();
    literals.put(
        "name", List.of("'a'", "'ab'", "'abc'", "'b'", "''", "'ä'", "'it''s \"${user.name}\"'"));
    literals.put("n", List.of("-2", "0", "3", "3000000000", "1.5", "-2147483648"));
    literals.put(
        "at",
        List.of(
            "timestamp'2026-01-01 00:00:00'",
            "timestamp'2026-01-01 00:00:00.0015'",
            "timestamp'2026-01-01 00:00:00.002'",
            "timestamp'1969-12-31 23:59:59.9985'",
            "date'2026-01-01'"));
    literals.put("day", List.of("date'2026-01-01'", "date'1969-12-31'", "'2026-01-02'"));
    literals.put("num", List.of("'0042'", "'42'", "'0100'", "'zz'", "42"));
    literals.put("site", List.of("'www.example.com'", "'example.com'", "'com'", "'b.org/x'"));
    literals.put("amount", List.of("1.5", "-2", "0", "0.0001", "1e3"));
    literals.put(
        "x", List.of("0.0D", "-0.0D", "double('NaN')", "1.5D", "double('-Infinity')", "-1.25D"));
    literals.put("flag", List.of("true", "false"));
    literals.put(
        "id",
        List.of(
            "'80000000-0000-0000-0000-000000000001'",
            "'0000000A-0000-0000-0000-000000000000'",
            "'0000000a-0000-0000-0000-000000000000'",
            "'5'"));
    literals.put("tiny", List.of("5", "-128", "127", "200"));
    literals.put("big", List.of("0", "5", "18446744073709551615", "18446744073709551616"));
    literals.put("raw", List.of("X'00'", "X'00FF'", "X''", "X'0001'", "X'FF'"));
    return literals;
  }

  @BeforeAll
  static void write(Connection connection) throws Exception {
    SplittableRandom random = new SplittableRandom(26);
    TableName name = TableName.valueOf("pushed_filters");
    try (SpreadTables tables = SpreadTables.on(connection)) {
      SpreadTable table = tables.create(name, LAYOUT, LAYOUT.splits(3), List.of("d"));
      try (SpreadMutator puts = table.mutator()) {
        for (long i = 0; i < ROWS; i++) {
          byte[] key = LAYOUT.logicalKey(record(random));
          puts.put(
              new Put(key).addColumn(Bytes.toBytes("d"), Bytes.toBytes("i"), Bytes.toBytes(i)));
        }
      }
    }
    spark = LocalSpark.on(connection);
    pushed = spark.read("pushed_filters").option("columns", "d:i=i:int64").load();
    // As rows of the driver: nothing of a filter can be pushed into them.
    own = spark.session().createDataFrame(pushed.collectAsList(), pushed.schema());
    assertThat(own.count()).isGreaterThan(ROWS / 2);
  }

  @AfterAll
  static void close() {
    spark.close();
  }

  private static Values record(SplittableRandom random) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put(
        "name", pick(random, "a", "ab", "abc", "abd", "b", "", "ä", "it's \"${user.name}\"", "z"));
    values.put("n", pick(random, -2, -1, 0, 1, 2, 3, Integer.MAX_VALUE, Integer.MIN_VALUE));
    values.put(
        "at",
        pick(
            random,
            Instant.parse("2026-01-01T00:00:00Z"),
            Instant.parse("2026-01-01T00:00:00.001Z"),
            Instant.parse("2026-01-01T00:00:00.002Z"),
            Instant.parse("1969-12-31T23:59:59.999Z"),
            Instant.parse("1969-12-31T23:59:59.998Z")));
    values.put(
        "day",
        pick(
            random,
            LocalDate.of(2026, 1, 1),
            LocalDate.of(2026, 1, 2),
            LocalDate.of(1969, 12, 31)));
    values.put("num", pick(random, "42", "7", "100", "9999"));
    values.put("site", pick(random, "www.example.com", "example.com", "a.org", "b.org/x"));
    values.put("amount", pick(random, dec("1.5"), dec("-2"), dec("0"), dec("1000"), dec("0.0002")));
    values.put("x", pick(random, 0.0, -0.0, Double.NaN, 1.5, -1.25, Double.NEGATIVE_INFINITY));
    values.put("flag", random.nextBoolean());
    values.put(
        "id",
        pick(
            random,
            new UUID(0xaL << 32, 0),
            new UUID(Long.MIN_VALUE, 1),
            new UUID(0, Long.MIN_VALUE)));
    values.put("tiny", pick(random, 5, -128, 127, 0));
    values.put(
        "big",
        pick(
            random,
            BigInteger.ZERO,
            BigInteger.valueOf(5),
            BigInteger.TWO.pow(64).subtract(BigInteger.ONE)));
    values.put("raw", ByteString.fromHex(pick(random, "00", "00ff", "", "0001", "ff")));
    return Values.of(values);
  }

  private static BigDecimal dec(String number) {
    return new BigDecimal(number);
  }

  @SafeVarargs
  private static <T> T pick(SplittableRandom random, T... of) {
    return of[random.nextInt(of.length)];
  }

  @Tag("long")
  @Test
  void filtersLetTheRowsPassThatSparkLetsPass() {
    long seed = Long.getLong("evenkey.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    int found = 0;
    int narrowed = 0;
    for (int i = 0; i < FILTERS; i++) {
      String filter = filter(random);
      Dataset<Row> rows = pushed.where(filter).select("i");
      List<Long> expected = ids(own.where(filter).select("i"));
      assertThat(ids(rows)).as("-Devenkey.seed=%d filter %s", seed, filter).isEqualTo(expected);
      found += expected.isEmpty() ? 0 : 1;
      narrowed += explained(rows).contains(", where ") ? 1 : 0;
    }
    assertThat(found).as("filters that let rows pass").isGreaterThan(FILTERS / 5);
    assertThat(narrowed).as("filters that were pushed").isGreaterThan(FILTERS / 5);
  }

  private static List<Long> ids(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(row -> row.getLong(0)).sorted().toList();
  }

  private static String filter(SplittableRandom random) {
    StringBuilder filter = new StringBuilder(term(random));
    for (int more = random.nextInt(3); more > 0; more--) {
      filter.append(random.nextInt(4) == 0 ? " or " : " and ").append(term(random));
    }
    return filter.toString();
  }

  private static String term(SplittableRandom random) {
    String field = pick(random, LITERALS.keySet().toArray(String[]::new));
    List<String> all = LITERALS.get(field);
    String value = all.get(random.nextInt(all.size()));
    String other = all.get(random.nextInt(all.size()));
    return switch (random.nextInt(9)) {
      case 0 -> field + " in (" + value + ", " + other + pick(random, "", ", null") + ")";
      case 1 -> value + pick(random, " < ", " >= ", " = ") + field;
      case 2 -> field + " between " + value + " and " + other;
      case 3 -> pick(random, "", "not ") + "(" + field + " = " + value + ")";
      case 4 -> field + pick(random, " is not null", " is null");
      case 5 ->
          pick(random, "name", "num", "site")
              + " like "
              + pick(random, "'a%'", "'00%'", "'%'", "'www.%'");
      default -> field + pick(random, " = ", " <=> ", " < ", " <= ", " > ", " >= ") + value;
    };
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "name = 'a'                                | name = \"a\"",
        "'a' < name                                | name > \"a\"",
        "name in ('a', 'b')                        | name in (\"a\", \"b\")",
        "name in ('a', null)                       | name in (\"a\")",
        "name like 'ab%'                           | name starts with \"ab\"",
        "name >= 'a' and n < 3                     | name >= \"a\" and n < \"3\"",
        "n <=> 3                                   | n = \"3\"",
        "at > timestamp'2026-01-01 00:00:00.0015'  | at > \"1767225600001\"",
        "at < timestamp'2026-01-01 00:00:00.0015'  | at < \"1767225600002\"",
        "day <= date'2026-01-01'                   | day <= \"2026-01-01\"",
        "num = '0042'                              | num = \"0042\"",
        "site = 'example.com'                      | site = \"example.com\"",
        "amount >= 1.5                             | amount >= \"1.5\"",
        "x > 1.5D                                  | x > \"1.5\"",
        "flag = true                               | flag = \"true\"",
        "tiny = 5                                  | tiny = \"5\"",
        "raw = X'00FF'                             | raw = \"00ff\"",
      })
  void conditionOnAFieldIsEvaluatedByHBase(String filter, String where) {
    assertThat(explained(pushed.where(filter)))
        .contains(", where " + where + ", cells")
        .doesNotContain("Filter ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "num = '42'              ", // the value is spelled 0042
        "site > 'example.com'    ", // keys have another order
        "x >= 0.0D               ", // -0.0 is the same for Spark
        "x = double('NaN')       ",
        "i = 5                   ", // no field of the key
        "name = 'a' or n = 3     ",
        "name != 'a'             ",
        "name like '%a'          ",
        "length(name) = 1        ",
      })
  void otherConditionIsEvaluatedBySpark(String filter) {
    assertThat(explained(pushed.where(filter))).contains("Filter ").doesNotContain(", where ");
  }

  @Test
  void fieldThatIsNeverNullNeedsNoFilter() {
    assertThat(explained(pushed.where("n is not null and name is not null")))
        .doesNotContain("Filter ")
        .doesNotContain(", where ");
  }

  private static String explained(Dataset<Row> rows) {
    return rows.queryExecution().executedPlan().toString();
  }
}
