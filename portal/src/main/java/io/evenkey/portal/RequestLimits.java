/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.javalin.config.JavalinConfig;
import java.time.Duration;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.server.handler.QoSHandler;

/**
 * Bounds the threads that clients can hold by sending, reading or asking slowly, so that {@code
 * /health} always finds a thread. A request above its bound waits without a thread, and is answered
 * 503 if none ends in time.
 */
final class RequestLimits {
  /** The most uploads that arrive at once. */
  static final int MOST_UPLOADS = 4;

  // Together well below the 250 threads of Javalin's pool.
  private static final int MOST_CHANGES = 16;
  private static final int MOST_READS = 64;
  private static final int MOST_WAITING = 1_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  // Jetty ends a silent connection after half a minute; one that trickles would last for ever.
  private static final long LEAST_BYTES_PER_SECOND = 1_000;

  private RequestLimits() {}

  static void on(JavalinConfig config) {
    config.jetty.modifyServer(
        server -> {
          QoSHandler uploads = atMost(MOST_UPLOADS);
          uploads.includePath(JobRoutes.UPLOADS);
          QoSHandler changes = atMost(MOST_CHANGES);
          changes.excludeMethod("GET", "HEAD");
          QoSHandler reads = atMost(MOST_READS);
          reads.includeMethod("GET", "HEAD");
          reads.excludePath(HealthRoutes.HEALTH, HealthRoutes.READY);
          server.insertHandler(new MinimumDataRateHandler(LEAST_BYTES_PER_SECOND, 0));
          server.insertHandler(reads);
          server.insertHandler(changes);
          // First, so that uploads which wait hold no place of other changes.
          server.insertHandler(uploads);
        });
  }

  private static QoSHandler atMost(int requests) {
    QoSHandler limit = new QoSHandler();
    limit.setMaxRequestCount(requests);
    limit.setMaxSuspendedRequestCount(MOST_WAITING);
    limit.setMaxSuspend(LONGEST_WAIT);
    limit.setRejectStatusCode(HttpStatus.SERVICE_UNAVAILABLE_503);
    return limit;
  }
}
