/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The jobs on a cluster's YARN that succeeded. */
final class FinishedJobs {
  private FinishedJobs() {}

  /** Their names, as the ResourceManager has them. */
  static List<String> of(SeparateCluster cluster) throws IOException {
    JsonNode answer;
    try (InputStream in =
        URI.create(
                cluster.webPages().get(Role.RESOURCE_MANAGER)
                    + "ws/v1/cluster/apps?finalStatus=SUCCEEDED")
            .toURL()
            .openStream()) {
      answer = new ObjectMapper().readTree(in);
    }
    List<String> names = new ArrayList<>();
    answer.at("/apps/app").forEach(app -> names.add(app.path("name").asText()));
    return names;
  }
}
