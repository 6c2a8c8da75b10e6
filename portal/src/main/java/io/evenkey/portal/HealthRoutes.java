/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.json.PortalJson;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.List;

/**
 * What a supervisor asks. Neither route needs a token or one of the portal's host names, since
 * neither says anything about the cluster: {@code /api/about} has the cause of a failure.
 */
final class HealthRoutes {
  static final String HEALTH = "/health";
  static final String READY = "/ready";

  private final Recorder recorder;

  HealthRoutes(Recorder recorder) {
    this.recorder = recorder;
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get(HEALTH, HealthRoutes::health), ApiRoute.get(READY, this::ready));
  }

  static boolean has(String path) {
    return path.equals(HEALTH) || path.equals(READY);
  }

  /** The process answers. If the cluster does not, starting the portal again changes nothing. */
  private static void health(Context request) {
    Json.answer(request, new PortalJson.PortalHealth("up"));
  }

  /** The history is loaded, and HBase has answered once. */
  private void ready(Context request) {
    boolean ready = recorder.last() != null;
    request.status(ready ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE);
    Json.answer(request, new PortalJson.PortalHealth(ready ? "up" : "starting"));
  }
}
