/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.evenkey.client.ClientMeters;
import io.evenkey.layout.Layout;
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
    RefusalCounts.count("test");
    assertThat(Metrics.globalRegistry.find("evenkey.refused").tag("operation", "test").counter())
        .isNotNull();
    ClientMeters.registerIn(Metrics.globalRegistry);
    assertThatIllegalStateException()
        .isThrownBy(() -> ClientMeters.registerIn(new SimpleMeterRegistry()))
        .withMessageContaining("before the first connection");
  }

  @Test
  void metersAreInTheRegistryThatTheApplicationSetsFirst() throws Exception {
    assertThat(inOtherJvm(InOtherRegistry.class, "nothing"))
        .contains("evenkey.refused", "evenkey.scan.fanout", "evenkey.scan.wait")
        .endsWith("; global: 0");
  }

  @Test
  void operationsAreCountedWithoutMicrometer() throws Exception {
    assertThat(inOtherJvm(WithoutMicrometer.class, "micrometer"))
        .isEqualTo("1 puts, no Micrometer");
  }

  @Test
  void operationsAreCountedWhereARegistryRefusesMeters() throws Exception {
    assertThat(inOtherJvm(InRefusingRegistry.class, "nothing")).isEqualTo("1 puts");
  }

  /** A class loader of its own stands for a JVM in which no connection was made. */
  private static String inOtherJvm(Class<?> application, String hidden) throws Exception {
    URL[] path =
        Arrays.stream(CLASS_PATH.split(File.pathSeparator))
            .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(hidden))
            .map(Path::of)
            .map(MeterHomeTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader loader = new URLClassLoader(path, ClassLoader.getPlatformClassLoader())) {
      return (String) loader.loadClass(application.getName()).getMethod("run").invoke(null);
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
    public static String run() {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      ClientMeters.registerIn(registry);
      WithoutMicrometer.putOne();
      return registry.getMeters().stream().map(meter -> meter.getId().getName()).sorted().toList()
          + "; global: "
          + Metrics.globalRegistry.getMeters().size();
    }
  }

  /** What an application without Micrometer does. */
  public static final class WithoutMicrometer {
    private WithoutMicrometer() {}

    static String putOne() {
      RefusalCounts.count("filter");
      ScanMeters.started(3);
      TableMeters meters = TableMeters.of("cluster", "t", Layout.parse("salt(4) + k:bytes"));
      meters.count(TableMeters.Operation.PUT, new byte[] {1, 1}, 1);
      return meters.operations(TableMeters.Operation.PUT) + " puts";
    }

    /** What was counted. */
    public static String run() {
      String counted = putOne();
      try {
        return counted + ", " + Class.forName("io.micrometer.core.instrument.Metrics");
      } catch (ClassNotFoundException e) {
        return counted + ", no Micrometer";
      }
    }
  }

  /** What an application with a strict registry does. */
  public static final class InRefusingRegistry {
    private InRefusingRegistry() {}

    /** What was counted. */
    public static String run() {
      SimpleMeterRegistry registry = new SimpleMeterRegistry();
      registry
          .config()
          .onMeterAdded(
              meter -> {
                throw new IllegalArgumentException("other tags than before");
              });
      ClientMeters.registerIn(registry);
      return WithoutMicrometer.putOne();
    }
  }
}
