/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.failure.PlanConflictException;
import io.evenkey.layout.text.SyntaxException;
import io.evenkey.report.failure.Problem;
import io.evenkey.report.json.ErrorJson;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures as responses: {@code {"error": …}}, with the position in the line for an invalid layout.
 * Never a stack trace. Stateless.
 */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private static final String LOG_HAS_MORE = "the portal's log has more";

  private Problems() {}

  static void handledBy(RoutesConfig routes) {
    routes.exception(
        HttpResponseException.class,
        (e, r) -> answer(r, e.getStatus(), String.valueOf(e.getMessage())));
    routes.exception(PlanConflictException.class, (e, r) -> answer(r, 409, text(e)));
    routes.exception(
        SyntaxException.class,
        (e, r) -> {
          r.status(400);
          Json.answer(r, ErrorJson.of(e));
        });
    routes.exception(IllegalArgumentException.class, (e, r) -> answer(r, 400, text(e)));
    routes.exception(Exception.class, Problems::failed);
  }

  private static void failed(Exception e, Context request) {
    Problem problem = Problem.of(e, LOG_HAS_MORE);
    int status =
        switch (problem.kind()) {
          case NO_SUCH_TABLE, NO_SUCH_NAMESPACE, NO_SUCH_SNAPSHOT -> 404;
          case ACCESS_DENIED -> 403;
          case TABLE_EXISTS, NAMESPACE_EXISTS, SNAPSHOT_EXISTS -> 409;
          case EVENKEY, OTHER -> e instanceof IOException ? 502 : 500;
          default -> 502;
        };
    if (status == 500) {
      LOG.error("{} {} failed", request.method(), request.path(), e);
      answer(request, status, "internal error of the portal; its log has details");
    } else {
      if (status == 502) {
        LOG.warn("{} {} failed", request.method(), request.path(), e);
      }
      answer(request, status, problem.line());
    }
  }

  static void answer(Context request, int status, String error) {
    request.status(status);
    Json.answer(request, ErrorJson.of(error));
  }

  /** The failure as one line of text. */
  static String text(Throwable e) {
    String message = e.getMessage();
    // The message of an input error also shows the position.
    return e instanceof IllegalArgumentException && message != null && !message.isBlank()
        ? message
        : Problem.of(e, LOG_HAS_MORE).line();
  }
}
