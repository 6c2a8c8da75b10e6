/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.terminal;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The one printer of control characters: keys and values of a table can have any, and a terminal
 * would obey them. Stateless.
 */
public final class Controls {
  private Controls() {}

  /** Text with control characters as {@code \xNN}, line breaks and tabs too. */
  public static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        escaped.append(String.format("\\x%02x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }

  /** A stream that prints control characters as {@code \xNN}; but not line breaks and tabs. */
  public static PrintStream text(OutputStream out) {
    return new PrintStream(new Escaping(out, "\\x%02x"), true, StandardCharsets.UTF_8);
  }

  /** As {@link #text}, for JSON, whose strings have them as {@code \}{@code u00NN}. */
  public static PrintStream json(OutputStream out) {
    return new PrintStream(new Escaping(out, "\\u%04x"), false, StandardCharsets.UTF_8);
  }

  /** Finds them in UTF-8, in which those from 0x80 on have two bytes, of which the first is C2. */
  private static final class Escaping extends FilterOutputStream {
    private static final int SECOND = 0xc2;

    private final String form;
    private boolean afterSecond;

    Escaping(OutputStream out, String form) {
      super(out);
      this.form = form;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int from = offset;
      for (int i = offset; i < offset + length; i++) {
        int b = bytes[i] & 0xff;
        if (afterSecond || b == SECOND || isControl(b)) {
          out.write(bytes, from, i - from);
          write(b);
          from = i + 1;
        }
      }
      out.write(bytes, from, offset + length - from);
    }

    @Override
    public void write(int value) throws IOException {
      int b = value & 0xff;
      if (afterSecond) {
        afterSecond = false;
        if (b < 0xa0) {
          escape(b);
        } else {
          out.write(SECOND);
          out.write(b);
        }
      } else if (b == SECOND) {
        afterSecond = true;
      } else if (isControl(b)) {
        escape(b);
      } else {
        out.write(b);
      }
    }

    private static boolean isControl(int b) {
      return b < ' ' && b != '\n' && b != '\t' || b == 0x7f;
    }

    private void escape(int b) throws IOException {
      out.write(String.format(form, b).getBytes(StandardCharsets.US_ASCII));
    }
  }
}
