/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;
import org.junit.jupiter.api.Test;

/**
 * Every relative link of every Markdown file leads to a file, and to a heading where it names one.
 */
class DocumentLinksTest {
  private static final Parser PARSER = Parser.builder().build();
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

  @Test
  void relativeLinksHaveTargets() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path file : Documents.markdown()) {
      for (String link : read(file).links()) {
        links++;
        if (!leadsSomewhere(file, link)) {
          broken.add(Documents.ROOT.relativize(file) + ": " + link);
        }
      }
    }

    assertThat(links).as("links found").isGreaterThan(100);
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path file, String link) throws IOException {
    if (link.matches("[a-z]+:.*")) {
      return true;
    }
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path target = path.isEmpty() ? file : file.resolveSibling(path).normalize();
    return Files.exists(target)
        && (hash < 0 || read(target).anchors().contains(link.substring(hash + 1)));
  }

  private static Document read(Path file) throws IOException {
    Document document = new Document(new ArrayList<>(), new TreeSet<>(), new HashMap<>());
    PARSER.parse(Files.readString(file)).accept(document.visitor());
    return document;
  }

  /** The links of a file, and the anchors that a hosting site makes of its headings. */
  private record Document(
      List<String> links, Set<String> anchors, Map<String, Integer> sameHeadings) {
    AbstractVisitor visitor() {
      return new AbstractVisitor() {
        @Override
        public void visit(Link link) {
          links.add(link.getDestination());
          visitChildren(link);
        }

        @Override
        public void visit(Image image) {
          links.add(image.getDestination());
        }

        @Override
        public void visit(Heading heading) {
          String anchor = anchor(heading);
          int earlier = sameHeadings.merge(anchor, 1, Integer::sum) - 1;
          anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
          visitChildren(heading);
        }
      };
    }

    private static String anchor(Node heading) {
      return TEXT.render(heading)
          .strip()
          .toLowerCase(Locale.ROOT)
          .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
          .replace(' ', '-');
    }
  }
}
