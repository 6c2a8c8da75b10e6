/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import io.evenkey.app.heat.counters.Reading;
import io.evenkey.app.heat.history.Recorder;
import io.evenkey.app.heat.history.SpanRate;
import io.evenkey.app.json.JobJson;
import io.evenkey.app.json.LiveReadingJson;
import io.evenkey.app.json.SkewJson;
import io.javalin.http.ServiceUnavailableResponse;
import io.javalin.http.sse.SseClient;
import io.javalin.http.sse.SseHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Server-sent events for open pages: {@code reading} after each reading of HBase's counters, and
 * {@code jobs} after each progress of a job. A thread of its own sends them, so that a page that
 * does not read delays neither a reading nor a job. An event that is due again before it is sent is
 * sent once, with the newest state. Thread-safe.
 */
final class EventStream implements AutoCloseable {
  static final String PATH = "/api/live";

  private static final int MOST_PAGES = 200;

  private final Recorder recorder;
  private final Jobs jobs;
  private final ExecutorService sender =
      new ThreadPoolExecutor(
          1,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          PortalThreads.named("evenkey-events"),
          // After the end there is no page to tell.
          new ThreadPoolExecutor.DiscardPolicy());
  private final Set<String> due = ConcurrentHashMap.newKeySet();
  private final Set<SseClient> clients = ConcurrentHashMap.newKeySet();

  EventStream(Recorder recorder, Jobs jobs) {
    this.recorder = recorder;
    this.jobs = jobs;
    recorder.onReading(() -> announce("reading", this::reading));
    jobs.onChange(() -> announce("jobs", () -> new JobJson.Jobs(jobs.json())));
  }

  List<ApiRoute> routes() {
    SseHandler events = new SseHandler(this::open);
    return List.of(
        ApiRoute.get(
            PATH,
            request -> {
              if (clients.size() >= MOST_PAGES) {
                throw new ServiceUnavailableResponse(
                    "too many open pages: pages=" + MOST_PAGES + "; close one, or reload later");
              }
              events.handle(request);
            }));
  }

  private void open(SseClient client) {
    client.keepAlive();
    client.onClose(() -> clients.remove(client));
    clients.add(client);
    client.sendEvent("reading", text(reading()));
    client.sendEvent("jobs", text(new JobJson.Jobs(jobs.json())));
  }

  private LiveReadingJson reading() {
    Reading last = recorder.last();
    List<LiveReadingJson.LiveTable> tables = new ArrayList<>();
    for (String name : recorder.tables()) {
      List<SpanRate> spans = recorder.now(name);
      tables.add(
          new LiveReadingJson.LiveTable(
              name,
              SpanRate.sum(spans, SpanRate::reads),
              SpanRate.sum(spans, SpanRate::writes),
              SkewJson.of(SpanRate.serverSkew(spans, SpanRate::writes, recorder.servers()))));
    }
    return new LiveReadingJson(last == null ? 0 : last.at(), recorder.problem(), tables);
  }

  private static String text(Object document) {
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }

  private void announce(String event, Supplier<Object> document) {
    if (!clients.isEmpty() && due.add(event)) {
      sender.execute(
          () -> {
            due.remove(event);
            String text = text(document.get());
            clients.forEach(client -> client.sendEvent(event, text));
          });
    }
  }

  @Override
  public void close() {
    sender.shutdownNow();
    clients.forEach(SseClient::close);
  }
}
