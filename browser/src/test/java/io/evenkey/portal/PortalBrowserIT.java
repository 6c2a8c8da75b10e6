/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.RowSample;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.counters.ReadingSource;
import io.evenkey.report.launch.PortalSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The portal's pages in the system's browser. Screenshots are written to target/screenshots. */
@ExtendWith(EmbeddedHBaseExtension.class)
class PortalBrowserIT {
  private static final String TOKEN = "a-token-for-tests-only";
  private static final Path PICTURES = Path.of("target", "screenshots");
  private static final Path DOCUMENTS = Path.of("..", "docs", "images");

  /** The pictures of the documents, by those of the tests. */
  private static final Map<String, String> DOCUMENTED =
      Map.of(
          "advice", "portal-advice",
          "advice-report", "advice",
          "heat", "portal-heat",
          "hot-keys", "portal-hot-keys",
          "index", "portal-index",
          "migration", "portal-migration",
          "overview-hot", "portal-overview",
          "plan", "portal-plan");

  private static final LocatorAssertions.IsVisibleOptions SOON =
      new LocatorAssertions.IsVisibleOptions().setTimeout(30_000);

  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;

  private Cluster cluster;
  private Portal portal;
  private BrowserContext context;
  private final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void openBrowser() throws IOException {
    Optional<Path> installed = installed();
    assumeThat(installed)
        .as("no browser here: install Chromium to run the tests of the pages")
        .isPresent();
    Files.createDirectories(PICTURES);
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(installed.orElseThrow())
                    .setArgs(List.of("--no-sandbox", "--disable-dev-shm-usage")));
  }

  private static Optional<Path> installed() {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name ->
                Stream.of(path.split(File.pathSeparator, -1))
                    .map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  @AfterAll
  static void closeBrowser() {
    if (playwright != null) {
      playwright.close();
    }
  }

  @BeforeEach
  void open(EmbeddedHBase hbase) throws IOException {
    cluster = Cluster.open(hbase.configuration());
  }

  @AfterEach
  void close() throws IOException {
    if (context != null) {
      context.close();
    }
    if (portal != null) {
      portal.close();
    }
    cluster.close();
    assertThat(complaints).as("said by the browser").isEmpty();
  }

  private Page start(ReadingSource readings, Browser.NewContextOptions options) throws IOException {
    PortalSettings settings = PortalSettings.local(0, TOKEN).every(Duration.ofSeconds(1)).build();
    portal = Portal.start(settings, cluster, readings);
    context = browser.newContext(options);
    Page page = context.newPage();
    page.onPageError(complaints::add);
    page.onConsoleMessage(
        message -> {
          // The console also logs refused requests.
          if (message.type().equals("error") && !message.text().contains("status of 40")) {
            complaints.add(message.text());
          }
        });
    page.navigate(portal.url() + "#token=" + TOKEN);
    assertThat(page.locator("h1")).hasText("Overview");
    go(page, "#/heat");
    return page;
  }

  private Page start() throws IOException {
    return start(new ClusterReadings(cluster.connection()), size(1400, 900));
  }

  private static Browser.NewContextOptions size(int width, int height) {
    return new Browser.NewContextOptions().setViewportSize(width, height);
  }

  private static void picture(Page page, String name) {
    keep(
        name,
        page.screenshot(new Page.ScreenshotOptions().setFullPage(!name.equals("advice-report"))));
  }

  private static void picture(Locator part, String name) {
    keep(name, part.screenshot());
  }

  /** Writes a picture, and with {@code -Devenkey.pictures=write} also that of the documents. */
  private static void keep(String name, byte[] png) {
    try {
      Files.write(PICTURES.resolve(name + ".png"), png);
      String documented = DOCUMENTED.get(name);
      if (documented != null && "write".equals(System.getProperty("evenkey.pictures"))) {
        Files.write(DOCUMENTS.resolve(documented + ".png"), png);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  private static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  private void go(Page page, String place) {
    page.navigate(portal.url() + place);
  }

  @Tag("pictures")
  @Test
  void aPlanIsEditedStoredDefendedAndCreated() throws Exception {
    TableName table = TableName.valueOf("browser_plan");
    Page page = start();
    go(page, "#/plans");
    page.getByLabel("Plan for").fill("browser_plan");
    page.getByLabel("Plan for").press("Enter");

    Locator layout = page.getByLabel("Layout");
    layout.fill("salt(8, device) + device:strng");
    assertThat(page.locator("#layout-error")).containsText("did you mean 'string'?");
    assertThat(layout).hasAttribute("aria-invalid", "true");
    assertThat(button(page, "Store the plan")).isDisabled();

    layout.fill("salt(8, device) + device:string + ts:timestamp desc");
    page.getByLabel("Regions").fill("4");
    page.getByLabel("Families").fill("d");
    assertThat(page.locator("#layout-error")).isEmpty();
    Locator axis = page.locator("canvas.axis");
    assertThat(axis)
        .hasAttribute("aria-label", "key axis with 3 split keys: bucket 2, bucket 4, bucket 6");
    assertThat(page.getByText("rows with the same value stay together")).isVisible();
    assertThat(page.getByText("few regions for a small table").first()).isVisible();

    // Another user is faster.
    cluster.registry().plans().store(Scope.of(table), Plan.EMPTY.withRegions(2), Versioned.NONE);
    button(page, "Store the plan").click();
    assertThat(page.getByText("plan changed in the meantime")).isVisible();
    picture(page, "plan-conflict");
    button(page, "Look at it as it is now").click();
    assertThat(page.getByLabel("Regions")).hasValue("2");
    layout.fill("salt(8, device) + device:string + ts:timestamp desc");
    page.getByLabel("Regions").fill("4");
    page.getByLabel("Families").fill("d");
    button(page, "Store the plan").click();
    assertThat(page.getByText("Stored as version 1.")).isVisible();
    picture(page, "plan");

    button(page, "Create the table").click();
    assertThat(page.getByText("Created in 4 regions.")).isVisible(SOON);
    try (Admin admin = cluster.connection().getAdmin()) {
      assertThat(admin.getRegions(table)).hasSize(4);
      assertThat(TableLayout.of(admin.getDescriptor(table)))
          .isEqualTo(Layout.parse("salt(8, device) + device:string + ts:timestamp desc"));
    }
    page.getByText("Look at it").click();
    assertThat(
            page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName("browser_plan")))
        .isVisible();
    Locator tried = page.locator("#try");
    tried.getByLabel("device (string)").fill("d1");
    tried.getByLabel("ts (timestamp)").fill("2026-01-31T08:30Z");
    assertThat(tried.getByText("bucket", exactly())).isVisible();
    tried.getByLabel("or a condition").fill("ts >= 2026-01-01");
    assertThat(tried.getByText("Reads 8 ranges")).isVisible();
    picture(page, "table");
  }

  @Tag("pictures")
  @Test
  void hotKeysAreCountedOnTheServersByAButton() throws Exception {
    TableName table = TableName.valueOf("browser_hot");
    Layout layout = Layout.parse("salt(8) + device:string + ts:timestamp desc");
    try (SpreadTables tables = SpreadTables.on(cluster.connection());
        Table reads = cluster.connection().getTable(table)) {
      tables.create(table, layout, layout.splits(4), List.of("d"));
      Page page = start();
      go(page, "#/tables/browser_hot");
      button(page, "Count on the servers").click();
      assertThat(button(page, "Stop counting")).isVisible(SOON);
      byte[] family = Bytes.toBytes("d");
      try (SpreadMutator mutator = tables.open(table).mutator()) {
        List<Get> gets = new ArrayList<>();
        for (int i = 0; i < 30_000; i++) {
          String device = i % 3 == 0 ? "d" + i : "d-hot";
          Values values = Values.of(Map.of("device", device, "ts", i % 2 * 60_000L));
          byte[] key = layout.logicalKey(values);
          mutator.put(new Put(key).addColumn(family, family, key));
          gets.add(new Get(layout.encode(values)));
          if (gets.size() == 1_000) {
            mutator.flush();
            reads.get(gets);
            gets.clear();
          }
        }
      }
      page.reload();
      Locator servers = page.locator("#hot-servers");
      assertThat(servers.getByText("device=d-hot", exactly()).first()).isVisible(SOON);
      picture(page.locator("section", new Page.LocatorOptions().setHas(servers)), "hot-keys");
      button(page, "Stop counting").click();
      assertThat(button(page, "Count on the servers")).isVisible(SOON);
    }
  }

  @Tag("pictures")
  @Test
  void aTableIsMigratedAndRolledBackByButtons() throws Exception {
    TableName table = TableName.valueOf("browser_migration");
    Layout layout = Layout.parse("salt(4) + n:int64");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      tables
          .create(table, layout, layout.splits(4), List.of("d"))
          .put(
              new Put(layout.logicalKey(Values.of("n", 1L)))
                  .addColumn(Bytes.toBytes("d"), Bytes.toBytes("q"), Bytes.toBytes("v")));
    }
    LocatorAssertions.IsVisibleOptions whenMigrated =
        new LocatorAssertions.IsVisibleOptions().setTimeout(90_000);
    Page page = start();
    go(page, "#/migrations");
    page.locator("select[name=table]").selectOption("browser_migration");
    Locator line = page.locator("input[name=layout]");
    line.fill("salt(4) + m:int64");
    button(page, "Begin").click();
    assertThat(page.locator("[data-state=failed]").first())
        .containsText(
            "would change the logical keys",
            new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
    line.fill("salt(7) + n:int64");
    button(page, "Begin").click();
    assertThat(page.locator("[data-stage=ready]")).isVisible(whenMigrated);
    picture(page, "migration-ready");
    picture(page.locator("[data-stage=ready]"), "migration");
    button(page, "Switch reads").click();
    assertThat(page.locator("[data-stage=switched]")).isVisible(whenMigrated);
    go(page, "#/heat");
    go(page, "#/migrations?table=browser_migration");
    assertThat(line).hasValue("salt(7) + n:int64");
    button(page, "Roll back").click();
    assertThat(page.locator("[data-stage=rolled_back]")).isVisible(whenMigrated);
    picture(page, "migration-back");
  }

  @Tag("long")
  @Test
  void theRowKeyOfATableIsChangedByTheForm() throws Exception {
    TableName table = TableName.valueOf("browser_key");
    Layout layout = Layout.parse("salt(4) + id:int64");
    byte[] family = Bytes.toBytes("d");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable open = tables.create(table, layout, layout.splits(4), List.of("d"));
      for (long id = 0; id < 20; id++) {
        open.put(
            new Put(layout.logicalKey(Values.of("id", id)))
                .addColumn(family, Bytes.toBytes("customer"), Bytes.toBytes("c" + id % 3)));
      }
    }
    LocatorAssertions.IsVisibleOptions whenMigrated =
        new LocatorAssertions.IsVisibleOptions().setTimeout(90_000);
    Page page = start();
    go(page, "#/migrations?table=browser_key");
    Locator line = page.locator("input[name=layout]");
    assertThat(line).hasValue("salt(4) + id:int64");
    Locator from =
        page.getByLabel("Fields from columns", new Page.GetByLabelOptions().setExact(true));
    assertThat(from).isHidden();
    page.getByLabel("Change the row key").check();
    assertThat(page.locator("form").getByText("evenkey.key.TABLE")).isVisible();
    line.fill("salt(4, customer) + customer:string");
    from.fill("customer=");
    button(page, "Begin").click();
    assertThat(page.locator("#page p[role=status]")).containsText("^");
    from.fill("customer=d:customer");
    picture(page, "key-change-form");
    button(page, "Begin").click();

    Locator migration =
        page.locator("[data-stage]").filter(new Locator.FilterOptions().setHasText("browser_key"));
    assertThat(migration.getByText("· ready")).isVisible(whenMigrated);
    assertThat(migration)
        .containsText("from id:int64 to customer:string + id:int64, with customer=d:customer");
    assertThat(migration).containsText("browser_key.g2.keys");
    assertThat(migration).containsText("From the switch on, each application is rejected");
    assertThat(migration).containsText("evenkey.key.browser_key = customer:string + id:int64");
    page.reload();
    assertThat(page.locator("select[name=table]")).containsText("browser_key");
    assertThat(page.locator("select[name=table]")).not().containsText(".keys");
    picture(page, "key-change");
    button(page, "Switch reads").click();
    button(page, "Finish").click(new Locator.ClickOptions().setTimeout(90_000));
    assertThat(migration.getByText("· finished")).isVisible(whenMigrated);
    assertThat(migration).not().containsText("browser_key.g2.keys");
    // What is ticked stays so when the list is drawn again.
    Locator ended = migration.getByLabel("Replication to the table has ended");
    ended.check();
    go(page, "#/heat");
    go(page, "#/migrations");
    assertThat(ended).isChecked();
    picture(page, "migration-finished");
    migration.getByText("add an index with it").click();
    assertThat(page.locator("input[name=index]")).hasValue("by_key_before");
    assertThat(page.locator("input[name=index-layout]")).hasValue("salt(4) + id:int64");
  }

  private void store(IndexWork work, Instant at, IndexWork.DifferenceCounts found, long removed)
      throws IOException {
    cluster
        .registry()
        .indexes()
        .store(work.with(new IndexWork.Verification(at, 500, 510, found, 0, removed)));
  }

  @Tag("pictures")
  @Test
  void anIndexIsAddedVerifiedDrawnAndDroppedByButtons() throws Exception {
    TableName table = TableName.valueOf("browser_indexed");
    Layout layout = Layout.parse("salt(8, device) + device:string + ts:timestamp desc");
    byte[] family = Bytes.toBytes("d");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable open = tables.create(table, layout, layout.splits(4), List.of("d"));
      for (long i = 0; i < 500; i++) {
        byte[] key = layout.logicalKey(Values.of(Map.of("device", "d" + i % 20, "ts", i * 60_000)));
        byte[] state = Bytes.toBytes(i % 3 == 0 ? "open" : "paid");
        open.put(new Put(key).addColumn(family, Bytes.toBytes("state"), state));
      }
    }
    Page page = start();
    page.onDialog(Dialog::accept);
    go(page, "#/tables/browser_indexed");
    page.getByText("Add an index").click();
    page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("by_state");
    Locator line = page.locator("input[name=index-layout]");
    line.fill("salt(4) + state:strng");
    assertThat(page.locator("#index-error")).containsText("did you mean 'string'?");
    line.fill("salt(4) + state:string + ts:timestamp desc");
    page.getByLabel("Fields from columns", new Page.GetByLabelOptions().setExact(true))
        .fill("state=d:state");
    page.getByLabel("Rows once written").selectOption("mutable");
    picture(page, "index-form");
    button(page, "Add").click();
    Locator verify = button(page, "Verify by_state");
    assertThat(verify).isVisible(SOON);
    verify.click();
    assertThat(page.getByText("0 missing, 0 stale").first()).isVisible(SOON);
    assertThat(page.getByText("500 rows and 500 entries read")).isVisible(SOON);
    picture(
        page.locator("section", new Page.LocatorOptions().setHas(page.locator("details"))),
        "index");

    Locator repair = button(page, "Repair by_state");
    assertThat(repair).hasCount(0);
    IndexWork work = cluster.registry().indexes().get(table, "by_state").orElseThrow();
    IndexWork.Verification last = requireNonNull(work.verified());
    // Three rows that no repair adds; ten entries that one removed, and two phantoms.
    store(work, last.at(), new IndexWork.DifferenceCounts(0, 0, 2, 1, 10, 0, 0), 10);
    page.reload();
    assertThat(page.locator("span.bad").getByText("2 unfit, to be written again")).isVisible(SOON);
    assertThat(repair).hasCount(0);
    store(work, last.at(), new IndexWork.DifferenceCounts(3, 0, 0, 0, 12, 2, 0), 10);
    page.reload();
    assertThat(page.locator("span.bad").getByText("2 phantoms, which readers take for rows"))
        .isVisible(SOON);
    repair.click();
    assertThat(page.getByText("0 missing, 0 stale").first()).isVisible(SOON);
    assertThat(repair).hasCount(0);
    assertThat(page.getByText(Pattern.compile(" s ago: 0 removed, 0 settled"))).isVisible(SOON);

    go(page, "#/plans/browser_indexed");
    assertThat(page.locator("section canvas.axis"))
        .hasAttribute("aria-label", "key axis with 3 split keys: bucket 1, bucket 2, bucket 3");
    picture(page, "index-plan");

    go(page, "#/tables/browser_indexed");
    button(page, "Drop by_state").click();
    assertThat(page.getByText("None: rows are ordered by the table’s key only.")).isVisible(SOON);
  }

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

  @Test
  void anEmptyPlanOffersExamplesAndNoButtonThatCannotWork() throws Exception {
    Page page = start();
    go(page, "#/plans/browser_examples");
    for (String name : List.of("Store the plan", "Create the table", "Remove the plan")) {
      assertThat(button(page, name)).isDisabled();
    }
    Locator examples = page.locator("button.example");
    assertThat(examples.first()).isVisible(SOON);
    int count = examples.count();
    for (int i = 0; i < count; i++) {
      examples.nth(i).click();
      assertThat(button(page, "Store the plan")).isEnabled();
      assertThat(page.locator("#layout-error")).isEmpty();
      assertThat(button(page, "Create the table")).isDisabled();
      if (i == 0) {
        picture(page, "plan-example");
      }
      page.getByLabel("Layout").fill("");
      assertThat(button(page, "Store the plan")).isDisabled();
    }
    picture(page, "plan-empty");
  }

  @Test
  void rowsOfATableAreShownByACondition() throws Exception {
    TableName table = TableName.valueOf("browser_rows");
    Layout layout = Layout.parse("salt(4, device) + device:string + ts:timestamp desc");
    byte[] family = Bytes.toBytes("d");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable open = tables.create(table, layout, layout.splits(4), List.of("d"));
      for (long i = 0; i < 50; i++) {
        byte[] key = layout.logicalKey(Values.of(Map.of("device", "d" + i % 2, "ts", i * 60_000)));
        open.put(new Put(key).addColumn(family, Bytes.toBytes("temp"), Bytes.toBytes("t" + i)));
      }
    }
    Page page = start();
    go(page, "#/tables/browser_rows");
    Locator rows = page.locator("#rows");
    rows.getByLabel("Condition").fill("device = 'd1' and ts >= 1970-01-01T00:45:00Z");
    rows.getByText("Show rows").click();
    assertThat(rows.locator("tbody tr")).hasCount(3);
    assertThat(rows.locator("tbody tr").first()).containsText("1970-01-01T00:49:00Z");
    assertThat(rows.locator("tbody tr").first()).containsText("t49");
    picture(page, "rows");
    rows.getByLabel("Condition").fill("device =");
    rows.getByText("Show rows").click();
    assertThat(rows.locator(".error")).containsText("^");
    go(page, "#/jobs");
    assertThat(page.locator("select[name=table]")).hasValue("");
    assertThat(page.locator("select[name=table]")).not().containsText("evenkey:");
    assertThat(button(page, "Import")).isDisabled();
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

  /** What is wrong is on the page, in the words of the person who sent the file. */
  @Test
  void aFailedImportAndADroppedTableAreToldInWords() throws Exception {
    String table = "browser_dropped";
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      Layout layout = Layout.parse("salt(2) + n:int64");
      tables.create(TableName.valueOf(table), layout, layout.splits(2), List.of("d"));
    }
    Page page = start();
    go(page, "#/jobs?table=" + table);
    Path file = Files.createTempDirectory("upload").resolve("orders.csv");
    for (String records : List.of("n,amount\nten,1\n11,2\n", "m,amount\n1,1\n")) {
      Files.writeString(file, records);
      page.locator("input[type=file]").setInputFiles(file);
      button(page, "Import").click();
      if (records.startsWith("n")) {
        Locator done = page.locator("[data-state=done]").first();
        assertThat(done)
            .containsText(
                "2 records, 1 written",
                new LocatorAssertions.ContainsTextOptions().setTimeout(30_000));
        assertThat(done).containsText("1 record could not be written, and was left out:");
        assertThat(done.locator("li")).containsText("value=\"ten\"");
        assertThat(done.locator("li")).containsText("file=orders.csv line=2 column=n");
      } else {
        Locator failed = page.locator("[data-state=failed]").first();
        assertThat(failed).isVisible(SOON);
        assertThat(failed).containsText("file=orders.csv line=1 column=n; it has m, amount");
      }
    }
    picture(page, "job-failed");
    Files.delete(file);
    Files.delete(requireNonNull(file.getParent()));

    go(page, "#/tables/" + table);
    assertThat(page.locator("#rows h2")).isVisible();
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.deleteTable(TableName.valueOf(table));
    }
    assertThat(page.getByText("no such table: table=" + table)).isVisible(SOON);
    assertThat(page.locator("h2")).hasCount(0);
    assertThat(page.getByText("All tables")).isVisible();
    picture(page, "table-dropped");
  }

  /** A browser opens six connections to a host, for all of its pages together. */
  @Test
  void eightPagesOfOneBrowserAreAnswered() throws Exception {
    Page first = start();
    List<Page> pages = new ArrayList<>(List.of(first));
    while (pages.size() < 8) {
      Page next = context.newPage();
      next.navigate(portal.url() + "#token=" + TOKEN);
      pages.add(next);
    }
    for (Page page : pages) {
      go(page, "#/tables");
      assertThat(page.locator("summary").getByText("Evenkey’s own tables")).isVisible(SOON);
      assertThat(page.locator("#problem")).isHidden();
    }
    // Each page follows the readings.
    for (Page page : pages) {
      page.waitForResponse(
          response -> response.url().contains("/api/tables") && response.ok(), () -> {});
    }
  }

  @Test
  void aUserWithoutATokenIsAskedForOne() throws Exception {
    Page page = start();
    button(page, "Forget token").click();
    assertThat(button(page, "Enter token")).isVisible();
    go(page, "#/plans/browser_token");
    page.getByLabel("Layout").fill("k:string");
    page.getByLabel("Families").fill("d");
    button(page, "Store the plan").click();
    Locator dialog = page.getByRole(AriaRole.DIALOG);
    assertThat(dialog).isVisible();
    assertThat(dialog).not().containsText("does not accept");
    dialog.getByLabel("Token").fill("not-the-token-of-it");
    useToken(page, dialog);
    assertThat(button(page, "Forget token")).isVisible();
    page.getByLabel("Layout").fill("k:string");
    page.getByLabel("Families").fill("d");
    button(page, "Store the plan").click();
    assertThat(dialog).containsText("The portal does not accept this token.");
    dialog.getByLabel("Token").fill(TOKEN);
    useToken(page, dialog);
    assertThat(dialog).not().isVisible();
    assertThat(button(page, "Forget token")).isVisible();
    page.getByLabel("Layout").fill("k:string");
    page.getByLabel("Families").fill("d");
    button(page, "Store the plan").click();
    assertThat(page.getByText("Stored as version 0.")).isVisible();
  }

  // The page then reloads, and loses what a test has filled in before.
  private static void useToken(Page page, Locator dialog) {
    page.waitForResponse(
        response -> response.url().matches(".*/api/plans/browser_token\\??"),
        () -> dialog.getByText("Use it").click());
  }

  @Tag("pictures")
  @Test
  void adviceIsGivenOnAnUpload() throws Exception {
    Page page = start();
    go(page, "#/advice");
    StringBuilder csv = new StringBuilder("user,at,amount\n");
    for (int i = 0; i < 5_000; i++) {
      csv.append(String.format(Locale.ROOT, "u%04d,%d,%d%n", i % 97, 1_700_000_000L + i, i));
    }
    Path file = Files.createTempDirectory("upload").resolve("records.csv");
    Files.writeString(file, csv);
    page.locator("input[type=file]").setInputFiles(file);
    page.getByLabel("Queries, one per line")
        .fill("at between ? and ? : weight 77\nuser = ? : weight 3\namount = ? : weight 20");
    button(page, "Advise").click();
    Locator done = page.locator("[data-state=done]").first();
    assertThat(done).isVisible(SOON);
    assertThat(done).containsText("write skew");
    assertThat(done.locator("p").first()).containsText("Not served: \"user = ?\" reads ");
    assertThat(done.locator("tbody tr").nth(2)).containsText("by_amount");
    assertThat(done.locator("tbody tr").nth(2)).containsText("nothing");
    picture(page, "advice");
    Page report = context.waitForPage(() -> done.getByText("Open the report").click());
    report.setViewportSize(900, 1120);
    assertThat(report.locator("svg").first()).isVisible();
    assertThat(report.locator("main p").first()).containsText("Not served: \"user = ?\" reads ");
    picture(report, "advice-report");
    done.getByText("Plan a table with it").click();
    page.getByLabel("Plan for").fill("browser_advised");
    page.getByLabel("Plan for").press("Enter");
    assertThat(page.getByLabel("Layout")).not().hasValue("");
    Files.delete(file);
    Files.delete(requireNonNull(file.getParent()));
  }
}
