package io.evenkey.app.heat.history;

import io.evenkey.app.failure.Problem;
import io.evenkey.app.heat.counters.Reading;
import io.evenkey.app.heat.counters.ReadingSource;
import io.evenkey.app.heat.counters.RegionReading;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
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
 * Reads a cluster's counters at regular times, and remembers what they say. Thread-safe.
 *
 * <p>Several may watch one cluster and share a table: they write the same rows.
 */
public final class Recorder implements AutoCloseable {
  /** HBase's servers report no more often than this. */
  public static final Duration SHORTEST = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Recorder.class);
  private static final int DIAGNOSED = 30;

  /** A region that was missing from more readings is gone. */
  private static final int AWAY = 10;

  /** Readings that fail before the operator is warned. */
  private static final int LATE = 4;

  private final ReadingSource readings;
  private final Duration every;
  private final @Nullable HistoryTable table;
  private final boolean writes;
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
  private volatile @Nullable Reading last;
  private volatile Map<String, Layout> layouts = Map.of();
  private volatile String problem = "";
  private volatile long startedAt;

  /**
   * What remembers nothing yet.
   *
   * @param every how long the finest columns are
   * @param table where the history is kept, or null for nowhere
   * @param writes whether it is written there too, or only read
   */
  public Recorder(
      ReadingSource readings, Duration every, @Nullable HistoryTable table, boolean writes) {
    if (every.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "counters read too often: every=" + every.toMillis() + " ms; at most once a second");
    }
    this.readings = readings;
    this.every = every;
    this.table = table;
    this.writes = writes;
    this.history = new History(Layer.of(every));
  }

  /** Takes up what is stored, and begins to read at regular times. */
  public Recorder start() throws IOException {
    if (table != null) {
      long now = System.currentTimeMillis();
      for (Layer layer : history.layers()) {
        table.load(layer, now).forEach(column -> history.restore(layer, column));
      }
    }
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
      // The next reading may succeed: what is missing shows as a gap.
      problem = Problem.of(e, "the log has more").line();
      LOG.warn("counters could not be read: {}", problem, e);
    }
    listeners.forEach(Runnable::run);
  }

  /** Takes a reading as if it were made now. */
  void take(Reading read) throws IOException {
    Reading before = last;
    Reading now = before == null ? read : read.sharing(before);
    last = now;
    layouts = parsed(now);
    // After a pause of several readings, it is not known when in between what happened.
    if (before == null
        || now.at() <= before.at()
        || now.at() - before.at() < every.toMillis() / 4) {
      return;
    }
    HeatColumn column = CounterDeltas.between(before, now, away);
    remember(before, now);
    for (History.Added added : history.add(column)) {
      if (table != null && writes) {
        table.store(added.layer(), added.column());
      }
    }
  }

  // A region on its way between servers is missing from a reading, or from a few.
  private void remember(Reading before, Reading now) {
    before.regions().forEach(region -> away.put(region.region(), region));
    now.regions().forEach(region -> away.remove(region.region()));
    long since = now.at() - AWAY * every.toMillis();
    away.values().removeIf(region -> region.countedAt() < since);
  }

  private Map<String, Layout> parsed(Reading now) {
    Map<String, Layout> before = layouts;
    Map<String, Layout> parsed = new HashMap<>();
    now.layouts()
        .forEach(
            (name, line) -> {
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

  /** How long the finest columns are. */
  public Duration every() {
    return every;
  }

  /** Called after every reading, in the reader's thread: not to wait for anything. */
  public void onReading(Runnable listener) {
    listeners.add(listener);
  }

  /** What keeps readings from being made, or empty. */
  public String problem() {
    Reading newest = last;
    long since = newest == null ? startedAt : newest.at();
    // A cluster that does not answer at all lets a reading wait for minutes before it fails.
    boolean late = regular != null && System.currentTimeMillis() - since > LATE * every.toMillis();
    return problem.isEmpty() && late
        ? "no answer since " + Instant.ofEpochMilli(since).truncatedTo(ChronoUnit.SECONDS)
        : problem;
  }

  /** The last reading, or null before the first. */
  public @Nullable Reading last() {
    return last;
  }

  /** The layouts of tables that have one, as last read. */
  public Map<String, Layout> layouts() {
    return layouts;
  }

  /** When the oldest column begins, in milliseconds since 1970. */
  public long oldest() {
    return history.oldest(System.currentTimeMillis() - every.toMillis());
  }

  /** How many spans are held in memory. */
  public long spans() {
    return history.spans();
  }

  /** Cuts a matrix out. */
  public HeatMatrix matrix(HeatQuery query) {
    return new MatrixBuilder(query, history.parts(query.from(), query.to()), layouts).build();
  }

  /** What the last columns show, in words. */
  public List<Finding> findings() {
    List<HeatColumn> columns = history.last(DIAGNOSED);
    if (columns.isEmpty()) {
      return List.of();
    }
    // What was before a pause, of this process or of another, is not how it is now.
    long since = columns.get(columns.size() - 1).to() - (DIAGNOSED + 1) * every.toMillis();
    return Diagnosis.of(columns.stream().filter(c -> c.from() >= since).toList(), layouts);
  }

  /** What a table takes now, by region, as of the last column; empty if nothing is known. */
  public List<SpanRate> now(String name) {
    List<HeatColumn> columns = history.last(1);
    TableHeat strip = columns.isEmpty() ? null : columns.get(0).strip(name);
    return strip == null ? List.of() : rates(strip, 0, strip.size());
  }

  /** The tables that the last column knows. */
  public List<String> tables() {
    List<HeatColumn> columns = history.last(1);
    return columns.isEmpty()
        ? List.of()
        : columns.get(0).strips().stream().map(TableHeat::table).toList();
  }

  /**
   * The spans of a table at a moment that begin in a physical range.
   *
   * @param to empty for the end of the table
   * @return at most {@code most}, the hottest
   */
  public List<SpanRate> at(long moment, String name, byte[] from, byte[] to, int most) {
    for (History.Part part : history.parts(moment, moment + 1)) {
      TableHeat strip = part.column().strip(name);
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

  /** What people read instead of a physical key of a table, or of the beginning of one. */
  public String label(String table, byte[] key) {
    return KeyLabel.of(layouts.get(table), key);
  }

  @Override
  public void close() {
    ScheduledFuture<?> running = regular;
    if (running != null) {
      running.cancel(false);
    }
    timer.shutdownNow();
    try {
      // A write under way is let end: its connection is about to be closed.
      timer.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
