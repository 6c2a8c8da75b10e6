package io.evenkey.app.portal;

import io.evenkey.client.registry.PlanConflictException;
import io.evenkey.layout.text.SyntaxException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.hbase.NamespaceNotFoundException;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What went wrong, as an answer: {@code {"error": …}}, with the place in the line for a layout that
 * cannot be read. Never a stack trace. Stateless.
 */
final class Problems {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  private Problems() {}

  static void handledBy(RoutesConfig routes) {
    routes.exception(HttpResponseException.class, (e, r) -> answer(r, e.getStatus(), text(e)));
    routes.exception(PlanConflictException.class, (e, r) -> answer(r, 409, text(e)));
    routes.exception(
        TableExistsException.class, (e, r) -> answer(r, 409, "table exists: " + text(e)));
    routes.exception(
        TableNotFoundException.class, (e, r) -> answer(r, 404, "no such table: table=" + text(e)));
    routes.exception(
        NamespaceNotFoundException.class,
        (e, r) -> answer(r, 404, "no such namespace: " + text(e) + "; create it in HBase first"));
    routes.exception(
        SyntaxException.class,
        (e, r) -> {
          r.status(400);
          Json.answer(r, of(e));
        });
    routes.exception(IllegalArgumentException.class, (e, r) -> answer(r, 400, text(e)));
    routes.exception(
        IOException.class,
        (e, r) -> {
          LOG.warn("{} {} failed", r.method(), r.path(), e);
          answer(r, 502, text(e));
        });
    routes.exception(
        Exception.class,
        (e, r) -> {
          LOG.error("{} {} failed", r.method(), r.path(), e);
          answer(r, 500, "an error of the portal's own: its log has more");
        });
  }

  static void answer(Context request, int status, String error) {
    request.status(status);
    Json.answer(request, Map.of("error", error));
  }

  static Map<String, Object> of(SyntaxException e) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("error", e.getMessage());
    document.put("problem", e.problem());
    document.put("at", e.span().start());
    document.put("length", e.span().length());
    return document;
  }

  /** The first line of a message, which is all that HBase's have for people. */
  static String text(Throwable e) {
    String message = e.getMessage();
    String first = message == null ? "" : message.lines().findFirst().orElse("");
    if (message == null || first.isBlank()) {
      return e.getClass().getSimpleName();
    }
    return e instanceof IllegalArgumentException
        ? message
        : first.replaceFirst("^org\\.apache\\.hadoop\\.hbase\\.\\w+: ", "");
  }
}
