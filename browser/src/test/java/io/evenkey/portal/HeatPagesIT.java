/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.ColorScheme;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages that show how hot tables are, and lead to what helps, in a browser. */
@Tag("ci")
class HeatPagesIT extends PagesInBrowser {
  @Tag("long")
  @Tag("pictures")
  @Test
  void heatOfGrowingKeysIsADiagonalAndOfSpreadOnesEven() throws Exception {
    Layout naive = Layout.parse("n:int64");
    Layout spread = Layout.parse("salt(12) + n:int64");
    TableName first = TableName.valueOf("browser_naive");
    TableName second = TableName.valueOf("browser_spread");
    List<byte[]> keys = new ArrayList<>();
    for (long n = 0; n < 12_000; n++) {
      keys.add(naive.logicalKey(Values.of("n", n)));
    }
    AtomicBoolean stop = new AtomicBoolean();
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      tables.create(first, naive, SplitAlgorithm.bySample(RowSample.of(keys), 12), List.of("d"));
      tables.create(second, spread, spread.splits(12), List.of("d"));
      Page page = start();
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(() -> write(tables, keys, stop, first, second));
      try {
        Locator finding = page.locator("[data-kind=sequential]");
        assertThat(finding).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(90_000));
        assertThat(finding).containsText("browser_naive");
        assertThat(finding).containsText("A single rising diagonal");
        assertThat(
                page.locator("[data-kind=even]")
                    .filter(new Locator.FilterOptions().setHasText("browser_spread")))
            .isVisible(SOON);
        checkShapes(page);
        picture(page, "heat");
        try (Admin admin = cluster.connection().getAdmin()) {
          admin.split(first, naive.logicalKey(Values.of("n", 500L)));
          RegionInfo region = admin.getRegions(second).get(3);
          ServerName at =
              cluster
                  .connection()
                  .getRegionLocator(second)
                  .getRegionLocation(region.getStartKey())
                  .getServerName();
          admin.move(
              region.getEncodedNameAsBytes(),
              admin.getRegionServers().stream()
                  .filter(s -> !s.equals(at))
                  .findFirst()
                  .orElseThrow());
        }
        assertThat(page.locator(".legend").getByText("split")).isVisible(SOON);
        assertThat(page.locator(".legend").getByText("move")).isVisible(SOON);
        button(page, "Logical").click();
        assertThat(button(page, "Logical")).hasAttribute("aria-pressed", "true");
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () ->
                    (Boolean)
                        page.evaluate(
                            "() => document.querySelector('#map').heatMap.matrix.tables.some(t =>"
                                + " t.name === 'browser_spread' && t.logical && t.rows === 1)"));
        picture(page, "heat-logical");
        button(page, "As stored").click();
        page.waitForTimeout(1_500);
        picture(page, "heat-marks");
        for (String order : List.of("Logical", "As stored")) {
          button(page, order).click();
          assertThat(button(page, order)).hasAttribute("aria-pressed", "true");
        }
        button(page, "Bytes").click();
        assertThat(page.locator(".legend")).containsText("MB");
      } finally {
        stop.set(true);
        writing.join();
      }
    }
  }

  private static void write(
      SpreadTables tables, List<byte[]> keys, AtomicBoolean stop, TableName... names) {
    byte[] family = "d".getBytes(StandardCharsets.UTF_8);
    try (SpreadMutator first = tables.open(names[0]).mutator();
        SpreadMutator second = tables.open(names[1]).mutator()) {
      long start = System.nanoTime();
      for (int i = 0; !stop.get(); i++) {
        byte[] key = keys.get(i % keys.size());
        first.put(new Put(key).addColumn(family, family, key));
        second.put(new Put(key).addColumn(family, family, key));
        if (i % 100 == 99) {
          first.flush();
          second.flush();
          long due = start + i * 1_000_000L;
          Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The position and the share of the hottest painted row of each column. */
  @SuppressWarnings("unchecked")
  private static void checkShapes(Page page) {
    List<List<Number>> naive =
        await()
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> (List<List<Number>>) page.evaluate(HOTTEST, "browser_naive"),
                columns -> columns.size() > 12);
    List<List<Number>> spread = (List<List<Number>>) page.evaluate(HOTTEST, "browser_spread");
    double naiveShare = naive.stream().mapToDouble(c -> c.get(1).doubleValue()).average().orElse(0);
    double spreadShare =
        spread.stream().mapToDouble(c -> c.get(1).doubleValue()).average().orElse(1);
    assertThat(naiveShare).as("one region at a time").isGreaterThan(0.5);
    assertThat(spreadShare).as("a twelfth each, about").isLessThan(0.25);
    int ups = 0;
    int downs = 0;
    for (int i = 1; i < naive.size(); i++) {
      int step = naive.get(i).get(0).intValue() - naive.get(i - 1).get(0).intValue();
      ups += step > 0 ? 1 : 0;
      downs += step < 0 ? 1 : 0;
    }
    assertThat(ups).as("a diagonal, but where the keys begin again").isGreaterThan(3 * downs);
  }

  private static final String HOTTEST =
      """
      (name) => {
        const found = document.querySelector('#map').heatMap.matrix;
        const table = found.tables.find((one) => one.name === name);
        const rows = [];
        for (let c = 0; c < found.columns; c++) {
          let sum = 0, hot = 0;
          for (let r = 0; r < table.rows; r++) {
            const value = found.values[c * found.labels.length + table.first + r];
            if (!(value >= 0)) { sum = NaN; break; }
            sum += value;
            if (value > found.values[c * found.labels.length + table.first + hot]) hot = r;
          }
          if (sum > 100) rows.push([hot, found.values[c * found.labels.length + table.first + hot] / sum]);
        }
        return rows;
      }
      """;

  @Tag("long")
  @Test
  void thousandsOfRegionsAreShownAndMovedFast() throws Exception {
    Page page = start(new LargeCluster(), size(1800, 1050));
    Locator map = page.locator("#map");
    assertThat(map)
        .hasAttribute(
            "data-rows",
            Pattern.compile("[5-9]\\d\\d|1\\d\\d\\d"),
            new LocatorAssertions.HasAttributeOptions().setTimeout(30_000));
    int shown = Integer.parseInt(map.getAttribute("data-rows"));
    assertThat(shown).as("5,020 regions in fewer rows").isLessThanOrEqualTo(900);
    await().atMost(Duration.ofSeconds(30)).until(() -> portal.recorder().spans() > 30_000);
    assertThat(portal.recorder().spans())
        .as("in columns of 3,072 spans")
        .isLessThanOrEqualTo(3_072L * 1_086);
    assertThat(page.evaluate(RISING)).as("growing keys rise on the screen").isEqualTo(true);
    // The duration of frames is logged, not asserted: other load on the machine makes them longer.
    Object frames = page.evaluate(FRAMES);
    Files.writeString(PICTURES.resolve("frames.txt"), "1,500 × 900 cells: " + frames + "\n");
    assertThat(((Map<?, ?>) frames).get("cells")).isEqualTo(1_350_000);
    picture(page, "thousands");
  }

  /** Whether the hot pixels of the table with growing keys are higher, the later they are. */
  private static final String RISING =
      """
      () => {
        const canvas = document.querySelector('#map');
        const map = canvas.heatMap;
        const table = map.matrix.tables.find((one) => one.name === 'table7');
        const top = Math.round(map.y(table.first));
        const high = Math.round(map.y(table.first + table.rows)) - top;
        const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, high);
        let ups = 0, downs = 0, before = -1;
        for (let x = 200; x < canvas.width; x++) {
          for (let y = 0; y < high; y++) {
            const at = 4 * (y * canvas.width + x);
            if (data[at] - data[at + 2] < 120) continue;
            if (before >= 0 && y !== before) y < before ? ups++ : downs++;
            before = y;
            break;
          }
        }
        return ups > 3 && ups > 3 * downs;
      }
      """;

  /** Pans over 1,500 × 900 cells for two seconds. */
  private static final String FRAMES =
      """
      async () => {
        const map = document.querySelector('#map').heatMap;
        const columns = 1500, rows = 900;
        const labels = Array.from({ length: rows }, (_, i) => 'k=' + i);
        const values = Float32Array.from({ length: columns * rows }, (_, i) => (i * 7919) % 1000);
        const now = Date.now();
        map.listener = { cursor() {}, view() {}, live() {} };
        map.view = { from: now - 1500000, to: now, top: 0, bottom: rows };
        map.set({ from: now - 1500000, step: 1000, columns, unit: 'x', oldest: 0, marks: [], labels, starts: labels,
          tables: [{ name: 'large', layout: null, first: 0, rows, logical: false, note: '' }], values, flags: new Uint8Array(columns * rows) });
        const begin = performance.now();
        let drawing = 0;
        let frames = 0;
        while (performance.now() - begin < 2000) {
          await new Promise(requestAnimationFrame);
          map.view.from += 1000;
          map.view.to += 1000;
          const start = performance.now();
          map.drawNow();
          drawing += performance.now() - start;
          frames++;
        }
        return { cells: columns * rows, frames_per_second: frames / ((performance.now() - begin) / 1000), drawing_ms: drawing / frames };
      }
      """;

  @Tag("long")
  @Test
  void theKeyboardReachesEverything() throws Exception {
    Page page = start(new LargeCluster(), size(1400, 900));
    Locator map = page.locator("#map");
    assertThat(map)
        .hasAttribute(
            "data-columns",
            Pattern.compile("\\d+"),
            new LocatorAssertions.HasAttributeOptions().setTimeout(30_000));
    // The first reading has nothing to compare with: cells of the time before it name no server.
    page.waitForFunction(
        "map => map.heatMap.matrix.values.filter(value => !Number.isNaN(value)).length"
            + " > 3 * map.heatMap.matrix.labels.length",
        map.elementHandle());
    // From the beginning of the page, with the Tab key only.
    page.locator("body").press("Tab");
    assertThat(page.getByText("Skip to the page")).isFocused();
    for (int i = 0;
        i < 40 && !map.evaluate("map => map === document.activeElement").equals(true);
        i++) {
      page.keyboard().press("Tab");
    }
    assertThat(map).isFocused();
    page.keyboard().press("ArrowUp");
    assertThat(page.locator("#crosshair")).containsText("from");
    String before = page.locator("#crosshair").innerText();
    page.keyboard().press("ArrowDown");
    page.keyboard().press("ArrowDown");
    assertThat(page.locator("#crosshair")).not().hasText(before);
    assertThat(page.locator("#crosshair").getByText("server", exactly())).isVisible(SOON);
    String columns = map.getAttribute("data-columns");
    Object at = map.evaluate("map => map.heatMap.cursorAt");
    page.keyboard().press("+");
    assertThat(button(page, "Live")).hasAttribute("aria-pressed", "false");
    assertThat(map).not().hasAttribute("data-columns", columns);
    assertThat(page.locator("#crosshair").getByText("server", exactly())).isVisible(SOON);
    assertThat(map.evaluate("map => map.heatMap.cursorAt"))
        .as("the crosshair stays at its time")
        .isEqualTo(at);
    page.keyboard().press("ArrowDown");
    assertThat(page.locator("#crosshair").getByText("server", exactly())).isVisible(SOON);
    page.keyboard().press("0");
    assertThat(button(page, "Live")).hasAttribute("aria-pressed", "true");
    page.keyboard().press("Escape");
    assertThat(page.locator("#crosshair")).containsText("Point at a cell");
  }

  @Test
  void darkModeIsDark() throws Exception {
    Page page = start(new LargeCluster(), size(1400, 900).setColorScheme(ColorScheme.DARK));
    assertThat(page.locator("#map"))
        .hasAttribute(
            "data-columns",
            Pattern.compile("\\d+"),
            new LocatorAssertions.HasAttributeOptions().setTimeout(30_000));
    Object light =
        page.evaluate(
            "() => getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
                + ".reduce((a, b) => a + b) / 3");
    assertThat(((Number) light).doubleValue()).isLessThan(60);
    Object colours =
        page.evaluate("() => document.querySelector('#map').heatMap.colours[0] & 0xffffff");
    assertThat(((Number) colours).intValue()).as("nothing is nearly black").isEqualTo(0x241b13);
    picture(page, "heat-dark");
  }

  @Test
  void theFirstPageNamesHotTablesAndLeadsToARemedy() throws Exception {
    Page page = start(new LargeCluster(), size(1440, 900));
    go(page, "#/overview");
    Locator hot = page.locator("[data-hot=table7]");
    assertThat(hot).isVisible(SOON);
    assertThat(hot).containsText("keys grow");
    assertThat(hot).containsText(" % of it at a time, ");
    assertThat(hot).containsText("Since");
    assertThat(page.locator("[data-hot=table3]")).hasCount(0);
    picture(page, "overview");
    // What is hot is known, whether HBase and ZooKeeper answer or not.
    page.route("**/api/tables?*", route -> {});
    page.reload();
    assertThat(hot).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(15_000));
    assertThat(page.getByText("Reading tables and migrations")).isVisible();
    page.unroute("**/api/tables?*");
    // The page is drawn again with each reading, but not under the pointer of a user who presses.
    hot.getByText("Find a better layout for table7").hover();
    page.mouse().down();
    for (int i = 0; i < 3; i++) {
      page.waitForResponse("**/api/heat/findings?*", () -> {});
    }
    page.mouse().up();
    assertThat(page.locator("h1")).hasText("Advice");
    assertThat(page.getByText("No such table: table7.")).isVisible(SOON);
  }

  @Test
  void figuresOfTheLastReadingsAreNotShownAsThePresentOnes() throws Exception {
    LargeCluster cluster = new LargeCluster();
    AtomicBoolean stops = new AtomicBoolean();
    Page page =
        start(
            () -> {
              if (stops.get()) {
                throw new IOException("no answer");
              }
              return cluster.read();
            },
            size(1440, 900));
    go(page, "#/overview");
    assertThat(page.locator("[data-hot=table7]")).isVisible(SOON);
    Locator old = page.getByText("This is what the last readings showed");
    assertThat(old).hasCount(0);
    stops.set(true);
    assertThat(old).isVisible(SOON);
    assertThat(page.locator("#problem")).containsText("no answer");
    picture(page, "overview-failing");
    go(page, "#/heat");
    assertThat(old).isVisible(SOON);
    stops.set(false);
    assertThat(old).hasCount(0, new LocatorAssertions.HasCountOptions().setTimeout(30_000));
  }

  @Test
  void aJobWithNothingToCountShowsWhatItDoes() throws Exception {
    Page page = start(new LargeCluster(), size(1440, 900));
    assertThat(shown(page, 0, 0, "finished, winding up"))
        .contains("finished, winding up")
        .doesNotContain("0 ");
    assertThat(shown(page, 0, 0, "")).contains("At work …");
    assertThat(shown(page, 7, 0, "rows, copying")).contains("7 rows, copying");
    assertThat(shown(page, 7, 10, "rows, copying")).contains("7 of 10 rows, copying, about 3 s");
  }

  @Test
  void aMigrationShowsTheRowsThatAreCopiedAndWhyItsLastJobFailed() throws Exception {
    Page page = start(new LargeCluster(), size(1440, 900));
    String view =
        """
        async ([job, failure]) => (await import('/migrations.js')).migrationView({ table: 't',
          stage: 'copying', meaning: 'rows are copied', goal: 'ready', over: false, source: 't',
          generation: 't', target: 't.g2', fence: 'guard', copied: 0, parts: 1, copied_rows: 0,
          since: '2026-01-31T08:30:00Z' }, document.body, job, 0, failure).textContent
        """;
    Map<String, Object> job =
        Map.of("state", "running", "done", 900, "total", 0, "text", "rows, copying");
    assertThat((String) page.evaluate(view, List.of(job, "")))
        .contains("900 rows copied")
        .doesNotContain("Continue", "last job");
    assertThat((String) page.evaluate(view, Arrays.asList(null, "no space left on the disk")))
        .contains(
            "Its last job failed: no space left on the disk. Continue resumes it", "Roll back");
    assertThat((String) page.evaluate(view, Arrays.asList(null, "")))
        .contains("No job of this portal runs it. Continue resumes it");
  }

  /** The text of a running job. */
  private static String shown(Page page, int done, int total, String text) {
    return (String)
        page.evaluate(
            "async ([done, total, text]) => (await import('/jobs.js')).jobView({ title: 'T', kind:"
                + " 'migration', state: 'running', seconds: 6.5, done, total, text }).textContent",
            List.of(done, total, text));
  }

  /** Writes about 500 rows a second until it is stopped. */
  private CompletableFuture<Void> writing(AtomicBoolean stop, Writer writer) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (long n = 0; !stop.get(); n++) {
              writer.write(n);
              Thread.sleep(n % 5 == 0 ? 10 : 0);
            }
          } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Writes one row. */
  @FunctionalInterface
  private interface Writer {
    void write(long n) throws IOException;
  }

  @Tag("long")
  @Tag("pictures")
  @Test
  void aHotTableWithoutALayoutIsMigratedFromTheFirstPage() throws Exception {
    TableName table = TableName.valueOf("browser_plain");
    byte[] family = Bytes.toBytes("d");
    LocatorAssertions.IsVisibleOptions late =
        new LocatorAssertions.IsVisibleOptions().setTimeout(90_000);
    AtomicBoolean stop = new AtomicBoolean();
    try (Admin admin = cluster.connection().getAdmin();
        Table rows = cluster.connection().getTable(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      List<Put> before = new ArrayList<>();
      // Enough rows to advise by, written in the order of their keys.
      for (long n = 0; n < 3_000; n++) {
        before.add(new Put(Bytes.toBytes(n)).addColumn(family, family, n + 1, family));
      }
      rows.put(before);
      Page page = start();
      CompletableFuture<Void> writing =
          writing(
              stop,
              n -> rows.put(new Put(Bytes.toBytes(3_000 + n)).addColumn(family, family, family)));
      try {
        go(page, "#/overview");
        Locator hot = page.locator("[data-hot=browser_plain]");
        assertThat(hot).isVisible(late);
        // The finding may be of a reading before the one that the line above it is of.
        assertThat(hot)
            .containsText(
                Pattern.compile("Now [1-9][0-9,]* writes/s and [0-9]"),
                new LocatorAssertions.ContainsTextOptions().setTimeout(90_000));
        page.setViewportSize(1400, 560);
        picture(page, "overview-hot");
        page.setViewportSize(1400, 900);
        hot.getByText("Find a better layout for browser_plain").click();
        assertThat(page.locator("#adoption th").getByText("Read as")).isVisible(SOON);
        Locator line = page.locator("input[name=adopted]");
        line.fill("n:strng");
        assertThat(page.locator("#adoption-error")).containsText("did you mean");
        line.fill("salt(4) + n:long");
        assertThat(page.locator("#adoption-error")).containsText("It does not fit");
        assertThat(button(page, "Record it")).isDisabled();
        line.fill("n:long");
        assertThat(page.locator("#adoption tbody tr").first()).containsText("n=");
        picture(page, "adoption");
        button(page, "Record it").click();
        assertThat(page.locator("textarea"))
            .hasValue(Pattern.compile("n between .*writes \\d+", Pattern.DOTALL));
        page.getByLabel("Share of its rows to sample").fill("1");
      } finally {
        stop.set(true);
        writing.join();
      }
      button(page, "Advise").click();
      assertThat(page.locator("[data-state=done]").first()).isVisible(late);
      picture(page, "advice-table");
      page.getByText("Migrate browser_plain to it")
          .click(new Locator.ClickOptions().setTimeout(90_000));
      assertThat(page.locator("input[name=layout]"))
          .hasValue(Pattern.compile("salt\\(.* \\+ n:long"));
      button(page, "Show what it would do").click();
      Locator preview = page.locator(".preview");
      assertThat(preview.getByText("1 now, ")).isVisible(late);
      assertThat(preview).not().containsText("rejected");
      picture(page, "migration-preview");
      button(page, "Begin").click();
      assertThat(page.locator("[data-stage=ready]")).isVisible(late);
      button(page, "Switch reads").click();
      assertThat(page.locator("[data-stage=switched]")).isVisible(late);
    }
  }

  @Tag("long")
  @Test
  void aSpreadTableInTooFewRegionsIsSplitByAButton() throws Exception {
    TableName table = TableName.valueOf("browser_few");
    Layout layout = Layout.parse("salt(8) + n:int64");
    byte[] family = Bytes.toBytes("d");
    LocatorAssertions.IsVisibleOptions late =
        new LocatorAssertions.IsVisibleOptions().setTimeout(90_000);
    AtomicBoolean stop = new AtomicBoolean();
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable open = tables.create(table, layout, layout.splits(1), List.of("d"));
      Page page = start();
      CompletableFuture<Void> writing =
          writing(
              stop,
              n -> {
                byte[] key = layout.logicalKey(Values.of("n", n));
                open.put(new Put(key).addColumn(family, family, key));
              });
      try {
        go(page, "#/overview");
        page.locator("[data-hot=browser_few]")
            .getByText("Split browser_few at its buckets")
            .click(new Locator.ClickOptions().setTimeout(90_000));
        assertThat(page.locator("#splits canvas.axis"))
            .hasAttribute(
                "aria-label", Pattern.compile("key axis with 7 split keys: bucket 1, .*"));
        picture(page, "splits");
        button(page, "Split into 8 regions").click();
        assertThat(page.locator("#splits").getByText("7 more regions.")).isVisible(late);
      } finally {
        stop.set(true);
        writing.join();
      }
      try (Admin admin = cluster.connection().getAdmin()) {
        assertThat(admin.getRegions(table)).hasSize(8);
      }
    }
  }

  @Tag("long")
  @Test
  void everyPageFitsA400PixelScreen() throws Exception {
    Page page = start(new LargeCluster(), size(400, 800));
    for (String place :
        List.of(
            "overview",
            "heat",
            "tables",
            "tables/evenkey%3Aheat",
            "plans",
            "plans/narrow",
            "advice",
            "migrations",
            "jobs")) {
      go(page, "#/" + place);
      assertThat(page.locator("h1")).isAttached();
      if (place.equals("plans/narrow")) {
        page.getByLabel("Layout")
            .fill("salt(16, device) + device:string + region:string + ts:timestamp desc");
        assertThat(page.locator("canvas.axis")).isVisible();
      }
      page.waitForTimeout(300);
      Object width = page.evaluate("() => document.documentElement.scrollWidth");
      assertThat(((Number) width).intValue()).as(place).isLessThanOrEqualTo(400);
      String name = place.replaceAll("\\W+", "-").toLowerCase(Locale.ROOT);
      picture(page, "narrow-" + name);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
      picture(page, "narrow-dark-" + name);
      page.setViewportSize(1440, 900);
      page.waitForTimeout(300);
      picture(page, "wide-dark-" + name);
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
      picture(page, "wide-" + name);
      page.setViewportSize(400, 800);
    }
  }
}
