/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;

/**
 * Checks that each artefact in a repository directory fulfils the rules of Maven Central: {@code
 * java CentralRules.java DIRECTORY [signed]}. Prints what is wrong, one problem a line, and exits
 * with 1 if anything is.
 */
final class CentralRules {
  private static final List<String> REQUIRED =
      List.of(
          "/project/groupId",
          "/project/artifactId",
          "/project/version",
          "/project/name",
          "/project/description",
          "/project/url",
          "/project/licenses/license/name",
          "/project/licenses/license/url",
          "/project/developers/developer/name",
          "/project/scm/connection",
          "/project/scm/developerConnection",
          "/project/scm/url");

  private final XPath xpath = XPathFactory.newInstance().newXPath();
  private final List<String> problems = new ArrayList<>();
  private final boolean signed;

  private CentralRules(boolean signed) {
    this.signed = signed;
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0 || !Files.isDirectory(Path.of(arguments[0]))) {
      System.err.println("no such directory: name the repository that was deployed to");
      System.exit(2);
    }
    CentralRules rules = new CentralRules(arguments.length > 1 && arguments[1].equals("signed"));
    List<Path> poms;
    try (Stream<Path> files = Files.walk(Path.of(arguments[0]))) {
      poms = files.filter(file -> file.toString().endsWith(".pom")).sorted().toList();
    }
    for (Path pom : poms) {
      rules.check(pom);
    }
    rules.problems.forEach(System.out::println);
    System.out.printf("%d artefacts, %d problems%n", poms.size(), rules.problems.size());
    System.exit(rules.problems.isEmpty() && !poms.isEmpty() ? 0 : 1);
  }

  private void check(Path pom) throws Exception {
    Document xml = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    for (String path : REQUIRED) {
      if (text(xml, path).isBlank()) {
        problem(pom, "missing element: element=" + path + "; add it to the pom");
      }
    }
    if (Files.readString(pom).contains("<systemPath>")) {
      problem(pom, "dependency of one machine: element=systemPath; name a coordinate");
    }
    String packaging = text(xml, "/project/packaging");
    boolean isBom = packaging.equals("pom");
    if (!isBom && !text(xml, "/project/parent/artifactId").isEmpty()) {
      problem(pom, "parent in a published pom: flatten it");
    }
    for (String path : List.of("dependencies", "dependencyManagement/dependencies")) {
      if (text(xml, "/project/" + path + "/dependency[not(version)]/artifactId").length() > 0) {
        problem(pom, "dependency without a version: element=" + path + "; flatten the pom");
      }
    }
    checkFiles(pom, isBom);
  }

  private void checkFiles(Path pom, boolean isBom) throws IOException {
    String name = pom.toString().replaceFirst("\\.pom$", "");
    List<Path> files = new ArrayList<>(List.of(pom));
    if (!isBom) {
      for (String suffix : List.of(".jar", "-sources.jar", "-javadoc.jar")) {
        Path jar = Path.of(name + suffix);
        if (!Files.exists(jar)) {
          problem(pom, "missing file: file=" + jar.getFileName());
          continue;
        }
        files.add(jar);
        try (ZipFile zip = new ZipFile(jar.toFile())) {
          if (zip.stream().noneMatch(entry -> !entry.isDirectory())) {
            problem(pom, "empty jar: file=" + jar.getFileName());
          }
          if (suffix.equals(".jar") && zip.getEntry("META-INF/LICENSE") == null) {
            problem(pom, "no licence: file=" + jar.getFileName());
          }
        }
      }
    }
    for (Path file : files) {
      for (String suffix :
          signed ? List.of(".md5", ".sha1", ".asc") : List.of(".md5", ".sha1")) {
        if (!Files.exists(Path.of(file + suffix))) {
          problem(pom, "missing file: file=" + file.getFileName() + suffix);
        }
      }
    }
  }

  private String text(Document xml, String path) throws XPathExpressionException {
    return xpath.evaluate(path, xml);
  }

  private void problem(Path pom, String text) {
    problems.add(pom.getFileName() + ": " + text);
  }
}
