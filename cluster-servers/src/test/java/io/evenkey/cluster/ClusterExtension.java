/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the tests of a class a cluster without Kerberos, which ends with them and leaves its logs.
 * A constructor asks for it, or for a connection to which rows are what is stored.
 */
final class ClusterExtension implements BeforeAllCallback, AfterAllCallback, ParameterResolver {
  private final String directory;
  private final ClusterOptions options;
  private SeparateCluster cluster;
  private Connection plain;

  private ClusterExtension(String directory, ClusterOptions options) {
    this.directory = directory;
    this.options = options;
  }

  /**
   * Of one class.
   *
   * @param directory the name of the cluster's directory, which no other class has
   */
  static ClusterExtension in(String directory, ClusterOptions options) {
    return new ClusterExtension(directory, options);
  }

  @Override
  public void beforeAll(ExtensionContext tests) throws IOException {
    Path base = Path.of(System.getProperty("evenkey.cluster.tests"), directory);
    cluster = SeparateCluster.start(base, options.keepingLogs());
    plain = ConnectionFactory.createConnection(cluster.configuration());
  }

  @Override
  public void afterAll(ExtensionContext tests) throws IOException {
    if (cluster == null) {
      return;
    }
    try {
      if (plain != null) {
        plain.close();
      }
    } finally {
      cluster.close();
    }
    assertThat(cluster.running()).as("processes that are left").isEmpty();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    Class<?> type = parameter.getParameter().getType();
    return type == SeparateCluster.class || type == Connection.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Connection.class ? plain : cluster;
  }
}
