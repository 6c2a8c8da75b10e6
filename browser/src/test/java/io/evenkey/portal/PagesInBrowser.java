/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.counters.ReadingSource;
import io.evenkey.report.launch.PortalSettings;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Opens a portal in the system's browser for each test. Screenshots go to target/screenshots. */
@ExtendWith(EmbeddedHBaseExtension.class)
abstract class PagesInBrowser {
  static final String TOKEN = "a-token-for-tests-only";
  static final Path PICTURES = Path.of("target", "screenshots");
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

  static final LocatorAssertions.IsVisibleOptions SOON =
      new LocatorAssertions.IsVisibleOptions().setTimeout(30_000);

  private static @Nullable Playwright playwright;
  private static @Nullable Browser browser;

  Cluster cluster;
  Portal portal;
  BrowserContext context;
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

  Page start(ReadingSource readings, Browser.NewContextOptions options) throws IOException {
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

  Page start() throws IOException {
    return start(new ClusterReadings(cluster.connection()), size(1400, 900));
  }

  static Browser.NewContextOptions size(int width, int height) {
    return new Browser.NewContextOptions().setViewportSize(width, height);
  }

  static void picture(Page page, String name) {
    keep(
        name,
        page.screenshot(new Page.ScreenshotOptions().setFullPage(!name.equals("advice-report"))));
  }

  static void picture(Locator part, String name) {
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

  static Locator button(Page page, String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  static Locator.GetByTextOptions exactly() {
    return new Locator.GetByTextOptions().setExact(true);
  }

  void go(Page page, String place) {
    page.navigate(portal.url() + place);
  }
}
