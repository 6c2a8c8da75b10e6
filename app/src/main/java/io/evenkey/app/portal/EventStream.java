/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import io.evenkey.app.heat.counters.Reading;
import io.evenkey.app.heat.history.Recorder;
import io.evenkey.app.heat.history.SpanRate;
import io.javalin.http.sse.SseClient;
import io.javalin.http.sse.SseHandler;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Server-sent events for open pages: {@code reading} after each reading of HBase's counters, and
 * {@code jobs} after each progress of a job. Thread-safe.
 */
final class EventStream implements AutoCloseable {
  private final Recorder recorder;
  private final Jobs jobs;
  private final Set<SseClient> clients = ConcurrentHashMap.newKeySet();

  EventStream(Recorder recorder, Jobs jobs) {
    this.recorder = recorder;
    this.jobs = jobs;
    recorder.onReading(() -> send("reading", reading()));
    jobs.onChange(() -> send("jobs", Map.of("jobs", jobs.json())));
  }

  List<ApiRoute> routes() {
    return List.of(ApiRoute.get("/api/live", new SseHandler(this::open)));
  }

  private void open(SseClient client) {
    client.keepAlive();
    client.onClose(() -> clients.remove(client));
    clients.add(client);
    client.sendEvent("reading", text(reading()));
    client.sendEvent("jobs", text(Map.of("jobs", jobs.json())));
  }

  private Map<String, Object> reading() {
    Reading last = recorder.last();
    List<Map<String, Object>> tables = new ArrayList<>();
    for (String name : recorder.tables()) {
      List<SpanRate> spans = recorder.now(name);
      Map<String, Object> table = new LinkedHashMap<>();
      table.put("name", name);
      table.put("reads", SpanRate.sum(spans, SpanRate::reads));
      table.put("writes", SpanRate.sum(spans, SpanRate::writes));
      table.put("write_skew", SpanRate.serverSkew(spans, SpanRate::writes));
      tables.add(table);
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("at", last == null ? 0 : last.at());
    document.put("problem", recorder.problem());
    document.put("tables", tables);
    return document;
  }

  private static String text(Object document) {
    return new String(Json.bytes(document), StandardCharsets.UTF_8);
  }

  private void send(String event, Object document) {
    if (clients.isEmpty()) {
      return;
    }
    String text = text(document);
    clients.forEach(client -> client.sendEvent(event, text));
  }

  @Override
  public void close() {
    clients.forEach(SseClient::close);
  }
}
