/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.client.plan.NewTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.Reading;
import io.evenkey.report.heat.counters.TableReading;
import io.evenkey.report.heat.history.Finding;
import io.evenkey.report.heat.history.KeyLabel;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.heat.history.SpanRate;
import io.evenkey.report.json.CreatedTableJson;
import io.evenkey.report.json.DescribedIndex;
import io.evenkey.report.json.IndexJson;
import io.evenkey.report.json.LayoutJson;
import io.evenkey.report.json.LoadJson;
import io.evenkey.report.json.RegionLoadJson;
import io.evenkey.report.json.SkewJson;
import io.evenkey.report.json.TableJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/** Routes for the tables of the cluster: of a migrated one, for the generation in use. */
final class TableRoutes {
  private final Cluster cluster;
  private final Recorder recorder;

  TableRoutes(Cluster cluster, Recorder recorder) {
    this.cluster = cluster;
    this.recorder = recorder;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/tables", this::all),
        ApiRoute.get("/api/tables/{table}", this::one),
        ApiRoute.post("/api/tables/{table}", this::create));
  }

  private void all(Context request) throws IOException {
    List<TableJson.ListedTable> tables = new ArrayList<>();
    Map<TableName, TableName> generations = new HashMap<>();
    cluster.registry().migrations().all().forEach(m -> generations.put(m.table(), m.generation()));
    Map<String, Integer> worst = new TreeMap<>();
    for (Finding finding : recorder.findings()) {
      worst.merge(finding.table(), finding.severity(), Math::max);
    }
    Map<TableName, TableDescriptor> descriptors = new HashMap<>();
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.listTableDescriptors().forEach(d -> descriptors.put(d.getTableName(), d));
    }
    descriptors.forEach(
        (name, descriptor) -> {
          TableName generation = generations.getOrDefault(name, name);
          TableJson table = summary(name, descriptors.getOrDefault(generation, descriptor));
          tables.add(
              new TableJson.ListedTable(
                  table, worst.getOrDefault(recorder.name(table.generation()), 0)));
        });
    tables.sort(Comparator.comparing(one -> one.table().name()));
    Json.answer(request, new TableJson.ListedTables(tables, hidden(descriptors.keySet())));
  }

  private int hidden(Set<TableName> listed) {
    Reading last = recorder.last();
    return last == null
        ? 0
        : (int)
            last.tables().values().stream()
                .filter(table -> table.kind() == TableReading.Kind.TABLE)
                .filter(table -> !listed.contains(TableName.valueOf(table.physical())))
                .count();
  }

  private TableJson summary(TableName name, TableDescriptor descriptor) {
    String generation = descriptor.getTableName().getNameAsString();
    List<SpanRate> spans = recorder.now(generation);
    return new TableJson(
        name.getNameAsString(),
        generation,
        kind(name, descriptor),
        descriptor.getValue(TableLayout.LAYOUT),
        spans.size(),
        SpanRate.sum(spans, SpanRate::megabytes),
        SpanRate.sum(spans, SpanRate::reads),
        SpanRate.sum(spans, SpanRate::writes),
        skew(spans, SpanRate::reads),
        skew(spans, SpanRate::writes));
  }

  private SkewJson skew(List<SpanRate> spans, ToDoubleFunction<SpanRate> what) {
    return SkewJson.of(SpanRate.serverSkew(spans, what, recorder.servers()));
  }

  // A generation that has the table's own name is not in use, or is the table.
  private String kind(TableName name, TableDescriptor descriptor) {
    String table = name.getNameAsString();
    return recorder.name(table).equals(table) && !isOfAnother(name, descriptor)
        ? recorder.kind(table).name().toLowerCase(Locale.ROOT)
        : "generation";
  }

  private static boolean isOfAnother(TableName name, TableDescriptor descriptor) {
    String of = descriptor.getValue(TableLayout.TABLE);
    return of != null && !of.equals(name.getNameAsString());
  }

  private void one(Context request) throws IOException {
    TableName name = name(request);
    TableName generation = LastMigration.generation(cluster.connection(), cluster.registry(), name);
    try (Admin admin = cluster.connection().getAdmin();
        RegionLocator locator = cluster.connection().getRegionLocator(generation)) {
      TableDescriptor descriptor = admin.getDescriptor(generation);
      Layout layout = TableLayout.of(descriptor);
      Json.answer(
          request,
          new TableJson.DescribedTable(
              summary(name, descriptor),
              layout == null ? null : LayoutJson.of(layout),
              regions(locator.getAllRegionLocations(), layout, generation),
              indexes(descriptor),
              settings(descriptor),
              recorder.findings().stream()
                  .filter(f -> f.table().equals(recorder.name(generation.getNameAsString())))
                  .toList()));
    }
  }

  private List<RegionLoadJson> regions(
      List<HRegionLocation> locations, @Nullable Layout layout, TableName generation) {
    Map<String, SpanRate> rates = new TreeMap<>();
    recorder.now(generation.getNameAsString()).forEach(span -> rates.put(span.region(), span));
    List<RegionLoadJson> regions = new ArrayList<>();
    for (HRegionLocation location : locations) {
      byte[] start = location.getRegion().getStartKey();
      SpanRate rate = rates.get(location.getRegion().getEncodedName());
      regions.add(
          new RegionLoadJson(
              location.getRegion().getEncodedName(),
              ByteText.hex(start),
              KeyLabel.of(layout, start),
              location.getServerName() == null
                  ? "(none)"
                  : location.getServerName().getAddress().toString(),
              rate == null ? null : LoadJson.of(List.of(rate))));
    }
    return regions;
  }

  private List<IndexJson> indexes(TableDescriptor descriptor) throws IOException {
    List<IndexJson> indexes = new ArrayList<>();
    for (DescribedIndex index : DescribedIndex.of(descriptor, cluster.registry())) {
      List<SpanRate> spans = recorder.now(index.entries().getNameAsString());
      indexes.add(IndexJson.of(index).with(spans.size(), LoadJson.of(spans)));
    }
    return indexes;
  }

  private static Map<String, String> settings(TableDescriptor descriptor) {
    Map<String, String> settings = new TreeMap<>();
    descriptor
        .getValues()
        .forEach(
            (key, value) -> settings.put(Bytes.toString(key.get()), Bytes.toString(value.get())));
    for (ColumnFamilyDescriptor family : descriptor.getColumnFamilies()) {
      settings.put("family " + family.getNameAsString(), family.toStringCustomizedValues());
    }
    return settings;
  }

  private void create(Context request) throws IOException {
    TableName name = name(request);
    NewTable planned = cluster.tables().planned(name, List.of());
    request.attribute(
        Guard.CHANGE, "create table " + name + " in " + (planned.splits().size() + 1) + " regions");
    Layout layout = cluster.tables().create(planned).layout();
    request.status(201);
    try (Admin admin = cluster.connection().getAdmin()) {
      Json.answer(request, CreatedTableJson.of(planned, layout, admin.getRegionServers().size()));
    }
  }

  static TableName name(Context request) {
    return TableName.valueOf(request.pathParam("table"));
  }
}
