/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.json.PortalJson;
import io.evenkey.report.launch.PortalSettings;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;

/** Information on this portal for browsers, programs and Prometheus. */
final class AboutRoutes {
  private final PortalSettings settings;
  private final Recorder recorder;
  private final Cluster cluster;
  private final Meters meters;

  AboutRoutes(PortalSettings settings, Recorder recorder, Cluster cluster, Meters meters) {
    this.settings = settings;
    this.recorder = recorder;
    this.cluster = cluster;
    this.meters = meters;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/about", this::about),
        ApiRoute.get("/api/openapi.json", AboutRoutes::openApi),
        ApiRoute.get("/metrics", this::metrics));
  }

  private void about(Context request) {
    Json.answer(
        request,
        new PortalJson(
            cluster.registry().toString(),
            settings.readOnly(),
            recorder.every().toMillis(),
            settings.stored(),
            recorder.oldest(),
            recorder.spans(),
            recorder.problem()));
  }

  private static void openApi(Context request) throws IOException {
    try (InputStream document =
        Objects.requireNonNull(AboutRoutes.class.getResourceAsStream("openapi.json"))) {
      request.contentType("application/json").result(document.readAllBytes());
    }
  }

  private void metrics(Context request) {
    request.contentType("text/plain; version=0.0.4; charset=utf-8").result(meters.scrape());
  }
}
