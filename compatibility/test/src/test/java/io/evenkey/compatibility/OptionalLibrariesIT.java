/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An application works without the libraries that it has no use for: Micrometer and those of the
 * registry.
 */
@Tag("long")
@ExtendWith(EmbeddedHBaseExtension.class)
class OptionalLibrariesIT {
  private static final String HIDDEN =
      "(micrometer|curator|jackson-(core|databind|annotations))-.*";

  /** Loads all classes but those of the JDK, and what is shaded into the jar, without some. */
  private static URLClassLoader loader(ClientJars jars, Path configuration) throws Exception {
    List<URL> path = new ArrayList<>();
    path.add(Path.of("target", "classes").toUri().toURL());
    path.add(configuration.toUri().toURL());
    for (Path jar : jars.classPath()) {
      if (!jar.getFileName().toString().matches(HIDDEN)) {
        path.add(jar.toUri().toURL());
      }
    }
    return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader()) {
      @Override
      protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (name.startsWith("io.evenkey.shaded.")) {
          throw new ClassNotFoundException(name);
        }
        return super.findClass(name);
      }
    };
  }

  @ParameterizedTest
  @EnumSource(names = {"HBASE_CLIENT_2_6", "HBASE_SHADED_CLIENT_2_6"})
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void anApplicationWorksWithoutOptionalLibraries(ClientJars jars, EmbeddedHBase hbase)
      throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = loader(jars, hbase.configurationDirectory())) {
      thread.setContextClassLoader(loader);
      Object application =
          loader
              .loadClass(FewLibraries.class.getName())
              .getConstructor(String.class)
              .newInstance("few_" + jars.name());
      assertThat(((Callable<?>) application).call()).isEqualTo("done");
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
