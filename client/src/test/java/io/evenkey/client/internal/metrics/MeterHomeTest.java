/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkey.client.ClientMeters;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MeterHomeTest {
  // Surefire may start tests with a jar that only names the class path.
  private static final String CLASS_PATH =
      System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

  @Test
  void theGlobalRegistryIsKeptOnceMetersAreInIt() {
    assertThat(MeterHome.registry()).isSameAs(Metrics.globalRegistry);
    ClientMeters.registerIn(Metrics.globalRegistry);
    assertThatIllegalStateException()
        .isThrownBy(() -> ClientMeters.registerIn(new SimpleMeterRegistry()))
        .withMessageContaining("before the first connection");
  }

  @Test
  void metersAreInTheRegistryThatTheApplicationSetsFirst() throws Exception {
    // A class loader of its own stands for a JVM in which no connection was made.
    URL[] path =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator))
            .map(Path::of)
            .map(MeterHomeTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      assertThat(loader.loadClass(InOtherRegistry.class.getName()).getMethod("names").invoke(null))
          .asString()
          .contains("evenkey.refused", "evenkey.scan.fanout", "evenkey.scan.wait")
          .endsWith("; global: 0");
    }
  }

  private static URL url(Path path) {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What an application does. */
  public static final class InOtherRegistry {
    private InOtherRegistry() {}

    /** The names of the meters in its registry, and the number of those in the global one. */
    public static String names() {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      ClientMeters.registerIn(registry);
      RefusalCounts.count("filter");
      ScanMeters.started(3);
      return registry.getMeters().stream().map(meter -> meter.getId().getName()).sorted().toList()
          + "; global: "
          + Metrics.globalRegistry.getMeters().size();
    }
  }
}
