/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.evenkey.client.SpreadMutator;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages with which tables are planned, filled, indexed and migrated, in a browser. */
@Tag("ci")
class TablePagesIT extends PagesInBrowser {
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
  @Tag("long")
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
