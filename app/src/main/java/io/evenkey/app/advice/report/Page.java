package io.evenkey.app.advice.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A page made of a template, which stands beside this class, and what goes into it. Stateless. */
final class Page {
  private Page() {}

  /** The template of a report. */
  static String template() throws IOException {
    try (InputStream in = Page.class.getResourceAsStream("report.html")) {
      if (in == null) {
        throw new IllegalStateException("report.html is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A text that is no markup. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
