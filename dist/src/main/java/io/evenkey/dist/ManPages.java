/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import io.evenkey.cli.Evenkey;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.asciidoctor.Asciidoctor;
import org.asciidoctor.Attributes;
import org.asciidoctor.Options;
import org.asciidoctor.SafeMode;
import picocli.codegen.docgen.manpage.ManPageGenerator;

/**
 * Makes a manual page of each command: from picocli's model of it in AsciiDoc, and from that, by
 * Asciidoctor, in roff. Two runs give the same bytes.
 */
final class ManPages {
  private ManPages() {}

  /**
   * Writes {@code evenkey*.1.gz}.
   *
   * @param arguments the directories of the AsciiDoc and of the pages, and the version
   */
  public static void main(String[] arguments) throws IOException {
    Path sources = Files.createDirectories(Path.of(arguments[0]));
    Path pages = Files.createDirectories(Path.of(arguments[1]));
    int failed =
        ManPageGenerator.generateManPage(
            sources.toFile(), null, new boolean[0], true, Evenkey.documented());
    if (failed != 0) {
      throw new IOException("picocli wrote no manual pages: directory=" + sources);
    }
    Attributes attributes =
        Attributes.builder()
            .attribute("mansource", "Evenkey " + arguments[2])
            .attribute("reproducible", "")
            .build();
    try (Asciidoctor asciidoctor = Asciidoctor.Factory.create()) {
      for (Path source : files(sources)) {
        String page =
            asciidoctor.convert(
                withoutAttributeLists(Files.readString(source)),
                Options.builder()
                    .backend("manpage")
                    .standalone(true)
                    .safe(SafeMode.SAFE)
                    .attributes(attributes)
                    .build());
        String name = source.getFileName().toString().replace(".adoc", ".1.gz");
        // Java's gzip has neither a name nor a time in its header.
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(pages.resolve(name)))) {
          out.write(withoutLinkStyle(page).getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  // A name that ends in a bracket, as F:Q[:TYPE], would be read as attributes of what follows.
  private static String withoutAttributeLists(String source) {
    return source.replace("]_", "{endsb}_");
  }

  // Asciidoctor loads macros for links, which mandoc refuses to load, and no page has a link.
  private static String withoutLinkStyle(String page) {
    return page.replaceFirst("(?ms)^\\.if \\\\n\\[\\.g\\] \\\\\\{\\\\\n.*?^\\.\\\\\\}\n", "");
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".adoc")).sorted().toList();
    }
  }
}
