/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  private static final String FOREIGN = "a letter, and the only copy of it\n";

  @TempDir private Path directory;

  private Path letter() throws IOException {
    return Files.writeString(directory.resolve("letter"), FOREIGN);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aNewFileIsThereWhenItIsComplete() throws IOException {
    Path file = directory.resolve("new");
    OutputFile output = OutputFile.at(file, false);
    assertThat(file).doesNotExist();
    int written =
        output.write(
            out -> {
              out.write(bytes("one "));
              assertThat(file).doesNotExist();
              out.write(bytes("two"));
              out.close();
              return 2;
            });
    assertThat(written).isEqualTo(2);
    assertThat(file).hasContent("one two");
    assertThat(names()).containsExactly("new");
  }

  /** Writes half of a file, and waits. */
  static final class HalfWriter {
    private HalfWriter() {}

    public static void main(String[] arguments) throws IOException {
      OutputFile.at(Path.of(arguments[0]), true)
          .write(
              out -> {
                out.write(bytes("half"));
                System.out.println("half");
                return System.in.read();
              });
    }
  }

  @Test
  void aProcessThatIsInterruptedLeavesTheFileAsItWas() throws Exception {
    Path file = letter();
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                HalfWriter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertThat(process.getInputStream().read()).isEqualTo('h');
      assertThat(names()).hasSize(2);
      // Process.destroy would close the input first, and the file would be complete.
      process.toHandle().destroy();
      process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    assertThat(names()).containsExactly("letter");
    assertThat(file).hasContent(FOREIGN);
  }

  @Test
  void aFileThatExistsIsRefusedUnlessItIsReplaced() throws IOException {
    Path file = letter();
    assertThatThrownBy(() -> OutputFile.at(file, false))
        .isInstanceOf(FileRefusedException.class)
        .hasMessage(
            "file exists: path=" + file + "; name another, move it away, or have it replaced");
    OutputFile.at(file, true).write(bytes("new"));
    assertThat(file).hasContent("new");
    assertThat(names()).containsExactly("letter");
  }

  @Test
  void pathsThatCannotBeFilesAreRefused() throws IOException {
    for (boolean replace : new boolean[] {false, true}) {
      assertThatThrownBy(() -> OutputFile.at(directory, replace))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("directory, not a file: path=" + directory);
      assertThatThrownBy(() -> OutputFile.at(directory.resolve("no/file"), replace))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("directory of a file not found: path=" + directory);
      assertThatThrownBy(() -> OutputFile.at(letter().resolve("file"), replace))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("directory of a file not found");
      assertThatThrownBy(() -> OutputFile.at(Path.of("/dev/null"), replace))
          .isInstanceOf(FileRefusedException.class)
          .hasMessageStartingWith("not a regular file: path=/dev/null");
    }
  }

  @Test
  void aDirectoryThatIsNotWritableIsRefused() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeThat(Files.isWritable(closed)).as("not run by root").isFalse();
    assertThatThrownBy(() -> OutputFile.at(closed.resolve("file"), false))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("directory of a file not writable");
  }

  @Test
  void aLinkStaysAndWhatItNamesIsReplaced() throws IOException {
    Path file = letter();
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThatThrownBy(() -> OutputFile.at(link, false)).isInstanceOf(FileRefusedException.class);
    OutputFile.at(link, true).write(bytes("new"));
    assertThat(link).isSymbolicLink().hasContent("new");
    assertThat(file).isRegularFile().hasContent("new");

    Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), Path.of("nowhere"));
    assertThatThrownBy(() -> OutputFile.at(dangling, true))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("link to a file that is not there: path=" + dangling);
  }

  @Test
  void aReplacedFileKeepsItsPermissions() throws IOException {
    Path file = letter();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    OutputFile.at(file, true).write(bytes("new"));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void aFileThatIsMadeMeanwhileIsKeptAndSoIsTheCompleteOne() throws IOException {
    Path file = directory.resolve("letter");
    OutputFile output = OutputFile.at(file, false);
    letter();
    assertThatThrownBy(() -> output.write(bytes("new")))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("file was made by another process: complete=");
    assertThat(file).hasContent(FOREIGN.strip());
    assertThat(names()).hasSize(2);
    assertThat(directory.resolve(names().get(1))).hasContent("new");
  }

  @Test
  void aContentThatFailsLeavesTheFileAsItWas() throws IOException {
    Path file = letter();
    OutputFile output = OutputFile.at(file, true);
    for (RuntimeException failure :
        List.of(new IllegalStateException("broken"), new IllegalArgumentException("broken"))) {
      assertThatThrownBy(
              () ->
                  output.write(
                      out -> {
                        out.write(bytes("half"));
                        throw failure;
                      }))
          .isSameAs(failure);
      assertThat(file).content().isEqualTo(FOREIGN);
      assertThat(names()).containsExactly("letter");
    }
  }

  private static Process start(String shell, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("bash", "-c", shell + " exec \"$@\"", "bash"));
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(List.of("-XX:-UsePerfData", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(HalfWritten.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  @Test
  void aDiskThatIsFullLeavesTheFileAsItWas() throws Exception {
    Path file = letter();
    // Files of at most a megabyte: the kernel refuses the rest, as it does on a full disk.
    Process process = start("ulimit -f 1024;", file.toString());
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isEqualTo(1);
    assertThat(said)
        .startsWith("file cannot be written: path=" + file.toRealPath() + " reason=")
        .contains("; what was there is unchanged");
    assertThat(file).content().isEqualTo(FOREIGN);
    assertThat(names()).containsExactly("letter");
  }

  @Test
  void aKilledProcessLeavesTheFileAndAHarmlessDraft() throws Exception {
    Path file = letter();
    Process process = start("", file.toString(), "halt");
    assertThat(process.waitFor()).isEqualTo(9);
    assertThat(file).content().isEqualTo(FOREIGN);
    assertThat(names()).hasSize(2).last().asString().matches("letter\\.[0-9a-f]{8}\\.part");
    OutputFile.at(file, true).write(bytes("new"));
    assertThat(file).hasContent("new");
    assertThat(names()).as("the draft of another process stays").hasSize(2);
  }

  @Test
  void oneOfManyWritersMakesTheFile() throws Exception {
    Path file = directory.resolve("new");
    List<OutputFile> outputs = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      outputs.add(OutputFile.at(file, false));
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Optional<String>>> writers = new ArrayList<>();
      for (int i = 0; i < outputs.size(); i++) {
        OutputFile output = outputs.get(i);
        String content = "content " + i;
        writers.add(
            () -> {
              try {
                output.write(bytes(content));
                return Optional.of(content);
              } catch (FileRefusedException e) {
                return Optional.empty();
              }
            });
      }
      List<String> done = new ArrayList<>();
      for (Future<Optional<String>> one : threads.invokeAll(writers)) {
        one.get().ifPresent(done::add);
      }
      assertThat(done).singleElement().satisfies(content -> assertThat(file).hasContent(content));
    } finally {
      threads.shutdown();
    }
  }

  /** The file that a job keeps. */
  private record Kept(int format, String name) {}

  @Test
  void aFileOfAJobIsRecognisedByAllOfItsContent() throws IOException {
    Path file = directory.resolve("kept");
    Kept kept = new Kept(1, "x");
    JsonFile.write(file, kept, false);
    assertThat(JsonFile.read(file, Kept.class)).contains(kept);
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    assertThat(JsonFile.read(link, Kept.class)).isEmpty();
    assertThatThrownBy(() -> JsonFile.write(file, kept, false))
        .isInstanceOf(FileRefusedException.class);
    for (String other :
        List.of(
            "",
            FOREIGN,
            "{}",
            "{\"format\":1}",
            "{\"format\":1,\"name\":null}",
            "{\"format\":1,\"name\":\"x\",\"more\":2}",
            "{\"format\":1,\"name\":\"x\"} and more",
            "[1, 2]",
            "null")) {
      Files.writeString(file, other);
      assertThat(JsonFile.read(file, Kept.class)).as(other).isEmpty();
    }
    assertThat(JsonFile.read(directory, Kept.class)).isEmpty();
  }
}
