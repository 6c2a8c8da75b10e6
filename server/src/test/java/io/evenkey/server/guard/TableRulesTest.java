/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndexes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableRulesTest {
  private static final String LAYOUT = "salt(4) + id:string";
  private static final byte[] STAMP = Stamp.of(Layout.parse(LAYOUT));
  private static final byte[] ROW = {0};
  private static final byte[] OTHER = Stamp.of(Layout.parse("salt(8) + id:string"));

  /** The values of each column, all of whose combinations are tried; - is an absent attribute. */
  private static final List<List<String>> COLUMNS =
      List.of(
          List.of("read", "write"),
          List.of("open", "tracked", "fenced", "over", "read_only", "closed", "strange"),
          List.of("none", "plain", "known", "later", "format"),
          List.of("-", "same", "other", "short", "plain"),
          List.of("-", "same", "stale", "zero", "short"),
          List.of("-", "raw"),
          List.of("allow", "refuse", "checked"));

  /** The first line that fits holds; * is any value. */
  private static final String TABLE =
      """
      kind  mode      layout stamp turn  raw policy outcome
      *     strange   *      *     *     raw *      ALLOWED
      *     strange   *      *     *     -   *      UNREADABLE
      *     *         *      *     same  *   *      ALLOWED
      *     *         *      *     stale *   *      TURN
      *     *         *      *     zero  *   *      TURN
      *     *         *      *     short *   *      TURN
      *     closed    *      *     -     *   *      CLOSED
      *     *         *      other -     *   *      LAYOUT
      *     *         *      short -     *   *      LAYOUT
      *     *         none   same  -     *   *      LAYOUT
      *     *         plain  same  -     *   *      LAYOUT
      *     *         later  same  -     *   *      LAYOUT
      *     *         format same  -     *   *      LAYOUT
      *     *         known  plain -     *   *      LAYOUT
      *     *         later  plain -     *   *      LAYOUT
      *     *         format plain -     *   *      LAYOUT
      *     *         known  -     -     -   refuse UNSTAMPED
      *     *         later  -     -     -   refuse UNSTAMPED
      *     *         format -     -     -   refuse UNSTAMPED
      read  *         known  -     -     -   checked UNSTAMPED
      read  *         later  -     -     -   checked UNSTAMPED
      read  *         format -     -     -   checked UNSTAMPED
      write *         later  -     -     -   checked UNSTAMPED
      write *         format -     -     -   checked UNSTAMPED
      read  *         *      *     -     *   *      ALLOWED
      write open      *      *     -     *   *      ALLOWED
      write tracked   *      *     -     *   *      MARKED
      write fenced    *      *     -     *   *      FENCED
      write over      *      *     -     *   *      MARKED
      write read_only *      *     -     *   *      FENCED
      """;

  private static final String PLAIN = "key:bytes";

  private static final Map<String, String> LAYOUTS =
      Map.of(
          "plain",
          PLAIN,
          "known",
          LAYOUT,
          "later",
          "something(9) + new",
          "format",
          "format=2 " + LAYOUT);

  @Test
  void decideEveryCombination() {
    List<List<String>> lines =
        TABLE.lines().skip(1).map(line -> List.of(line.strip().split(" +", -1))).toList();
    TreeSet<Integer> used = new TreeSet<>();
    List<List<String>> combinations = combinations();
    for (List<String> request : combinations) {
      int line = first(lines, request);
      used.add(line);
      assertThat(decide(request).name()).as("%s", request).isEqualTo(lines.get(line).get(7));
    }
    assertThat(combinations).hasSize(2 * 7 * 5 * 5 * 5 * 2 * 3);
    assertThat(used).as("lines that hold for a combination").hasSize(lines.size());
  }

  private static List<List<String>> combinations() {
    List<List<String>> all = List.of(List.of());
    for (List<String> column : COLUMNS) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> beginning : all) {
        for (String value : column) {
          List<String> next = new ArrayList<>(beginning);
          next.add(value);
          longer.add(next);
        }
      }
      all = longer;
    }
    return all;
  }

  private static int first(List<List<String>> lines, List<String> request) {
    for (int i = 0; i < lines.size(); i++) {
      boolean fits = true;
      for (int column = 0; column < request.size(); column++) {
        String wanted = lines.get(i).get(column);
        fits &= wanted.equals("*") || wanted.equals(request.get(column));
      }
      if (fits) {
        return i;
      }
    }
    throw new AssertionError("no line for " + request);
  }

  private static Outcome decide(List<String> request) {
    boolean read = request.get(0).equals("read");
    String policy = request.get(6);
    String mode = request.get(1);
    String layout = request.get(2);
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    TableRules rules =
        TableRules.of(
            new TableText(
                "t",
                LAYOUTS.get(layout),
                state(mode.equals("over") ? "fenced" : mode),
                null,
                "",
                read ? policy : null,
                read ? null : policy,
                null,
                null,
                null,
                null),
            nanos::get);
    nanos.addAndGet(GuardMode.FENCE.toNanos() + (mode.equals("over") ? 1 : 0));
    byte[] same = layout.equals("plain") ? Stamp.of(Layout.parse(PLAIN)) : STAMP;
    byte[] stamp = bytes(request.get(3), same, OTHER);
    byte[] turn = bytes(request.get(4), GuardAttributes.number(7), GuardAttributes.number(6));
    boolean raw = request.get(5).equals("raw");
    return read ? rules.read(stamp, turn, raw) : rules.write(stamp, turn, raw, ROW);
  }

  private static byte[] bytes(String value, byte[] same, byte[] other) {
    return switch (value) {
      case "-" -> null;
      case "same" -> same;
      case "short" -> new byte[] {1};
      case "plain" -> TableRules.layoutOf(naming(GuardAttributes.PLAIN));
      case "zero" -> GuardAttributes.number(0);
      default -> other;
    };
  }

  private static Get naming(String... attributes) {
    Get get = new Get(ROW);
    for (String attribute : attributes) {
      get.setAttribute(attribute, STAMP);
    }
    return get;
  }

  @Test
  void takeARequestForOneOfAPlainTableIfItNamesNeitherALayoutNorStoredRows() {
    assertThat(TableRules.layoutOf(naming())).isNull();
    assertThat(TableRules.layoutOf(naming(GuardAttributes.PLAIN))).isEmpty();
    assertThat(TableRules.layoutOf(naming(GuardAttributes.PLAIN, GuardAttributes.LAYOUT)))
        .isEqualTo(STAMP);
    assertThat(TableRules.layoutOf(naming(GuardAttributes.PLAIN, GuardAttributes.RAW))).isNull();
  }

  private static String state(String mode) {
    return "revision=3 mode=" + mode + " pass=1 turn=7 other=t.g2";
  }

  private static TableRules rules(String layout, String state, String rawWrites) {
    return TableRules.of(
        new TableText("t", layout, state, null, "", null, rawWrites, null, null, null, null));
  }

  @Test
  void letUnstampedRequestsReadAndWriteAsThePolicySays() {
    TableRules rules = rules(LAYOUT, null, null);
    assertThat(rules.read(null, null, false)).isEqualTo(Outcome.ALLOWED);
    assertThat(rules.write(null, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
    assertThat(rules.checks(null, null, false)).isTrue();
    TableRules all = rules(LAYOUT, null, " Allow ");
    assertThat(all.write(null, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
    assertThat(all.checks(null, null, false)).isFalse();
    for (String other : List.of("refuse", "alow", "")) {
      TableRules none = rules(LAYOUT, null, other);
      assertThat(none.write(null, null, false, ROW)).isEqualTo(Outcome.UNSTAMPED);
      assertThat(none.checks(null, null, false)).isFalse();
    }
  }

  @Test
  void checkOnlyWritesThatNameNothing() {
    TableRules rules = rules(LAYOUT, state("tracked"), " Checked");
    assertThat(rules.checks(null, null, false)).isTrue();
    assertThat(rules.checks(STAMP, null, false)).isFalse();
    assertThat(rules.checks(null, GuardAttributes.number(7), false)).isFalse();
    assertThat(rules.checks(null, null, true)).isFalse();
    assertThat(rules(null, null, null).checks(null, null, false)).isFalse();
    assertThat(rules(PLAIN, null, null).checks(null, null, false)).isFalse();
    assertThat(rules("format=2 " + LAYOUT, null, null).checks(null, null, false)).isFalse();
  }

  @Test
  void sayWhatTheLayoutMakesOfARow() {
    StoredRows rows = rules(LAYOUT, null, null).rows();
    byte[] stored = Layout.parse(LAYOUT).encode(Values.of("id", "b1"));
    assertThat(rows.problem(stored)).isNull();
    assertThat(rows.problem(new byte[0])).contains("too short");
    stored[0] ^= 1;
    assertThat(rows.problem(stored)).contains("salt(4) gives this key another prefix");
    assertThat(rows.problem(new byte[] {'b', '1'}))
        .contains("as a logical key, it is stored as \\x0")
        .contains("b1)");
  }

  private static TableRules indexed(String layout, String indexes) {
    return TableRules.of(
        new TableText("t", layout, null, null, indexes, null, "allow", null, null, null, null));
  }

  @Test
  void takeOnlyWritesOfClientsThatKnowTheIndexes() {
    String text = "format=1 version=3; by_id events building as \"id:string\"";
    TableIndexes indexes = TableIndexes.parse(text);
    for (String line : List.of(LAYOUT, PLAIN)) {
      TableRules rules = indexed(line, text);
      byte[] known = Stamp.of(Layout.parse(line), indexes);
      byte[] earlier =
          Stamp.of(Layout.parse(line), TableIndexes.parse(text.replace("version=3", "version=2")));
      byte[] none = Stamp.of(Layout.parse(line));
      assertThat(rules.write(known, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.read(known, null, false)).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.load(known, null)).isEqualTo(Outcome.ALLOWED);
      for (byte[] stamp : List.of(earlier, none)) {
        assertThat(rules.write(stamp, null, false, ROW)).isEqualTo(Outcome.LAYOUT);
        assertThat(rules.read(stamp, null, false)).isEqualTo(Outcome.LAYOUT);
        assertThat(rules.load(stamp, null)).isEqualTo(Outcome.LAYOUT);
      }
      // The index has all rows: none can be written without an entry.
      for (boolean raw : List.of(false, true)) {
        assertThat(rules.checks(null, null, raw)).isTrue();
        assertThat(rules.indexedColumns().isChangedBy(new Put(ROW).addColumn(ROW, ROW, ROW)))
            .isTrue();
      }
      assertThat(rules.load(null, null)).isEqualTo(Outcome.UNSTAMPED);
      assertThat(rules.read(null, null, false)).isEqualTo(Outcome.ALLOWED);
    }
  }

  @Test
  void takeRowsWithoutEntriesWhileNoIndexIsReadOrFilled() {
    String text = "format=1 version=3; by_id events joining as \"id:string\"";
    TableRules rules = indexed(LAYOUT, text);
    assertThat(rules.needsEntries()).isFalse();
    assertThat(rules.load(null, null)).isEqualTo(Outcome.ALLOWED);
    assertThat(rules.checksFiles()).isTrue();
    assertThat(rules.checks(null, null, false)).isTrue();
    TableRules read = indexed(LAYOUT, text.replace("joining", "public"));
    assertThat(read.needsEntries()).isTrue();
    assertThat(read.load(null, null)).isEqualTo(Outcome.UNSTAMPED);
  }

  @Test
  void tellWritesOfIndexedColumnsFromOthers() {
    String text =
        "format=1 version=3; by_c events public as \"c:string + id:string\" from c=d:c covering d:n";
    IndexedColumns columns = indexed(LAYOUT, text).indexedColumns();
    byte[] d = {'d'};
    byte[] c = {'c'};
    byte[] x = {'x'};
    assertThat(columns.isChangedBy(new Put(ROW).addColumn(d, c, x))).isTrue();
    assertThat(columns.isChangedBy(new Put(ROW).addColumn(d, new byte[] {'n'}, x))).isTrue();
    assertThat(columns.isChangedBy(new Put(ROW).addColumn(d, x, x))).isFalse();
    assertThat(columns.isChangedBy(new Put(ROW).addColumn(x, c, x))).isFalse();
    assertThat(columns.isChangedBy(new Delete(ROW))).isTrue();
    assertThat(columns.isChangedBy(new Delete(ROW).addFamily(d))).isTrue();
    assertThat(columns.isChangedBy(new Delete(ROW).addFamilyVersion(d, 1))).isTrue();
    assertThat(columns.isChangedBy(new Delete(ROW).addFamily(x))).isFalse();
    assertThat(columns.isChangedBy(new Delete(ROW).addColumns(d, c))).isTrue();
    assertThat(columns.isChangedBy(new Delete(ROW).addColumns(d, x))).isFalse();
  }

  @Test
  void forgetIndexesThatWereAllDropped() {
    TableRules rules = indexed(LAYOUT, "format=1 version=4");
    assertThat(rules.write(STAMP, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
    assertThat(rules.write(null, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
  }

  @Test
  void takeNoWriteOfATableWhoseIndexesAreOfALaterFormat() {
    TableRules rules = indexed(LAYOUT, "format=2 version=4; by_x");
    assertThat(rules.layoutUnknown()).isTrue();
    assertThat(rules.write(STAMP, null, false, ROW)).isEqualTo(Outcome.LAYOUT);
    assertThat(rules.write(null, null, true, ROW)).isEqualTo(Outcome.UNSTAMPED);
  }

  @Test
  void letEveryRequestToAPlainTableThrough() {
    for (TableRules rules : List.of(rules(null, null, null), rules(PLAIN, null, null))) {
      assertThat(rules.read(null, null, false)).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.write(null, null, false, ROW)).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.call()).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.load(null, null)).isEqualTo(Outcome.ALLOWED);
      assertThat(rules.layoutUnknown()).isFalse();
    }
  }

  @Test
  void refuseTheTurnsOfATableAtRest() {
    for (long turn : new long[] {0, 1, -1}) {
      TableRules rules = rules(LAYOUT, null, null);
      byte[] migration = GuardAttributes.number(turn);
      assertThat(rules.read(STAMP, migration, false)).isEqualTo(Outcome.TURN);
      assertThat(rules.write(STAMP, migration, false, ROW)).isEqualTo(Outcome.TURN);
    }
    TableRules closed = rules(LAYOUT, "revision=1 mode=closed pass=0 turn=0 other=", null);
    assertThat(closed.load(STAMP, GuardAttributes.number(0))).isEqualTo(Outcome.TURN);
  }

  @Test
  void takeALineOfAnotherFormatForALayoutThatIsUnknown() {
    TableRules rules = rules("format=2 " + LAYOUT, null, null);
    assertThat(rules.layoutUnknown()).isTrue();
    assertThat(rules(LAYOUT, null, null).layoutUnknown()).isFalse();
  }

  @Test
  void dropEntriesOfTheTimeBeforeTheClustersWereCompared() {
    TableRules rules =
        TableRules.of(
            new TableText(
                "t", LAYOUT, state("closed"), null, "", null, null, null, null, "7", null));
    assertThat(rules.hasArrived(0)).isTrue();
    assertThat(rules.hasArrived(7)).isTrue();
    assertThat(rules.hasArrived(8)).isFalse();
    TableRules others = rules(LAYOUT, state("closed"), null);
    assertThat(others.hasArrived(0)).isFalse();
    assertThat(others.hasArrived(new SourceLayout(LAYOUT))).isFalse();
    assertThat(others.replicatedTurn()).isNotNull();
    assertThat(rules(LAYOUT, null, null).replicatedTurn()).isNull();
  }

  @Test
  void dropEntriesWithoutATurnUnlessTheTableIsInUseByTheirLayout() {
    for (String mode : List.of("closed", "tracked", "open")) {
      TableRules rules =
          TableRules.of(
              new TableText("t", LAYOUT, state(mode), null, "", null, null, null, null, "7", null));
      assertThat(rules.hasArrived(new SourceLayout(LAYOUT))).isEqualTo(mode.equals("closed"));
      assertThat(rules.hasArrived(new SourceLayout("salt(99) + id:string"))).isTrue();
      assertThat(rules.hasArrived(SourceLayout.UNKNOWN)).isFalse();
    }
  }

  @Test
  void holdAFenceForTenSecondsAfterEachChangeOfTheState() {
    AtomicLong nanos = new AtomicLong();
    TableText text =
        new TableText("t", LAYOUT, state("fenced"), null, "", null, null, null, null, null, null);
    TableRules first = TableRules.of(text, nanos::get);
    nanos.set(GuardMode.FENCE.toNanos() + 1);
    TableRules second = TableRules.of(text, nanos::get);
    assertThat(first.write(STAMP, null, false, ROW)).isEqualTo(Outcome.MARKED);
    assertThat(first.write(null, null, false, ROW)).isEqualTo(Outcome.MARKED);
    assertThat(first.load(STAMP, null)).isEqualTo(Outcome.MIGRATING);
    assertThat(first.keepsTombstones()).isTrue();
    assertThat(second.write(STAMP, null, false, ROW)).isEqualTo(Outcome.FENCED);
  }

  @Test
  void refuseCallsOfEndpointsOfAClosedTable() {
    assertThat(rules(null, state("closed"), null).call()).isEqualTo(Outcome.CLOSED);
    assertThat(rules(null, state("fenced"), null).call()).isEqualTo(Outcome.ALLOWED);
    assertThat(rules(null, state("strange"), null).call()).isEqualTo(Outcome.UNREADABLE);
  }

  @Test
  void takeFilesByTheirStampsAndWhileClosedByTheirTurn() {
    byte[] turn = GuardAttributes.number(7);
    TableRules open = rules(LAYOUT, state("open"), null);
    assertThat(open.load(STAMP, null)).isEqualTo(Outcome.ALLOWED);
    assertThat(open.load(OTHER, null)).isEqualTo(Outcome.LAYOUT);
    assertThat(open.load(null, turn)).isEqualTo(Outcome.ALLOWED);
    assertThat(open.checksFiles()).isTrue();
    assertThat(rules(LAYOUT, state("open"), "refuse").load(null, turn))
        .isEqualTo(Outcome.UNSTAMPED);
    assertThat(rules(LAYOUT, state("closed"), null).checksFiles()).isFalse();
    assertThat(rules(LAYOUT, state("open"), "allow").load(null, null)).isEqualTo(Outcome.ALLOWED);
    for (String mode : List.of("tracked", "fenced", "read_only")) {
      assertThat(rules(LAYOUT, state(mode), "allow").load(STAMP, turn))
          .isEqualTo(Outcome.MIGRATING);
    }
    TableRules closed = rules(LAYOUT, state("closed"), "allow");
    assertThat(closed.load(null, turn)).isEqualTo(Outcome.ALLOWED);
    assertThat(closed.load(STAMP, GuardAttributes.number(6))).isEqualTo(Outcome.TURN);
    assertThat(closed.load(STAMP, null)).isEqualTo(Outcome.CLOSED);
    assertThat(rules(LAYOUT, state("strange"), "allow").load(STAMP, turn))
        .isEqualTo(Outcome.UNREADABLE);
  }

  @Test
  void keepTombstonesWhileAMigrationMayCompareThem() {
    assertThat(rules(null, null, null).keepsTombstones()).isFalse();
    assertThat(rules(null, state("open"), null).keepsTombstones()).isFalse();
    for (String mode : List.of("tracked", "fenced", "read_only", "closed", "strange")) {
      assertThat(rules(null, state(mode), null).keepsTombstones()).as(mode).isTrue();
    }
  }

  private static final String FEW = "salt(4) + no:int64";
  private static final String MORE = "salt(4; 8 from no 100) + no:int64";

  private static TableRules taking(String mode, String layout, String other) {
    return TableRules.of(
        new TableText("t", layout, state(mode), other, "", null, null, null, null, null, null));
  }

  private static Outcome write(TableRules rules, String by, long no) {
    Layout layout = Layout.parse(by);
    return rules.write(Stamp.of(layout), null, false, layout.encode(Values.of(Map.of("no", no))));
  }

  @Test
  void holdRowsAtOrAfterTheStepThatIsTakenByEitherLayout() {
    for (TableRules rules : List.of(taking("shared", FEW, MORE), taking("shared", MORE, FEW))) {
      for (String by : List.of(FEW, MORE)) {
        assertThat(write(rules, by, 99)).isEqualTo(Outcome.ALLOWED);
        assertThat(write(rules, by, 100)).isEqualTo(Outcome.FENCED);
        assertThat(write(rules, by, Long.MAX_VALUE)).isEqualTo(Outcome.FENCED);
        assertThat(rules.read(Stamp.of(Layout.parse(by)), null, false)).isEqualTo(Outcome.ALLOWED);
      }
      assertThat(rules.read(OTHER, null, false)).isEqualTo(Outcome.LAYOUT);
      assertThat(
              rules.write(null, null, true, Layout.parse(FEW).encode(Values.of(Map.of("no", 100)))))
          .isEqualTo(Outcome.FENCED);
      assertThat(rules.load(Stamp.of(Layout.parse(FEW)), null)).isEqualTo(Outcome.MIGRATING);
      assertThat(rules.marks()).isFalse();
      assertThat(rules.keepsTombstones()).isFalse();
    }
  }

  @Test
  void acceptTheTablesOwnLayoutOnlyWhileAStepIsHeld() {
    TableRules before = taking("held", FEW, MORE);
    assertThat(write(before, FEW, 99)).isEqualTo(Outcome.ALLOWED);
    assertThat(write(before, FEW, 100)).isEqualTo(Outcome.FENCED);
    assertThat(write(before, MORE, 99)).isEqualTo(Outcome.LAYOUT);
    assertThat(before.read(Stamp.of(Layout.parse(MORE)), null, false)).isEqualTo(Outcome.LAYOUT);
    TableRules after = taking("held", MORE, FEW);
    assertThat(write(after, MORE, 100)).isEqualTo(Outcome.FENCED);
    assertThat(write(after, FEW, 99)).isEqualTo(Outcome.LAYOUT);
  }

  @Test
  void refuseAllRequestsWithoutTheOtherLayoutOfAStep() {
    for (String other : Arrays.asList(null, FEW, "salt(5) + no:int64", "salt(4")) {
      assertThat(write(taking("held", FEW, other), FEW, 1)).isEqualTo(Outcome.UNREADABLE);
    }
    assertThat(write(taking("open", MORE, FEW), MORE, 100)).isEqualTo(Outcome.ALLOWED);
  }

  private static TableRules sink(String mode, String layout, @Nullable String other, String turn) {
    return TableRules.of(
        new TableText("t", layout, state(mode), other, "", null, null, null, null, null, turn));
  }

  private static byte[] row(String layout, long no) {
    return Layout.parse(layout).encode(Values.of(Map.of("no", no)));
  }

  @Test
  void takeReplicatedRowsBeforeAStepThatOneClusterHas() {
    for (List<String> layouts : List.of(List.of(FEW, MORE), List.of(MORE, FEW))) {
      SourceLayout source = new SourceLayout(layouts.get(0));
      TableRules rules = rules(layouts.get(1), null, null);
      assertThat(rules.isOther(source, row(FEW, 99))).isFalse();
      assertThat(rules.precedesStep(source, 0, row(FEW, 99))).isFalse();
      assertThat(rules.awaitsStep(source, row(FEW, 99))).isFalse();
      assertThat(rules.isOther(source, row(FEW, 100))).isTrue();
    }
    SourceLayout other = new SourceLayout("salt(5) + no:int64");
    assertThat(rules(MORE, null, null).isOther(other, row(FEW, 99))).isTrue();
    assertThat(rules(MORE, null, null).isOther(SourceLayout.UNKNOWN, row(MORE, 100))).isFalse();
  }

  @Test
  void haveReplicatedRowsWaitForAStep() {
    SourceLayout source = new SourceLayout(MORE);
    for (TableRules rules : List.of(rules(FEW, null, null), sink("held", FEW, MORE, "7"))) {
      assertThat(rules.awaitsStep(source, row(MORE, 100))).isTrue();
      assertThat(rules.precedesStep(source, 7, row(MORE, 100))).isFalse();
    }
    assertThat(rules(MORE, null, null).awaitsStep(source, row(MORE, 100))).isFalse();
    assertThat(rules(MORE, null, null).isOther(source, row(MORE, 100))).isFalse();
    assertThat(rules(FEW, null, "allow").awaitsStep(source, row(MORE, 100))).isFalse();
  }

  @Test
  void dropReplicatedRowsOfTheTimeBeforeTheStep() {
    SourceLayout source = new SourceLayout(FEW);
    byte[] late = row(FEW, 100);
    TableRules rules = sink("open", MORE, null, "7");
    assertThat(rules.precedesStep(source, 0, late)).isTrue();
    assertThat(rules.precedesStep(source, 7, late)).isTrue();
    assertThat(rules.precedesStep(source, 7, row(FEW, 99))).isFalse();
    assertThat(rules.precedesStep(new SourceLayout(MORE), 7, row(MORE, 100))).isFalse();
    // Of a source that was created again.
    assertThat(rules.precedesStep(source, 8, late)).isFalse();
    assertThat(rules.isOther(source, late)).isTrue();
    assertThat(rules.awaitsStep(source, late)).isFalse();
    // The step was not taken with the source.
    assertThat(rules(MORE, null, null).precedesStep(source, 0, late)).isFalse();
  }

  @Test
  void dropNoReplicatedRowWhileTheStepMayStillBeRolledBack() {
    SourceLayout source = new SourceLayout(FEW);
    for (String mode : List.of("held", "shared")) {
      assertThat(sink(mode, MORE, FEW, "7").precedesStep(source, 7, row(FEW, 100))).isFalse();
      assertThat(sink(mode, FEW, MORE, "7").precedesStep(source, 7, row(FEW, 100))).isFalse();
    }
    // A later step: rows between the two steps were dropped already.
    String next = "salt(4; 8 from no 100, 16 from no 200) + no:int64";
    for (TableRules rules : List.of(sink("held", MORE, next, "7"), sink("held", next, MORE, "7"))) {
      assertThat(rules.precedesStep(source, 7, row(FEW, 100))).isTrue();
      assertThat(rules.precedesStep(source, 7, row(FEW, 200))).isFalse();
    }
  }

  @Test
  void takeFilesOfBeforeTheStepByTheirRows() {
    assertThat(sink("open", MORE, null, "7").isOtherOfFiles(new SourceLayout(FEW))).isFalse();
    assertThat(rules(MORE, null, null).isOtherOfFiles(new SourceLayout(FEW))).isTrue();
    assertThat(sink("open", FEW, null, "7").isOtherOfFiles(new SourceLayout(MORE))).isTrue();
    assertThat(sink("open", MORE, null, "7").isOtherOfFiles(new SourceLayout(LAYOUT))).isTrue();
  }

  @Test
  void tellTheLayoutBeforeTheStepUntilItIsTaken() {
    assertThat(taking("held", FEW, MORE).replicatedLayout()).isEqualTo(FEW);
    assertThat(taking("shared", MORE, FEW).replicatedLayout()).isEqualTo(FEW);
    assertThat(taking("open", MORE, null).replicatedLayout()).isEqualTo(MORE);
  }
}
