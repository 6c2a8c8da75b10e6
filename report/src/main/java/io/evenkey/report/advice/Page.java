/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.advice;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A page from a template, a resource in this package, and its contents. Stateless. */
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

  /** Escapes a text for HTML. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
