/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A page in Chinese, {@code X.zh-CN.md}, beside its English page {@code X.md}.
 *
 * <p>Both have, under the title, a line that links to the other one. Headings have the same levels
 * in the same order. Each section has the same code blocks, byte for byte and in the same order;
 * and in any order, the same code within sentences, the same {@link Figures} and the same links. A
 * link leads to the Chinese page if there is one. Where in such a page it leads is not compared.
 *
 * @param name the Chinese page, as messages name it
 */
record Translation(String name, Path english, Path chinese) {
  static final String SUFFIX = ".zh-CN.md";

  /** The translation in a file whose name ends with {@link #SUFFIX}, somewhere below a root. */
  static Translation of(Path root, Path chinese) {
    String file = chinese.getFileName().toString();
    String page = file.substring(0, file.length() - SUFFIX.length());
    return new Translation(
        root.relativize(chinese).toString(), chinese.resolveSibling(page + ".md"), chinese);
  }

  /** The differences, one sentence for each kind in a section; empty if there are none. */
  List<String> differences() throws IOException {
    if (!Files.exists(english)) {
      return List.of(
          "%s: there is no English page %s; rename or delete the Chinese one"
              .formatted(name, file(english)));
    }
    Page here = Page.read(chinese);
    Page there = Page.read(english);
    List<String> found = new ArrayList<>();
    linkToOther(found, name, here, english);
    linkToOther(found, file(english), there, chinese);
    if (headings(found, here.sections(), there.sections())) {
      for (int i = 0; i < here.sections().size(); i++) {
        section(found, here.sections().get(i), there.sections().get(i));
      }
    }
    return List.copyOf(found);
  }

  private static void linkToOther(List<String> found, String name, Page page, Path other) {
    if (!page.language().equals(file(other))) {
      found.add(
          "%s, below the title: there is no line with a link to %s alone; add it"
              .formatted(name, file(other)));
    }
  }

  /** Whether the headings are the same, so that sections can be compared one by one. */
  private boolean headings(List<String> found, List<Page.Section> here, List<Page.Section> there) {
    int same = 0;
    while (same < Math.min(here.size(), there.size())
        && here.get(same).level() == there.get(same).level()) {
      same++;
    }
    if (same == here.size() && same == there.size()) {
      return true;
    }
    found.add(
        "%s, heading %d: it is %s, in English it is %s; give both pages the same headings"
            .formatted(name, same, heading(here, same), heading(there, same)));
    return false;
  }

  private static String heading(List<Page.Section> sections, int index) {
    return index == sections.size()
        ? "missing"
        : "'" + "#".repeat(sections.get(index).level()) + " " + sections.get(index).title() + "'";
  }

  private void section(List<String> found, Page.Section here, Page.Section there) {
    String place =
        "%s, section '%s' ('%s' in %s), "
            .formatted(name, here.title(), there.title(), file(english));
    blocks(found, place, here.blocks(), there.blocks());
    differ(
        found,
        place + "code within sentences",
        without(there.code(), here.code()),
        without(here.code(), there.code()),
        "write the same code in both pages");
    List<String> links = here.links().stream().map(Translation::withoutChineseAnchor).toList();
    List<String> expected = there.links().stream().map(this::inChinese).toList();
    differ(
        found,
        place + "links",
        without(expected, links),
        without(links, expected),
        "link to the same pages, to the Chinese one if it exists");
    figures(found, place, here.prose().toString(), there.prose().toString());
  }

  private static void blocks(
      List<String> found, String place, List<String> here, List<String> there) {
    if (here.size() != there.size()) {
      found.add(
          "%s%d code blocks, in English %d; copy them from the English page"
              .formatted(place, here.size(), there.size()));
      return;
    }
    for (int block = 0; block < here.size(); block++) {
      if (!here.get(block).equals(there.get(block))) {
        String[] ours = here.get(block).split("\n", -1);
        String[] theirs = there.get(block).split("\n", -1);
        int line = 0;
        while (line < Math.min(ours.length, theirs.length) - 1 && ours[line].equals(theirs[line])) {
          line++;
        }
        found.add(
            "%scode block %d has '%s', in English '%s'; copy it from the English page"
                .formatted(place, block + 1, ours[line], theirs[line]));
      }
    }
  }

  private static void figures(List<String> found, String place, String here, String there) {
    List<String> hidden = Figures.hidden(here);
    if (!hidden.isEmpty()) {
      found.add(
          "%sfigures with a unit of number %s; write digits alone, 150,000 and not 15 万"
              .formatted(place, hidden));
    }
    List<String> digits = Figures.of(here).digits();
    Figures original = Figures.of(there);
    differ(
        found,
        place + "figures",
        without(original.digits(), digits),
        without(without(digits, original.digits()), original.words()),
        "write each figure of the English page in the same digits");
  }

  private static void differ(
      List<String> found, String what, List<String> missing, List<String> surplus, String remedy) {
    if (!missing.isEmpty() || !surplus.isEmpty()) {
      found.add(
          "%s: only in English %s, only in Chinese %s; %s"
              .formatted(what, missing, surplus, remedy));
    }
  }

  /** The elements without those of another list, each taken away once for each time it is there. */
  private static List<String> without(List<String> elements, List<String> others) {
    List<String> rest = new ArrayList<>(elements);
    others.forEach(rest::remove);
    return rest;
  }

  /** The target that a link of the English page has in the Chinese one. */
  private String inChinese(String link) {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    String translated = path.replaceFirst("\\.md$", SUFFIX);
    return !path.isEmpty()
            && (translated.equals(path) || !Files.exists(chinese.resolveSibling(translated)))
        ? link
        : translated + (hash < 0 ? "" : "#");
  }

  /** A link without its anchor if it leads to a Chinese page, whose headings are Chinese. */
  private static String withoutChineseAnchor(String link) {
    int hash = link.indexOf('#');
    return hash == 0 || link.startsWith(SUFFIX, hash - SUFFIX.length())
        ? link.substring(0, hash + 1)
        : link;
  }

  private static String file(Path page) {
    return page.getFileName().toString();
  }
}
