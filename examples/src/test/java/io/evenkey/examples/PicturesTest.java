/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pictures of the portal in {@code docs/images} show words that the portal still has. A change
 * of style, or of code that draws the same, leaves them alone.
 */
class PicturesTest {
  private static final Path LABELS = Path.of("src", "test", "resources", "picture-labels.txt");
  private static final Path IMAGES = Documents.ROOT.resolve("docs/images");
  private static final Path PAGES =
      Documents.ROOT.resolve("portal/src/main/resources/io/evenkey/portal/web");

  @Test
  void theirLabelsAreInThePortal() throws IOException {
    String pages = pages();
    List<String> gone = new ArrayList<>();
    labels()
        .forEach(
            (picture, labels) ->
                labels.stream()
                    .filter(label -> !pages.contains(label))
                    .forEach(label -> gone.add(picture + ": " + label)));

    assertThat(gone)
        .as(
            "labels that a picture shows and the portal no longer has: take the pictures anew with"
                + " npm --prefix site run pictures, look at them, and correct %s",
            LABELS)
        .isEmpty();
  }

  @Test
  void eachPictureOfThePortalHasLabels() throws IOException {
    try (Stream<Path> files = Files.list(IMAGES)) {
      List<String> pictures =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.startsWith("portal-"))
              .toList();
      assertThat(labels().keySet()).containsExactlyInAnyOrderElementsOf(pictures);
    }
  }

  private static Map<String, List<String>> labels() throws IOException {
    return Files.readAllLines(LABELS).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(": ", 2))
        .collect(
            Collectors.groupingBy(
                line -> line[0], Collectors.mapping(line -> line[1], Collectors.toList())));
  }

  private static String pages() throws IOException {
    try (Stream<Path> files = Files.list(PAGES)) {
      StringBuilder text = new StringBuilder();
      for (Path file : files.filter(file -> file.toString().matches(".+\\.(js|html)")).toList()) {
        text.append(Files.readString(file));
      }
      return text.toString();
    }
  }
}
