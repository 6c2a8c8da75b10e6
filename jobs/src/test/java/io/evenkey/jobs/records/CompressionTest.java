/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
  private static final byte[] FIRST = "id,name\n1,first\n".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SECOND = "2,second\n".getBytes(StandardCharsets.UTF_8);

  /** A frame of Zstandard that readers skip: RFC 8878, 3.1.2. */
  private static final byte[] SKIPPED = {0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z'};

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (OutputStream packed = new GZIPOutputStream(out)) {
      packed.write(plain);
    }
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] read(InputStream in) throws IOException {
    try (InputStream plain = Compression.unpack("a.csv", in)) {
      return plain.readAllBytes();
    }
  }

  private static byte[] read(byte[]... parts) throws IOException {
    return read(new ByteArrayInputStream(joined(parts)));
  }

  private static void assertRefused(String problem, byte[]... parts) {
    assertThatThrownBy(() -> read(parts))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(problem)
        .hasMessageContaining("file=a.csv");
  }

  @Test
  void severalMembersOrFramesAreReadOneAfterAnother() throws IOException {
    byte[] both = joined(FIRST, SECOND);
    byte[] nothing = {};
    assertThat(read(gzip(FIRST), gzip(SECOND))).isEqualTo(both);
    assertThat(read(gzip(nothing), gzip(FIRST), gzip(nothing), gzip(SECOND), gzip(nothing)))
        .isEqualTo(both);
    assertThat(read(Zstd.compress(FIRST), Zstd.compress(SECOND))).isEqualTo(both);
    assertThat(read(SKIPPED, Zstd.compress(FIRST), SKIPPED, Zstd.compress(SECOND), SKIPPED))
        .isEqualTo(both);
  }

  @Test
  void aPipeThatHasNothingYetAfterAMemberIsReadToItsEnd() throws IOException {
    // One byte an answer, and none known to be there: as a pipe between two writers.
    InputStream slow =
        new ByteArrayInputStream(joined(gzip(FIRST), gzip(SECOND))) {
          @Override
          public synchronized int read(byte[] into, int offset, int length) {
            return super.read(into, offset, Math.min(1, length));
          }

          @Override
          public synchronized int available() {
            return 0;
          }
        };
    assertThat(read(slow)).isEqualTo(joined(FIRST, SECOND));
  }

  /** Whether a thread waits for bytes of a pipe. */
  private static boolean isReading(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .findFirst()
        .filter(frame -> frame.isNativeMethod() && frame.getMethodName().startsWith("read"))
        .isPresent();
  }

  /** What follows comes only after the reader has come to the end of what is there. */
  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void aPipeWhoseSecondFileComesLaterIsReadToItsEnd(String codec, @TempDir Path directory)
      throws Exception {
    Path first = Files.write(directory.resolve("a"), packed(codec, "id\n1\n2\n"));
    Path second = Files.write(directory.resolve("b"), packed(codec, "3\n4\n"));
    String script = "cat '" + first + "'; read word; cat '" + second + "'";
    Process process = new ProcessBuilder("sh", "-c", script).start();
    List<String> read = Collections.synchronizedList(new ArrayList<>());
    Thread reader =
        new Thread(
            () -> {
              Input input = Input.stream("-", process.getInputStream());
              try (RecordCursor records = Format.CSV.read(input).open()) {
                while (records.next()) {
                  read.add(records.value(0));
                }
              } catch (IOException e) {
                read.add(e.toString());
              }
            });
    reader.start();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> read.size() == 2 && isReading(reader) || !reader.isAlive());
    try (OutputStream control = process.getOutputStream()) {
      control.write("go on\n".getBytes(StandardCharsets.UTF_8));
    }
    reader.join();
    assertThat(read).containsExactly("1", "2", "3", "4");
  }

  private static byte[] packed(String codec, String text) throws IOException {
    byte[] plain = text.getBytes(StandardCharsets.UTF_8);
    return codec.equals("gzip") ? gzip(plain) : Zstd.compress(plain);
  }

  @Test
  void zerosAfterGzipArePaddingAndAllElseIsDamage() throws IOException {
    byte[] zeros = new byte[10_240];
    assertThat(read(gzip(FIRST), zeros)).isEqualTo(FIRST);
    assertRefused("damaged or cut short", gzip(FIRST), zeros, gzip(SECOND));
    assertRefused("damaged or cut short", gzip(FIRST), SECOND);
    assertRefused("damaged or cut short", Zstd.compress(FIRST), SECOND);
    byte[] damaged = gzip(SECOND);
    damaged[1] = 0;
    assertRefused("damaged or cut short", gzip(FIRST), damaged);
  }

  @Test
  void whatIsCutAtAnyByteIsRefusedOrEndsBetweenTwoFiles() throws IOException {
    byte[][] files = {
      joined(gzip(FIRST), gzip(SECOND)),
      joined(Zstd.compress(FIRST), SKIPPED, Zstd.compress(SECOND)),
    };
    int[][] whole = {
      {gzip(FIRST).length},
      {Zstd.compress(FIRST).length, Zstd.compress(FIRST).length + SKIPPED.length},
    };
    for (int i = 0; i < files.length; i++) {
      // Less than the first bytes that tell the format may be anything.
      for (int length = i == 0 ? 1 : 4; length < files[i].length; length++) {
        byte[] cut = Arrays.copyOf(files[i], length);
        if (Arrays.binarySearch(whole[i], length) >= 0) {
          assertThat(read(cut)).isEqualTo(FIRST);
        } else {
          assertRefused("damaged or cut short", cut);
        }
      }
    }
  }

  @Test
  void aByteThatIsChangedAnywhereIsNeverReadAsSomethingElse() throws IOException {
    byte[] both = joined(FIRST, SECOND);
    byte[] packed = joined(gzip(FIRST), gzip(SECOND));
    int refused = 0;
    for (int i = 2; i < packed.length; i++) {
      byte[] changed = packed.clone();
      changed[i] ^= 0x10;
      try {
        // Of a header, the time and the system mean nothing.
        assertThat(read(changed)).as("byte %d", i).isEqualTo(both);
      } catch (InputException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(packed.length / 2);
  }

  @Test
  void anotherCompressionIsNamed() {
    assertRefused("compressed by bzip2", "BZh91AY".getBytes(StandardCharsets.ISO_8859_1));
    assertRefused("compressed by zip", new byte[] {'P', 'K', 3, 4, 20, 0});
    assertRefused("compressed by xz", new byte[] {(byte) 0xfd, '7', 'z', 'X', 'Z', 0});
    assertRefused("compressed by lz4", new byte[] {4, 0x22, 0x4d, 0x18, 0x64});
  }
}
