/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.json.LiveJson;
import io.javalin.http.Context;
import java.util.List;

/**
 * What each page that is shown asks once a second. Pages hold no connection, of which a browser
 * allows six to a portal, for all of its pages together.
 */
final class LiveRoutes {
  private final Recorder recorder;
  private final Jobs jobs;

  LiveRoutes(Recorder recorder, Jobs jobs) {
    this.recorder = recorder;
    this.jobs = jobs;
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get("/api/live", this::live));
  }

  private void live(Context request) {
    Reading last = recorder.last();
    Json.answer(
        request,
        new LiveJson(
            last == null ? 0 : last.at(),
            recorder.problem(),
            recorder.historyProblem(),
            jobs.json()));
  }
}
