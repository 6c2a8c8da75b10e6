/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** Compares the module {@code bom} with the published modules. */
class BomTest {
  private static final Path ROOT = Path.of("..", "..");

  /** A module's pom.xml. */
  private record Pom(Document xml) {
    static Pom of(Path module) throws Exception {
      return new Pom(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(module.resolve("pom.xml").toFile()));
    }

    List<String> all(String path) throws XPathExpressionException {
      XPath xpath = XPathFactory.newInstance().newXPath();
      NodeList found = (NodeList) xpath.evaluate(path, xml, XPathConstants.NODESET);
      return IntStream.range(0, found.getLength())
          .mapToObj(i -> found.item(i).getTextContent())
          .toList();
    }

    boolean isPublishedJar() throws XPathExpressionException {
      return !all("/project/packaging").contains("pom")
          && !all("/project/properties/maven.deploy.skip").contains("true");
    }
  }

  @Test
  void namesThePublishedModulesAndNoOther() throws Exception {
    List<String> published = new ArrayList<>();
    for (String module : Pom.of(ROOT).all("//modules/module")) {
      Pom pom = Pom.of(ROOT.resolve(module));
      if (pom.isPublishedJar()) {
        published.addAll(pom.all("/project/artifactId"));
      }
    }
    assertThat(published)
        .contains("evenkey-client", "evenkey-shaded-client")
        .doesNotContain("evenkey-compatibility", "evenkey-tck");
    assertThat(Pom.of(ROOT.resolve("bom")).all("//dependency/artifactId"))
        .as("dependencies in bom/pom.xml")
        .containsExactlyInAnyOrderElementsOf(published);
  }

  @Test
  void hasTheVersionOfAllAndNoVersionOfOthers() throws Exception {
    Pom bom = Pom.of(ROOT.resolve("bom"));
    assertThat(bom.all("/project/version")).isEqualTo(Pom.of(ROOT).all("/project/version"));
    assertThat(bom.all("/project/parent")).isEmpty();
    assertThat(bom.all("//dependency/groupId")).containsOnly("io.evenkey");
    assertThat(bom.all("//dependency/version")).containsOnly("${project.version}");
    assertThat(bom.all("//plugin/version"))
        .as("versions of plugins in bom/pom.xml")
        .containsExactlyInAnyOrderElementsOf(
            Pom.of(ROOT)
                .all(
                    "/project/properties/*[self::spotless-plugin.version"
                        + " or self::deploy-plugin.version or self::gpg-plugin.version]"));
  }
}
