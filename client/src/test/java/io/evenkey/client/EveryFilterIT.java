/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static io.evenkey.client.RandomFilters.FAMILIES;
import static io.evenkey.client.RandomFilters.QUALIFIERS;
import static io.evenkey.client.RandomWork.FIELDS;
import static io.evenkey.client.RandomWork.bound;
import static io.evenkey.client.RandomWork.key;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every class of filters in HBase's jar, on a plain table of one region and on spread tables with
 * the same rows: the same rows come back, or the filter is rejected by an error that names it.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryFilterIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261128L);
  private static final TableName PLAIN = TableName.valueOf("every_filter_plain");

  /** A salt of the whole key, and one by which the keys of a device are in one range. */
  private static final List<String> SPREAD =
      List.of("salt(4) + " + FIELDS, "salt(3, device) + " + FIELDS);

  /** What came back, or the message of an error that rejects the filter. */
  private record Outcome(String rows, boolean rejected) {}

  private Connection plain;
  private Connection dropIn;
  private AsyncConnection async;
  private final List<TableName> spread = new ArrayList<>();
  private final List<String> differences = new ArrayList<>();
  private static final String FAILS = "fails in HBase's own code";

  private final TreeMap<String, int[]> counts = new TreeMap<>();

  @BeforeAll
  void createTables(Connection shared) throws IOException {
    Configuration configuration = new Configuration(shared.getConfiguration());
    // What fails in a filter of HBase's fails each time.
    configuration.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 2);
    plain = ConnectionFactory.createConnection(configuration);
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
    List<Put> rows = rows(new SplittableRandom(SEED));
    try (Admin admin = plain.getAdmin();
        Admin ours = dropIn.getAdmin()) {
      admin.createTable(descriptor(PLAIN));
      try (Table table = plain.getTable(PLAIN)) {
        table.put(rows);
      }
      for (String line : SPREAD) {
        TableName name = TableName.valueOf("every_filter_" + spread.size());
        Layout layout = Layout.parse(line);
        ours.createTable(TableLayout.with(descriptor(name), layout), layout.splits(3).toArray());
        spread.add(name);
        try (Table table = dropIn.getTable(name)) {
          table.put(rows);
        }
      }
    }
  }

  @AfterAll
  void close() throws IOException {
    async.close();
    dropIn.close();
    plain.close();
  }

  private static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamilies(
            Stream.of(FAMILIES)
                .map(
                    family ->
                        ColumnFamilyDescriptorBuilder.newBuilder(family).setMaxVersions(3).build())
                .toList())
        .build();
  }

  private static List<Put> rows(SplittableRandom random) {
    List<Put> rows = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      Put put = new Put(key(random));
      for (int j = random.nextInt(9); j >= 0; j--) {
        put.addColumn(
            FAMILIES[random.nextInt(FAMILIES.length)],
            QUALIFIERS[random.nextInt(QUALIFIERS.length)],
            1 + random.nextInt(9),
            Bytes.toBytes((long) random.nextInt(5)));
      }
      rows.add(put);
    }
    return rows;
  }

  @Test
  void everyClassOfFiltersAndComparatorsInHBasesJarIsTried() throws Exception {
    RandomFilters filters = new RandomFilters(new SplittableRandom(SEED));
    Set<String> parts = Set.of("FilterListWithAND", "FilterListWithOR");
    assertThat(names(filters.filters().stream()))
        .isEqualTo(names(classes(Filter.class).filter(c -> !parts.contains(c.getSimpleName()))));
    assertThat(names(filters.comparators().stream()))
        .isEqualTo(names(classes(ByteArrayComparable.class)));
  }

  private static Set<String> names(Stream<? extends Class<?>> classes) {
    return classes.map(Class::getName).collect(toCollection(TreeSet::new));
  }

  private static Stream<Class<?>> classes(Class<?> kind) throws IOException, URISyntaxException {
    File jar = new File(Filter.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile entries = new JarFile(jar)) {
      List<Class<?>> found = new ArrayList<>();
      for (String name : entries.stream().map(Object::toString).toList()) {
        if (name.startsWith("org/apache/hadoop/hbase/filter/") && name.endsWith(".class")) {
          Class<?> type = load(name);
          if (kind.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers())) {
            found.add(type);
          }
        }
      }
      return found.stream();
    }
  }

  private static Class<?> load(String entry) {
    try {
      return Class.forName(
          entry.substring(0, entry.length() - ".class".length()).replace('/', '.'),
          false,
          Filter.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(entry, e);
    }
  }

  @Test
  void aFilterPassesTheSameRowsAsOnAPlainTableOrIsRejected() throws Exception {
    compare(new SplittableRandom(SEED), 3);
  }

  @Test
  @Tag("long")
  void manyMoreFiltersPassTheSameRowsOrAreRejected() throws Exception {
    compare(new SplittableRandom(SEED + 1), Integer.getInteger("evenkey.filter.draws", 20));
  }

  private void compare(SplittableRandom random, int draws) throws Exception {
    RandomFilters filters = new RandomFilters(random);
    List<Class<? extends Filter>> classes =
        filters.filters().stream().sorted(Comparator.comparing(Class::getName)).toList();
    for (int draw = 0; draw < draws; draw++) {
      for (Class<? extends Filter> type : classes) {
        boolean reversed = type != FuzzyRowFilter.class && random.nextInt(3) == 0;
        compare(random.split(), filters.of(type, reversed), reversed, type.getSimpleName());
        reversed = random.nextInt(3) == 0;
        compare(random.split(), filters.nested(reversed), reversed, "nested");
      }
    }
    assertThat(differences).isEmpty();
    String tried = counts();
    counts.forEach(
        (name, count) ->
            assertThat(count[1]).as("%s passed of those tried: %s", name, tried).isPositive());
  }

  @Test
  void aFilterThatDecidesByEarlierRowsIsRejectedInAScanOfSeveralBucketsOnly() throws Exception {
    byte[] family = FAMILIES[0];
    byte[] one = Bytes.toBytes(1L);
    RowFilter below =
        new RowFilter(CompareOperator.LESS, new BinaryComparator(Bytes.toBytes("d3")));
    FilterList.Operator all = FilterList.Operator.MUST_PASS_ALL;
    FilterList.Operator any = FilterList.Operator.MUST_PASS_ONE;
    SingleColumnValueFilter rejects =
        new SingleColumnValueFilter(family, QUALIFIERS[1], CompareOperator.EQUAL, one);
    Scan ascending = new Scan();
    Scan descending = new Scan().setReversed(true);
    rejectedIn(ascending, new ColumnCountGetFilter(2));
    rejectedIn(descending, new ColumnCountGetFilter(2));
    rejectedIn(ascending, new FilterList(all, new ColumnCountGetFilter(2), new KeyOnlyFilter()));
    rejectedIn(ascending, new SkipFilter(new ColumnCountGetFilter(2)));
    rejectedIn(descending, new WhileMatchFilter(below));
    rejectedIn(
        ascending,
        new WhileMatchFilter(
            new RowFilter(
                CompareOperator.LESS, new BinaryComponentComparator(new byte[] {'3'}, 1))));
    rejectedIn(
        ascending,
        new WhileMatchFilter(
            new RowFilter(CompareOperator.LESS_OR_EQUAL, new RegexStringComparator("[01]"))));
    rejectedIn(ascending, new FilterList(all, new PageFilter(3), rejects));
    rejectedIn(ascending, new FilterList(any, new FilterList(all, new PageFilter(3)), below));
    rejectedIn(ascending, new SkipFilter(new PageFilter(3)));
    Filter page = new WhileMatchFilter(new PageFilter(3));
    rejectedIn(ascending, new FilterList(all, page, rejects));
    rejects.setFilterIfMissing(true);
    rejectedIn(ascending, new FilterList(any, rejects, new WhileMatchFilter(below)));
    rejectedIn(
        ascending,
        new FilterList(
            any,
            rejects,
            new FilterList(all, new PrefixFilter(new byte[] {'d'}), new KeyOnlyFilter())));
    for (Filter passes :
        List.of(
            new FilterList(all, rejects, new PageFilter(3)),
            new FilterList(all, new PageFilter(3), new KeyOnlyFilter()),
            page,
            new FilterList(all, rejects, page),
            new FilterList(any, new PrefixFilter(new byte[] {'d', '1'}), rejects),
            new WhileMatchFilter(below))) {
      Scan scan = new Scan().setFilter(passes);
      assertThat(scanned(spread.get(0), scan, false))
          .as(passes.toString())
          .isEqualTo(new Outcome(scanned(scan), false));
    }
  }

  private void rejectedIn(Scan scan, Filter filter) throws Exception {
    Scan several = new Scan(scan).setFilter(filter);
    for (boolean later : new boolean[] {false, true}) {
      Outcome outcome = scanned(spread.get(0), several, later);
      assertThat(outcome.rejected).as("%s passed %s", filter, outcome.rows).isTrue();
      assertThat(outcome.rows).contains("filter=");
    }
    byte[] device = Bytes.toBytes("d2\0");
    byte[] next = Bytes.toBytes("d2\1");
    boolean reversed = scan.isReversed();
    Scan oneBucket =
        new Scan(several)
            .withStartRow(reversed ? next : device, !reversed)
            .withStopRow(reversed ? device : next, reversed);
    assertThat(scanned(spread.get(1), oneBucket, false))
        .as("%s of one device", filter)
        .isEqualTo(new Outcome(scanned(oneBucket), false));
  }

  private String counts() {
    StringBuilder text = new StringBuilder("seed " + SEED);
    counts.forEach(
        (name, c) ->
            text.append(' ').append(name).append('=').append(c[1]).append('/').append(c[0]));
    return text.toString();
  }

  // In scans, some filters are always rejected; a get has one row.
  private void compare(SplittableRandom random, Filter filter, boolean reversed, String name)
      throws Exception {
    Scan scan = scan(random, filter, reversed);
    Get get = new Get(key(random)).readVersions(2).setFilter(filter);
    boolean later = random.nextBoolean();
    for (TableName table : spread) {
      String what = "seed " + SEED + " " + filter + " " + scan + " on " + table + " later " + later;
      Outcome scanned = scanned(table, scan, later);
      int[] count = counts.computeIfAbsent(name, n -> new int[2]);
      count[0]++;
      if (!scanned.rejected) {
        check(what, scanned, scanned(scan));
        count[1]++;
      }
      Outcome got = got(table, get, later);
      if (!got.rejected) {
        check("seed " + SEED + " " + get, got, got(get));
        count[1]++;
      }
    }
  }

  private void check(String what, Outcome spread, String ofPlain) {
    boolean fails = spread.rows.equals(FAILS) || ofPlain.equals(FAILS);
    if (!fails && !spread.rows.equals(ofPlain)) {
      differences.add(what + "\nspread: " + spread.rows + "\nplain: " + ofPlain);
    }
  }

  private static Scan scan(SplittableRandom random, Filter filter, boolean reversed) {
    Scan scan = new Scan().setFilter(filter).setReversed(reversed);
    scan.setLoadColumnFamiliesOnDemand(!reversed && random.nextBoolean());
    if (random.nextBoolean()) {
      byte[] device = {'d', (byte) ('0' + random.nextInt(6)), 0};
      byte[] next = {'d', device[1], 1};
      scan.withStartRow(reversed ? next : device, !reversed);
      scan.withStopRow(reversed ? device : next, reversed);
    } else if (random.nextBoolean()) {
      scan.withStartRow(bound(random), random.nextBoolean());
    }
    scan.readVersions(1 + random.nextInt(3));
    switch (random.nextInt(4)) {
      case 0 -> scan.setLimit(1 + random.nextInt(12));
      case 1 -> scan.setCaching(1 + random.nextInt(3));
      case 2 -> {
        if (!filter.hasFilterRow()) {
          scan.setBatch(1 + random.nextInt(3));
        }
      }
      default -> scan.addFamily(FAMILIES[0]);
    }
    return scan;
  }

  /** Says whether a server has failed in HBase's own code, which some lists of filters do. */
  private static boolean isFaultOfHBase(Throwable failure) {
    return String.valueOf(failure.getMessage()).contains("\"filterResponse\" is null");
  }

  private String scanned(Scan scan) throws IOException {
    try (Table table = plain.getTable(PLAIN)) {
      return rows(table, scan);
    } catch (IOException | RuntimeException e) {
      return failed(e);
    }
  }

  private String got(Get get) throws IOException {
    try (Table table = plain.getTable(PLAIN)) {
      return text(table.get(get));
    } catch (IOException e) {
      return failed(e);
    }
  }

  private static String failed(Exception e) throws IOException {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (isFaultOfHBase(cause)) {
        return FAILS;
      }
    }
    if (e instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    throw e instanceof IOException known ? known : new IOException(e);
  }

  private static String rows(Table table, Scan scan) throws IOException {
    StringBuilder rows = new StringBuilder();
    try (ResultScanner scanner = table.getScanner(new Scan(scan))) {
      for (Result row : scanner) {
        rows.append(text(row));
      }
    }
    return rows.toString();
  }

  private Outcome scanned(TableName name, Scan scan, boolean later) throws Exception {
    try (Table table = dropIn.getTable(name)) {
      if (!later) {
        return new Outcome(rows(table, scan), false);
      }
      AsyncTable<?> asynchronous = async.getTable(name);
      StringBuilder rows = new StringBuilder();
      FutureUtils.get(asynchronous.scanAll(new Scan(scan))).forEach(row -> rows.append(text(row)));
      return new Outcome(rows.toString(), false);
    } catch (UnsupportedFilterException e) {
      return new Outcome(e.getMessage(), true);
    } catch (IOException | RuntimeException e) {
      return new Outcome(failed(e), false);
    }
  }

  private Outcome got(TableName name, Get get, boolean later) throws Exception {
    try (Table table = dropIn.getTable(name)) {
      Result row = later ? FutureUtils.get(async.getTable(name).get(get)) : table.get(get);
      return new Outcome(text(row), false);
    } catch (UnsupportedFilterException e) {
      return new Outcome(e.getMessage(), true);
    } catch (IOException | RuntimeException e) {
      return new Outcome(failed(e), false);
    }
  }

  private static String text(Result row) {
    StringBuilder text = new StringBuilder("\n");
    for (Cell cell : row.rawCells()) {
      text.append(ByteText.printable(CellUtil.cloneRow(cell)))
          .append('/')
          .append(Bytes.toString(CellUtil.cloneFamily(cell)))
          .append(':')
          .append(Bytes.toString(CellUtil.cloneQualifier(cell)))
          .append('@')
          .append(cell.getTimestamp())
          .append('=')
          .append(ByteText.hex(CellUtil.cloneValue(cell)))
          .append(' ');
    }
    return text.toString();
  }
}
