/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import com.marcnuri.helm.TemplateCommand;
import io.evenkey.cli.Evenkey;
import java.io.IOException;
import java.io.InputStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The packages that are made of the archive: completion, the service, the Debian package, the image
 * and the chart.
 */
class PackagesIT {
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String TOKEN = "0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private static Path all;
  private static Path home;

  @TempDir private Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    home = Archive.unpack(all);
  }

  // Completion

  @Test
  void bashCompletesCommandsAndOptions() throws IOException {
    assertThat(completionsIn("bash", "evenkey exp")).contains("explain", "export");
    assertThat(completionsIn("bash", "evenkey portal --re")).contains("--read-only");
  }

  private static String completionsIn(String shell, String line) throws IOException {
    String[] words = line.split(" ");
    String script =
        ". \"$0\"; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($#-1)); COMP_LINE=\"$*\";"
            + " _complete_evenkey; echo \"${COMPREPLY[@]}\"";
    Shell.Run run =
        Shell.in(all)
            .run(
                Stream.concat(
                        Stream.of(
                            shell, "-c", script, home.resolve("completion/evenkey").toString()),
                        Stream.of(words))
                    .toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    return run.out();
  }

  @Test
  void zshReadsItsCompletion() throws IOException {
    assumeTrue(Shell.has("zsh"), "zsh is not installed");
    String script =
        "autoload -U compinit && compinit -u -D && . \"$0\" 2>/dev/null; echo $_comps[evenkey]";
    Shell.Run run =
        Shell.in(all).run("zsh", "-fc", script, home.resolve("completion/_evenkey").toString());

    assertThat(home.resolve("completion/_evenkey")).content().startsWith("#compdef evenkey\n");
    assertThat(run.out()).contains("_complete_evenkey");
  }

  // Manual pages

  private static List<Path> manualPages() throws IOException {
    try (Stream<Path> pages = Files.list(home.resolve("man/man1"))) {
      return pages.sorted().toList();
    }
  }

  private static String page(Path packed) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void eachCommandHasAManualPage() throws IOException {
    Set<String> names = new TreeSet<>();
    names.add("evenkey.1.gz");
    addPages("evenkey", Evenkey.documented(), names);

    assertThat(manualPages().stream().map(page -> page.getFileName().toString()))
        .containsExactlyInAnyOrderElementsOf(names);
    assertThat(page(home.resolve("man/man1/evenkey-scan.1.gz")))
        .contains(".SH \"NAME\"", "\\-\\-limit", "Rights in HBase", "Evenkey " + Archive.VERSION);
  }

  @Test
  void namesOfValuesAreAsInTheHelp() throws IOException {
    assertThat(page(home.resolve("man/man1/evenkey-import.1.gz")).replaceAll("\\\\f[BIP]|\\\\", ""))
        .contains("[--column=F:Q=NAME[:TYPE]]... --csv=FILE [--csv=FILE]...");
  }

  private static void addPages(String name, CommandSpec command, Set<String> names) {
    command
        .subcommands()
        .forEach(
            (word, subcommand) -> {
              names.add(name + "-" + word + ".1.gz");
              addPages(name + "-" + word, subcommand.getCommandSpec(), names);
            });
  }

  @Test
  void anotherRunMakesTheSameManualPages() throws IOException {
    Path again = directory.resolve("again");
    ManPages.main(
        new String[] {directory.resolve("sources").toString(), again.toString(), Archive.VERSION});

    for (Path page : manualPages()) {
      assertThat(again.resolve(page.getFileName())).hasSameBinaryContentAs(page);
    }
  }

  @Test
  void groffAcceptsTheManualPages() throws IOException {
    assumeTrue(Shell.has("groff"), "groff is not installed");
    for (Path packed : manualPages()) {
      Path page = Files.writeString(directory.resolve("page.1"), page(packed));
      Shell.Run run =
          Shell.in(directory)
              .run("groff", "-man", "-Kutf8", "-Tutf8", "-ww", "-z", page.toString());

      assertThat(run.err()).as(packed.toString()).isEmpty();
      assertThat(run.exit()).isZero();
    }
  }

  @Test
  void mandocFindsNoErrorInTheManualPages() throws IOException {
    assumeTrue(Shell.has("mandoc"), "mandoc is not installed");
    for (Path packed : manualPages()) {
      Path page = Files.writeString(directory.resolve("page.1"), page(packed));
      Shell.Run run = Shell.in(directory).run("mandoc", "-Tlint", "-Werror", page.toString());

      assertThat(run.exit()).as(packed + ": " + run.out()).isZero();
    }
  }

  // The service

  @Test
  void systemdAcceptsTheService() throws IOException {
    assumeTrue(Shell.has("systemd-analyze"), "systemd is not installed");
    String unit = Files.readString(home.resolve("systemd/evenkey-portal.service"));
    assertThat(unit).contains("\nExecStart=evenkey portal ");
    Path copy =
        Files.writeString(
            directory.resolve("evenkey-portal.service"),
            unit.replace("ExecStart=evenkey ", "ExecStart=" + home.resolve("bin/evenkey") + " "));

    Shell.Run run = Shell.in(directory).run("systemd-analyze", "verify", copy.toString());

    assertThat(run.out() + run.err()).doesNotContain("evenkey-portal.service:");
    assertThat(run.exit()).as(run.err()).isZero();
  }

  // The alerts

  @Test
  void prometheusAcceptsTheAlertsAndTheirTestsPass() throws IOException {
    assumeTrue(Shell.has("promtool"), "Prometheus is not installed");
    Shell there = Shell.in(home.resolve("monitoring"));
    Shell.Run check = there.run("promtool", "check", "rules", "evenkey-alerts.yaml");
    assertThat(check.exit()).as(check.err()).isZero();
    Shell.Run test = there.run("promtool", "test", "rules", "evenkey-alerts-test.yaml");
    assertThat(test.exit()).as(test.out() + test.err()).isZero();
  }

  // The Debian package

  @Test
  void theDebianPackageHasTheArchiveAtItsPlaces() throws IOException {
    assumeTrue(Shell.has("dpkg-deb"), "dpkg is not installed");
    Path deb = Archive.beside("evenkey_" + Archive.VERSION + "_all.deb");
    Shell here = Shell.in(directory);

    assertThat(here.run("dpkg-deb", "--info", deb.toString()).out())
        .contains("Package: evenkey", "Architecture: all", "java17-runtime-headless");
    Shell.Run extracted = here.run("dpkg-deb", "--extract", deb.toString(), "root");
    assertThat(extracted.exit()).as(extracted.err()).isZero();

    Path root = directory.resolve("root");
    Shell.Run version =
        here.with("EVENKEY_CACHE", "").run(root.resolve("usr/bin/evenkey").toString(), "--version");
    assertThat(version).isEqualTo(new Shell.Run(0, "evenkey " + Archive.VERSION + "\n", ""));
    assertThat(root.resolve("usr/share/evenkey/evenkey.jar"))
        .hasSameBinaryContentAs(home.resolve("evenkey.jar"));
    assertThat(Files.readSymbolicLink(root.resolve("usr/share/evenkey/cache")))
        .isEqualTo(Path.of("/var/cache/evenkey"));
    assertThat(root.resolve("var/cache/evenkey")).isDirectory();
    assertThat(root.resolve("usr/share/man/man1/evenkey-scan.1.gz"))
        .hasSameBinaryContentAs(home.resolve("man/man1/evenkey-scan.1.gz"));
    assertThat(root.resolve("usr/share/evenkey/man")).doesNotExist();
    assertThat(root.resolve("usr/share/bash-completion/completions/evenkey")).isRegularFile();
    assertThat(root.resolve("usr/share/zsh/vendor-completions/_evenkey")).isRegularFile();
    assertThat(root.resolve("usr/lib/systemd/system/evenkey-portal.service"))
        .hasSameTextualContentAs(home.resolve("systemd/evenkey-portal.service"));
    assertThat(root.resolve("usr/share/doc/evenkey/copyright")).isRegularFile();
    assertThat(root.resolve("usr/share/doc/evenkey/docs/installation.md")).isRegularFile();
  }

  // The image

  @Test
  void archiveHasAllPathsOfTheDockerfile() throws IOException {
    List<String> lines = Files.readAllLines(home.resolve("docker/Dockerfile"));
    assertThat(lines.stream().filter(line -> line.startsWith("FROM ")))
        .containsExactly("FROM eclipse-temurin:17-jre");
    // The image has the archive in /opt/evenkey.
    assertThat(lines).contains("COPY . /opt/evenkey", "ENTRYPOINT [\"evenkey\"]");
    Matcher named = Pattern.compile("/opt/evenkey/([a-z/-]+)").matcher(String.join("\n", lines));
    List<String> files = new ArrayList<>();
    while (named.find()) {
      files.add(named.group(1));
    }
    assertThat(files)
        .isNotEmpty()
        .allSatisfy(file -> assertThat(home.resolve(file)).isExecutable());
  }

  @Test
  void theServicesOfTheComposeFileRun() throws Exception {
    JsonNode services = YAML.readTree(home.resolve("docker/compose.yaml").toFile()).get("services");
    JsonNode dev = services.get("dev");
    JsonNode portal = services.get("portal");
    assertThat(home.resolve("docker").resolve(dev.at("/build/context").asText()).normalize())
        .isEqualTo(home);
    assertThat(home.resolve(dev.at("/build/dockerfile").asText())).isRegularFile();
    assertThat(portal.get("network_mode").asText()).isEqualTo("service:dev");
    String port = Integer.toString(freePort());

    // As the containers do: the same commands, with a directory here for the volume.
    Shell shell = Shell.in(directory).with("EVENKEY_CACHE", "").with("EVENKEY_TOKEN", TOKEN);
    Path site = directory.resolve("hbase/conf/hbase-site.xml");
    assertThat(here(dev.at("/healthcheck/test/3"))).isEqualTo(site.toString());
    Process first = start(shell, "dev", command(dev, port));
    try {
      await().atMost(PATIENCE).until(() -> Files.exists(site) || !first.isAlive());
      Process second =
          start(
              shell.with("HBASE_CONF_DIR", here(portal.at("/environment/HBASE_CONF_DIR"))),
              "portal",
              command(portal, port));
      try {
        await().atMost(PATIENCE).until(() -> status(port, "/", "") == 200 || !second.isAlive());
        assertThat(Files.readString(directory.resolve("portal.err"))).doesNotContain("evenkey: ");
        assertThat(status(port, "/", "")).isEqualTo(200);
        assertThat(status(port, "/metrics", "")).isEqualTo(401);
        assertThat(status(port, "/metrics", TOKEN)).isEqualTo(200);
      } finally {
        stop(second);
      }
    } finally {
      stop(first);
    }
  }

  private String here(JsonNode text) {
    return text.asText().replaceFirst("^/data", directory.toString());
  }

  private List<String> command(JsonNode service, String port) {
    return StreamSupport.stream(service.get("command").spliterator(), false)
        .map(this::here)
        .map(word -> word.equals("8620") ? port : word)
        .toList();
  }

  private Process start(Shell shell, String name, List<String> arguments) throws IOException {
    return shell.start(
        directory.resolve(name + ".out"),
        directory.resolve(name + ".err"),
        Stream.concat(Stream.of(home.resolve("bin/evenkey").toString()), arguments.stream())
            .toArray(String[]::new));
  }

  private static void stop(Process process) throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static int status(String port, String path, String token) throws Exception {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .header("Authorization", "Bearer " + token)
              .build();
      return HttpClient.newHttpClient()
          .send(request, HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (java.net.ConnectException e) {
      return 0;
    }
  }

  // The chart

  private static Path chart() {
    return home.resolve("helm/evenkey-portal");
  }

  // The library's own default is older than what the chart needs.
  private static TemplateCommand template() {
    return new Helm(chart()).template().withKubeVersion("1.29.0");
  }

  @Test
  void helmAcceptsTheChart() {
    LintResult lint = new Helm(chart()).lint().call();

    assertThat(lint.isFailed()).as(lint.getMessages().toString()).isFalse();
  }

  @Test
  void theChartIsTheOneThatIsPackaged() throws IOException {
    Path packaged = Archive.beside("evenkey-portal-" + Archive.VERSION + ".tgz");
    Shell.Run tar = Shell.in(directory).run("tar", "xzf", packaged.toString());
    assertThat(tar.exit()).as(tar.err()).isZero();

    assertThat(Shell.in(directory).run("diff", "-r", "evenkey-portal", chart().toString()).out())
        .isEmpty();
    assertThat(YAML.readTree(chart().resolve("Chart.yaml").toFile()).get("version").asText())
        .isEqualTo(Archive.VERSION);
  }

  @Test
  void theChartRunsAPortalWithTheQuorumAndTheToken() throws IOException {
    Map<String, JsonNode> made =
        rendered(
            template()
                .withName("hot")
                .withNamespace("data")
                .set("quorum", "zk1:2181")
                .set("token", TOKEN)
                .set("readOnly", "true")
                .set("ingress.enabled", "true")
                .set("ingress.host", "hbase.example.org")
                .call());

    assertThat(made).containsOnlyKeys("Secret", "Service", "Deployment", "Ingress");
    assertThat(made.get("Secret").at("/stringData/token").asText()).isEqualTo(TOKEN);
    JsonNode container = made.get("Deployment").at("/spec/template/spec/containers/0");
    assertThat(container.get("image").asText()).isEqualTo("evenkey:" + Archive.VERSION);
    assertThat(container.get("args").toString())
        .contains("\"--quorum\",\"zk1:2181\"", "\"--read-only\"")
        .contains("\"--allowed-host\",\"hbase.example.org\"")
        .contains("\"--allowed-host\",\"hot-evenkey-portal.data\"");
    assertThat(container.at("/env/0/valueFrom/secretKeyRef/name").asText())
        .isEqualTo(made.get("Secret").at("/metadata/name").asText());
    assertThat(made.get("Service").at("/spec/selector"))
        .isEqualTo(made.get("Deployment").at("/spec/selector/matchLabels"));
    assertThat(made.get("Ingress").at("/spec/rules/0/http/paths/0/backend/service/name"))
        .isEqualTo(made.get("Service").at("/metadata/name"));
  }

  @Test
  void theChartTakesAConfigurationAndASecretThatExist() throws IOException {
    Map<String, JsonNode> made =
        rendered(
            template()
                .set("existingConfigMap", "hbase")
                .set("existingSecret", "portal-token")
                .call());

    assertThat(made).containsOnlyKeys("Service", "Deployment");
    JsonNode pod = made.get("Deployment").at("/spec/template/spec");
    assertThat(pod.at("/volumes/2/configMap/name").asText()).isEqualTo("hbase");
    assertThat(pod.at("/containers/0/env/0/valueFrom/secretKeyRef/name").asText())
        .isEqualTo("portal-token");
    assertThat(pod.at("/containers/0/args").toString()).doesNotContain("--quorum");
  }

  @Test
  void theChartRefusesToRunWithoutAnHBaseOrAToken() {
    assertThatThrownBy(() -> template().set("token", TOKEN).call())
        .hasMessageContaining("no HBase: set quorum");
    assertThatThrownBy(() -> template().set("quorum", "zk1").call())
        .hasMessageContaining("no token: set token");
  }

  private static Map<String, JsonNode> rendered(String documents) throws IOException {
    Map<String, JsonNode> made = new LinkedHashMap<>();
    try (MappingIterator<JsonNode> each = YAML.readerFor(JsonNode.class).readValues(documents)) {
      while (each.hasNext()) {
        JsonNode document = each.next();
        made.put(document.get("kind").asText(), document);
      }
    }
    return made;
  }
}
