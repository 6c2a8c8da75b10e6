/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.bytes.ByteText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** UTF-8 read strictly: what is not UTF-8 is refused with its place, never replaced. */
final class Utf8 {
  private static final int SHOWN = 20;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private Utf8() {}

  /** The text of a file, without the byte order mark that some editors write before it. */
  static BufferedReader reader(InputStream in) throws IOException {
    BufferedReader text = new BufferedReader(new InputStreamReader(in, decoder()), 1 << 16);
    text.mark(1);
    if (text.read() != BYTE_ORDER_MARK) {
      text.reset();
    }
    return text;
  }

  private static CharsetDecoder decoder() {
    return StandardCharsets.UTF_8
        .newDecoder()
        .onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
  }

  /**
   * The text that bytes are.
   *
   * @throws IOException if they are none
   */
  static String text(ByteBuffer bytes) throws IOException {
    try {
      return decoder().decode(bytes.duplicate()).toString();
    } catch (CharacterCodingException e) {
      byte[] shown = new byte[Math.min(SHOWN, bytes.remaining())];
      bytes.duplicate().get(shown);
      String more = shown.length < bytes.remaining() ? "…" : "";
      throw new IOException("not UTF-8: value=0x" + ByteText.hex(shown) + more, e);
    }
  }

  /** The complaint about the first bytes of an input that are not UTF-8. Reads it again. */
  static InputException complaint(Input input) throws IOException {
    CharsetDecoder decoder = decoder();
    ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
    CharBuffer characters = CharBuffer.allocate(1 << 16);
    long line = 1;
    long column = 1;
    try (InputStream in = input.open()) {
      boolean end = false;
      CoderResult result = CoderResult.UNDERFLOW;
      while (!end && !result.isError()) {
        int read = in.read(bytes.array(), bytes.position(), bytes.remaining());
        end = read < 0;
        bytes.position(bytes.position() + Math.max(0, read)).flip();
        result = decoder.decode(bytes, characters, end);
        characters.flip();
        while (characters.hasRemaining()) {
          boolean newLine = characters.get() == '\n';
          line += newLine ? 1 : 0;
          column = newLine ? 1 : column + 1;
        }
        characters.clear();
        bytes.compact();
      }
    }
    int wrong = bytes.array()[0] & 0xff;
    return InputException.line(
        input.name(),
        line,
        String.format("not UTF-8: byte 0x%02x at character %d of the line", wrong, column),
        "save the file as UTF-8");
  }
}
