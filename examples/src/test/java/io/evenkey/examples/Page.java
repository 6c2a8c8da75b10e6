/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * A page that exists in two languages: the link to the other one, which is the paragraph below the
 * title, and the sections.
 *
 * @param language the destination of the only link of the paragraph below the title, or an empty
 *     text if there is no such paragraph; it belongs to no section
 * @param sections the text before the first heading, then each heading with the text that follows
 *     it
 */
record Page(String language, List<Section> sections) {
  private static final Parser PARSER = Parser.builder().build();
  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

  /**
   * A heading and what follows it, up to the next heading of any level.
   *
   * @param level 1 to 6, or 0 before the first heading
   * @param title the heading as text
   * @param blocks the code blocks; a fenced one begins with the line of its language
   * @param code the code within sentences and tables
   * @param links the destinations of links and images
   * @param prose the text without code, the heading included
   */
  record Section(
      int level,
      String title,
      List<String> blocks,
      List<String> code,
      List<String> links,
      StringBuilder prose) {
    private static Section of(int level, String title) {
      return new Section(
          level,
          title,
          new ArrayList<>(),
          new ArrayList<>(),
          new ArrayList<>(),
          new StringBuilder());
    }
  }

  static Page read(Path file) throws IOException {
    Node document = PARSER.parse(Files.readString(file));
    String language = language(document);
    List<Section> sections = new ArrayList<>();
    sections.add(Section.of(0, ""));
    for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
      if (block instanceof Heading heading) {
        sections.add(Section.of(heading.getLevel(), TEXT.render(heading).strip()));
      }
      block.accept(new Contents(sections.get(sections.size() - 1)));
    }
    return new Page(language, List.copyOf(sections));
  }

  private static String language(Node document) {
    if (document.getFirstChild() instanceof Heading title
        && title.getNext() instanceof Paragraph line
        && line.getFirstChild() instanceof Link link
        && link.getNext() == null) {
      line.unlink();
      return link.getDestination();
    }
    return "";
  }

  /** Adds what is in a block to a section. */
  private static final class Contents extends AbstractVisitor {
    private final Section section;

    Contents(Section section) {
      this.section = section;
    }

    @Override
    public void visit(FencedCodeBlock block) {
      section.blocks().add(block.getInfo() + "\n" + block.getLiteral());
    }

    @Override
    public void visit(IndentedCodeBlock block) {
      section.blocks().add(block.getLiteral());
    }

    @Override
    public void visit(Code code) {
      section.code().add(code.getLiteral());
      section.prose().append(' ');
    }

    @Override
    public void visit(Link link) {
      section.links().add(link.getDestination());
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      section.links().add(image.getDestination());
      visitChildren(image);
    }

    @Override
    public void visit(Text text) {
      section.prose().append(text.getLiteral());
    }

    @Override
    public void visit(SoftLineBreak end) {
      section.prose().append('\n');
    }

    @Override
    public void visit(HardLineBreak end) {
      section.prose().append('\n');
    }

    @Override
    public void visit(Paragraph paragraph) {
      visitChildren(paragraph);
      section.prose().append('\n');
    }

    @Override
    public void visit(Heading heading) {
      visitChildren(heading);
      section.prose().append('\n');
    }
  }
}
