/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.text.LayoutException;
import io.evenkey.report.failure.Problem;
import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.ReadingSource;
import io.evenkey.report.heat.counters.RegionReading;
import io.evenkey.report.heat.counters.TableReading;
import io.evenkey.report.heat.counters.TableReading.Kind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a cluster's counters at regular intervals, and keeps their history. Thread-safe.
 *
 * <p>Several recorders can read one cluster and share a table: they write the same rows.
 */
public final class Recorder implements AutoCloseable {
  /** HBase's servers report no more often than this. */
  public static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int DIAGNOSED = 30;

  /** A region that is missing from more readings than this no longer exists. */
  private static final int AWAY = 10;

  /** Readings that fail before the operator is warned. */
  private static final int LATE = 4;

  private final ReadingSource readings;
  private final Duration every;
  private final StoredHistory stored;
  private final History history;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "evenkey-heat");
            thread.setDaemon(true);
            return thread;
          });
  private volatile @Nullable ScheduledFuture<?> regular;
  private final Map<String, RegionReading> away = new HashMap<>();
  private final Map<String, TableReading> known = new HashMap<>();
  private volatile @Nullable Reading last;
  private volatile Map<String, Layout> layouts = Map.of();
  private volatile String problem = "";
  private volatile long startedAt;

  /**
   * Creates a recorder without history.
   *
   * @param every the duration of the finest columns
   * @param table the table of the history, or null for a history in memory only
   * @param writes whether the history is also written to the table, or only read from it
   */
  public Recorder(
      ReadingSource readings, Duration every, @Nullable HistoryTable table, boolean writes) {
    if (every.compareTo(SHORTEST) < 0) {
      throw new EvenkeyArgumentException(
          "counters read too often: every=" + every.toMillis() + " ms; at most once a second");
    }
    this.readings = readings;
    this.every = every;
    this.stored = new StoredHistory(table, writes);
    this.history = new History(Layer.of(every));
  }

  /** Loads the stored history, if it can be read, and starts to read at regular intervals. */
  public Recorder start() {
    stored.loadInto(history);
    startedAt = System.currentTimeMillis();
    long millis = every.toMillis();
    long wait = millis - Math.floorMod(System.currentTimeMillis(), millis);
    timer.execute(this::tick);
    regular = timer.scheduleAtFixedRate(this::tick, wait, millis, TimeUnit.MILLISECONDS);
    return this;
  }

  /** Reads once, now. */
  public void read() throws IOException {
    take(readings.read());
  }

  private void tick() {
    try {
      read();
      problem = "";
    } catch (IOException | RuntimeException e) {
      // The next reading may succeed: a missing one is shown as a gap.
      problem = Problem.of(e, "the log has more").line();
      LOG.warn("counters could not be read: {}", problem, e);
    }
    listeners.forEach(Runnable::run);
  }

  /** Records a reading as the current one. */
  void take(Reading read) {
    Reading before = last;
    // What was counted since then is in the column that the next reading ends.
    if (before != null
        && read.at() > before.at()
        && read.at() - before.at() < every.toMillis() / 4) {
      return;
    }
    Reading now = before == null ? read : read.sharing(before);
    last = now;
    layouts = parsed(now);
    if (before == null || now.at() <= before.at()) {
      known.putAll(now.tables());
      return;
    }
    HeatColumn column = CounterDeltas.between(before, now, away, known);
    remember(before, now);
    history.add(column).forEach(stored::store);
  }

  // A region in transition is missing from one or a few readings.
  private void remember(Reading before, Reading now) {
    before.regions().forEach(region -> away.put(region.region(), region));
    now.regions().forEach(region -> away.remove(region.region()));
    long since = now.at() - AWAY * every.toMillis();
    away.values().removeIf(region -> region.countedAt() < since);
    known.putAll(now.tables());
  }

  private Map<String, Layout> parsed(Reading now) {
    Map<String, Layout> before = layouts;
    Map<String, Layout> parsed = new HashMap<>();
    now.tables()
        .forEach(
            (name, table) -> {
              String line = table.layout();
              if (line == null) {
                return;
              }
              Layout known = before.get(name);
              try {
                parsed.put(
                    name,
                    known != null && known.toString().equals(line) ? known : Layout.parse(line));
              } catch (LayoutException e) {
                LOG.warn("layout of {} cannot be read: {}", name, line);
              }
            });
    return parsed;
  }

  /** The duration of the finest columns. */
  public Duration every() {
    return every;
  }

  /** Called after every reading, in the reader's thread; the callee must not block. */
  public void onReading(Runnable listener) {
    listeners.add(listener);
  }

  /** The failure that prevents readings, or empty. */
  public String problem() {
    Reading newest = last;
    long since = newest == null ? startedAt : newest.at();
    // If the cluster does not answer at all, a reading fails only after minutes.
    boolean late = regular != null && System.currentTimeMillis() - since > LATE * every.toMillis();
    return problem.isEmpty() && late
        ? "no answer since "
            + Instant.ofEpochMilli(since).truncatedTo(ChronoUnit.SECONDS)
            + "; check that HBase's master and ZooKeeper run and can be reached"
        : problem;
  }

  /** Why the stored history is not complete, as a sentence; empty if it is, or none is kept. */
  public String historyProblem() {
    return stored.problem();
  }

  /** The last reading, or null before the first. */
  public @Nullable Reading last() {
    return last;
  }

  /** The layouts of tables that have one, as last read. */
  public Map<String, Layout> layouts() {
    return layouts;
  }

  /** The beginning of the oldest column, in milliseconds since 1970. */
  public long oldest() {
    return history.oldest(System.currentTimeMillis() - every.toMillis());
  }

  /** The number of spans in memory. */
  public long spans() {
    return history.spans();
  }

  /** Builds a matrix of a section of the history. */
  public HeatMatrix matrix(HeatQuery query) {
    return new MatrixBuilder(
            query, history.parts(query.from(), query.to()), layoutTimes(query.from()), shown(query))
        .build();
  }

  // Without a table: those of applications. Generations and indexes that are gone have no rows.
  private List<String> shown(HeatQuery query) {
    String table = query.table();
    return table == null ? tables(Kind.TABLE) : List.of(name(table));
  }

  private LayoutTimes layoutTimes(long from) {
    return new LayoutTimes(
        layouts,
        history.parts(from, Long.MAX_VALUE).stream()
            .flatMap(part -> part.column().marks().stream())
            .toList());
  }

  /** The findings from the last columns. */
  public List<Finding> findings() {
    List<HeatColumn> columns = history.last(DIAGNOSED);
    if (columns.isEmpty()) {
      return List.of();
    }
    // Columns before a gap, of this process or another one, do not show the current load.
    long since = columns.get(columns.size() - 1).to() - (DIAGNOSED + 1) * every.toMillis();
    return findings(since, Long.MAX_VALUE);
  }

  /** The findings from the columns of an interval, in milliseconds since 1970. */
  public List<Finding> findings(long from, long to) {
    List<HeatColumn> columns = columns(from, to);
    if (columns.isEmpty()) {
      return List.of();
    }
    return Diagnosis.of(columns, columns(0, to), layoutTimes(0));
  }

  private List<HeatColumn> columns(long from, long to) {
    return history.parts(from, to).stream().map(History.Part::column).toList();
  }

  /** The current load of a table by region, from the last column; empty if unknown. */
  public List<SpanRate> now(String name) {
    List<HeatColumn> columns = history.last(1);
    TableHeat strip = columns.isEmpty() ? null : columns.get(0).strip(name(name));
    return strip == null ? List.of() : rates(strip, 0, strip.size());
  }

  /** The tables of the last column: those of applications first, and Evenkey's own last. */
  public List<String> tables() {
    return Arrays.stream(Kind.values()).flatMap(kind -> tables(kind).stream()).toList();
  }

  /** The tables of a kind of the last column. */
  public List<String> tables(Kind kind) {
    List<HeatColumn> columns = history.last(1);
    return columns.isEmpty()
        ? List.of()
        : columns.get(0).strips().stream()
            .map(TableHeat::table)
            .filter(table -> kind(table) == kind)
            .toList();
  }

  /** The number of servers that had a region at the last reading. */
  public int servers() {
    Reading reading = last;
    return reading == null
        ? 0
        : (int) reading.regions().stream().map(RegionReading::server).distinct().count();
  }

  /** The purpose of a table. */
  public Kind kind(String table) {
    Reading reading = last;
    TableReading found = reading == null ? null : reading.tables().get(table);
    if (found == null) {
      return OwnNamespace.has(table) ? Kind.OWN : Kind.TABLE;
    }
    return found.kind();
  }

  /** The name that applications use for a table, which may be given by its generation in use. */
  public String name(String table) {
    Reading reading = last;
    if (reading == null || reading.tables().containsKey(table)) {
      return table;
    }
    return reading.tables().entrySet().stream()
        .filter(one -> one.getValue().physical().equals(table))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(table);
  }

  /**
   * The spans of a table at a moment that begin within a physical range.
   *
   * @param to the end of the range; empty for the end of the table
   * @return at most {@code most}, the hottest
   */
  public List<SpanRate> at(long moment, String name, byte[] from, byte[] to, int most) {
    for (History.Part part : history.parts(moment, moment + 1)) {
      TableHeat strip = part.column().strip(name(name));
      if (strip != null) {
        int first = strip.spanOf(from);
        int last = first;
        while (last + 1 < strip.size()
            && (to.length == 0 || Arrays.compareUnsigned(strip.start(last + 1), to) < 0)) {
          last++;
        }
        List<SpanRate> rates = new ArrayList<>(rates(strip, first, last + 1));
        rates.sort((a, b) -> Double.compare(b.reads() + b.writes(), a.reads() + a.writes()));
        return rates.subList(0, Math.min(most, rates.size()));
      }
    }
    return List.of();
  }

  private static List<SpanRate> rates(TableHeat strip, int from, int to) {
    List<SpanRate> rates = new ArrayList<>();
    for (int span = from; span < to; span++) {
      rates.add(
          new SpanRate(
              strip.start(span),
              strip.region(span),
              strip.server(span),
              strip.value(Measure.READS, span),
              strip.value(Measure.WRITES, span),
              strip.value(Measure.BYTES, span)));
    }
    return rates;
  }

  /** Text for a physical key of a table, or for the beginning of one. */
  public String label(String table, byte[] key) {
    return KeyLabel.of(layouts.get(name(table)), key);
  }

  /** The names of the parts of {@link #values}. */
  public String fields(String table) {
    return KeyLabel.fields(layouts.get(name(table)), false);
  }

  /** Text for a physical key of a table, or for the beginning of one, without names of fields. */
  public String values(String table, byte[] key) {
    return KeyLabel.values(layouts.get(name(table)), key, false);
  }

  @Override
  public void close() {
    ScheduledFuture<?> running = regular;
    if (running != null) {
      running.cancel(false);
    }
    timer.shutdownNow();
    try {
      // A running reading completes before its connection is closed.
      timer.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stored.close();
  }
}
