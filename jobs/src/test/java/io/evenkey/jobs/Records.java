/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;

/**
 * Records to load, and the rows that they should give: key (device and time) to values by column.
 *
 * @param lines CSV without its header
 * @param last of each key, the values of its last record
 * @param first of each key, the values of its first record
 */
public record Records(
    List<String> lines,
    Map<String, Map<String, String>> first,
    Map<String, Map<String, String>> last) {
  public static final String LAYOUT = "salt(8, device) + device:string + ts:int64 desc";
  public static final String HEADER = "device,ts,temp,note";

  /** Records of which about {@code repeated} in a hundred have the key of one before them. */
  public static Records random(long seed, int count, int repeated) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> lines = new ArrayList<>();
    List<String> keys = new ArrayList<>();
    Map<String, Map<String, String>> first = new TreeMap<>();
    Map<String, Map<String, String>> last = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String key =
          !keys.isEmpty() && random.nextInt(100) < repeated
              ? keys.get(random.nextInt(keys.size()))
              : "dev" + random.nextInt(50) + "," + (1_700_000_000_000L + i);
      keys.add(key);
      String temp = String.format(Locale.ROOT, "%.2f", random.nextDouble() * 40);
      String note = random.nextInt(3) == 0 ? "" : "note \"" + i + "\", with a comma";
      lines.add(key + "," + temp + "," + (note.isEmpty() ? "" : quoted(note)));
      Map<String, String> values = new TreeMap<>(Map.of("temp", temp));
      if (!note.isEmpty()) {
        values.put("note", note);
      }
      first.putIfAbsent(key, values);
      // A record without a value leaves that of the record before it.
      last.computeIfAbsent(key, k -> new TreeMap<>()).putAll(values);
    }
    return new Records(lines, first, last);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\"", "\"\"") + '"';
  }

  /** The number of records that have the key of an earlier one. */
  public int collisions() {
    return lines.size() - first.size();
  }

  /** Writes them, packed as the file's name says. */
  public Path write(Path file) {
    try (OutputStream out = packed(file, Files.newOutputStream(file))) {
      out.write((HEADER + "\n" + String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream packed(Path file, OutputStream out) throws IOException {
    String name = file.toString();
    return name.endsWith(".gz")
        ? new GZIPOutputStream(out)
        : name.endsWith(".zst") ? new ZstdOutputStream(out) : out;
  }
}
