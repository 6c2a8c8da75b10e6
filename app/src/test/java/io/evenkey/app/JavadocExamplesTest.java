/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java examples in the Javadoc of the libraries compile. */
class JavadocExamplesTest {
  private static final List<String> LIBRARIES =
      List.of("layout", "protocol", "client", "jobs", "embedded");

  private static final Pattern EXAMPLE =
      Pattern.compile("\\* <pre>\\{@code\\n(.*?)\\n *\\* \\}</pre>", Pattern.DOTALL);

  private static final Pattern IMPORT = Pattern.compile("^import .*;$", Pattern.MULTILINE);

  /** The names that examples use without declaring them. */
  private static final String GIVEN =
      """
      package examples;
      class Given {
        org.apache.hadoop.conf.Configuration configuration;
        org.apache.hadoop.hbase.client.Connection connection;
        org.apache.hadoop.hbase.client.Admin admin;
        org.apache.hadoop.hbase.client.TableDescriptor descriptor;
        org.apache.hadoop.hbase.TableName name;
        org.apache.hadoop.hbase.client.Put put;
        org.apache.hadoop.hbase.client.Scan scan;
        java.util.List<org.apache.hadoop.hbase.client.Put> many;
        java.util.List<org.apache.hadoop.hbase.client.Scan> scans;
        org.apache.hadoop.mapreduce.Job job;
        Class<? extends org.apache.hadoop.hbase.mapreduce.TableMapper<?, ?>> mapper;
        org.apache.hadoop.fs.Path work;
        java.nio.file.Path directory;
        java.nio.file.Path rejects;
        java.nio.file.Path checkpoint;
        io.evenkey.jobs.load.LoadOptions options;
        io.evenkey.client.SpreadTables tables;
        io.evenkey.client.SpreadTable events;
        io.evenkey.client.SpreadTable table;
        io.evenkey.client.select.KeyedRows rows;
        io.evenkey.client.select.KeyedRow reading;
        io.evenkey.layout.Layout layout;
        io.evenkey.layout.Layout next;
        io.evenkey.layout.Values record;
        io.evenkey.layout.bytes.KeyRange range;
        io.evenkey.protocol.index.TableIndex index;
        byte[] row;
        byte[] logicalKey;
        byte[] lastKey;
        byte[] family;
        byte[] qualifier;
        byte[] value;
        java.util.List<byte[]> sortedRows;
        String line;
        String fieldName;
        String userInput;
        void show(Object shown) {}
      }
      """;

  private static final String IMPORTS =
      Stream.of(
              "io.evenkey.layout",
              "io.evenkey.layout.bytes",
              "io.evenkey.layout.failure",
              "io.evenkey.layout.field",
              "io.evenkey.layout.key",
              "io.evenkey.layout.message",
              "io.evenkey.layout.scatter",
              "io.evenkey.layout.size",
              "io.evenkey.layout.split",
              "io.evenkey.layout.spread",
              "io.evenkey.layout.step",
              "io.evenkey.layout.text",
              "io.evenkey.protocol.index",
              "io.evenkey.client",
              "io.evenkey.client.cell",
              "io.evenkey.client.failure",
              "io.evenkey.client.plan",
              "io.evenkey.client.select",
              "io.evenkey.embedded",
              "io.evenkey.jobs.load",
              "io.evenkey.jobs.mapreduce",
              "java.io",
              "java.time",
              "java.util",
              "java.util.concurrent",
              "io.micrometer.core.instrument.simple",
              "org.junit.jupiter.api",
              "org.junit.jupiter.api.extension")
          .map(name -> "import " + name + ".*;\n")
          .collect(
              Collectors.joining(
                  "",
                  "",
                  """
                  import static io.evenkey.layout.scatter.Condition.field;
                  import org.apache.hadoop.hbase.TableName;
                  import org.apache.hadoop.hbase.client.*;
                  import org.apache.hadoop.hbase.util.Bytes;
                  import org.apache.hadoop.io.Text;
                  import org.apache.hadoop.mapreduce.Job;
                  """));

  @TempDir Path classes;

  @Test
  void examplesCompile() throws IOException {
    List<JavaFileObject> sources = new ArrayList<>(examples());
    assertThat(sources).hasSizeGreaterThan(40);
    sources.add(source("Given", GIVEN));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-nowarn",
            "-classpath",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "-d",
            classes.toString());

    boolean compiled = compiler.getTask(errors, null, null, options, null, sources).call();

    assertThat(compiled).as("%s", errors).isTrue();
  }

  private static List<JavaFileObject> examples() throws IOException {
    List<JavaFileObject> examples = new ArrayList<>();
    for (String library : LIBRARIES) {
      try (Stream<Path> files = Files.walk(Path.of("..", library, "src", "main", "java"))) {
        for (Path file : files.filter(JavadocExamplesTest::isPublic).sorted().toList()) {
          String text = Files.readString(file);
          Matcher example = EXAMPLE.matcher(text);
          while (example.find()) {
            String name = file.getFileName().toString().replace(".java", "_" + examples.size());
            examples.add(source(name, program(name, text, example.group(1))));
          }
        }
      }
    }
    return examples;
  }

  private static boolean isPublic(Path file) {
    return file.toString().endsWith(".java") && !file.toString().contains("/internal/");
  }

  /** The example in a method, with the imports of the file that it is in. */
  private static String program(String name, String file, String example) {
    String imports =
        IMPORT
            .matcher(file)
            .results()
            .map(found -> found.group())
            .collect(Collectors.joining("\n"));
    String body = example.replaceAll("(?m)^ *\\* ?", "").replace("…", "");
    return "package examples;\n"
        + imports
        + "\n"
        + IMPORTS
        + "class "
        + name
        + " extends Given { void example() throws Exception {\n"
        + body
        + "\n}}\n";
  }

  private static JavaFileObject source(String name, String text) {
    return new SimpleJavaFileObject(
        URI.create("string:///examples/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
