/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.cli.demo.DemoJson;
import io.evenkey.cli.doctor.DoctorJson;
import io.evenkey.report.heat.history.Finding;
import io.evenkey.report.heat.history.HeatMatrix;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The schema in {@code docs} is what the records of JSON documents are, as Jackson writes them. To
 * make it anew after a change: {@code mvn -pl app -am test -Dtest=JsonSchemaTest
 * -Devenkey.schema.write=true}.
 */
class JsonSchemaTest {
  private static final Path PUBLISHED = PublishedSchema.FILE;
  private static final List<Class<? extends Record>> DOCUMENTS =
      List.of(
          PlanJson.class,
          StoredPlanJson.class,
          IndexReportJson.class,
          IndexReportJson.Difference.class,
          IndexJson.class,
          MigrationJson.class,
          MigrationJson.MigrationStep.class,
          MigrationJson.KeyChange.class,
          MigrationPreviewJson.class,
          StepJson.class,
          SkewJson.class,
          RegionLoadJson.class,
          RegionLoadJson.RegionLoads.class,
          HeatJson.class,
          HeatJson.TableHeat.class,
          Finding.class,
          HotKeysJson.class,
          HotKeysJson.HotItems.class,
          HotKeysJson.HotItem.class,
          AdoptionJson.class,
          AdoptionJson.ProposedLayout.class,
          AdoptionJson.ReadRow.class,
          DoctorJson.class,
          DoctorJson.DoctorCheck.class,
          DoctorJson.DoctorFinding.class,
          DemoJson.class,
          DemoJson.DemoTable.class,
          DemoJson.Collisions.class,
          AdviceJson.class,
          AdviceJson.AdvisedLayout.class,
          AdviceJson.TimeSlices.class,
          AdviceJson.WindowSkew.class,
          AdviceJson.QueryRead.class,
          AdviceJson.AdvisedTable.class,
          AdviceJson.AdvisedIndex.class,
          AdviceJson.QueryPath.class,
          AdviceJson.PlannedGrowth.class,
          AdviceJson.ValidatedFigure.class,
          AdviceSummaryJson.class,
          AdviceSummaryJson.RankedLayout.class,
          AuditEntryJson.class,
          BrowsedRowsJson.class,
          BrowsedRowsJson.BrowsedRow.class,
          ComparisonJson.class,
          ComparisonJson.RowDifference.class,
          CreatedTableJson.class,
          DecodedKeyJson.class,
          DroppedIndexJson.class,
          HotKeysJson.TableHotKeys.class,
          IndexJson.Indexes.class,
          JobJson.Jobs.class,
          JobJson.CancelledJob.class,
          JobJson.UploadedFile.class,
          MigrationJson.Migrations.class,
          PortalJson.PortalHealth.class,
          StoredPlanJson.StoredPlans.class,
          StoredPlanJson.PlanHistory.class,
          TableJson.ListedTables.class,
          ErrorJson.class,
          ExplainedKeyJson.class,
          ExplainedKeyJson.KeyPart.class,
          ExportJson.class,
          GrowthJson.class,
          GuardInstallationJson.class,
          GuardRemovalJson.class,
          GuardSettingsJson.class,
          GuardSurveyJson.class,
          GuardSurveyJson.GuardedMaster.class,
          GuardSurveyJson.GuardedServer.class,
          GuardSurveyJson.GuardedTable.class,
          HeatFindingsJson.class,
          HeatMapJson.class,
          HeatMatrix.HeatTable.class,
          HeatMatrix.HeatMark.class,
          ImportJson.class,
          JobJson.class,
          KeyRangeJson.class,
          LayoutJson.class,
          LayoutJson.LayoutPart.class,
          LayoutJson.LayoutField.class,
          LayoutJson.CheckedLine.class,
          LiveJson.class,
          PlanPreviewJson.class,
          PortalJson.class,
          ReadChoiceJson.class,
          ReadChoiceJson.ReadCandidate.class,
          ReadPlanJson.class,
          RegionCountJson.class,
          RegionCountJson.Rule.class,
          RepairedLinksJson.class,
          RowCountJson.class,
          ScannedRows.class,
          ScatterJson.class,
          SplitJson.class,
          SplitKeyJson.class,
          SplitKeysJson.class,
          SplitKeysJson.RowSampleJson.class,
          SplitPreviewJson.class,
          StarterJson.class,
          TableCheckJson.class,
          TableCheckJson.LayoutFit.class,
          TableJson.class,
          TableJson.ListedTable.class,
          TableJson.DescribedTable.class,
          UsedRegionsJson.class,
          UsedRegionsJson.UsedRegionJson.class,
          UsedRegionsJson.RegionMergeJson.class,
          WrittenRowJson.class);

  /** What {@code scan --json} writes as it reads: no object holds all rows. */
  private record ScannedRows(
      String table, boolean ordered, List<Map<String, Object>> rows, long count) {}

  private final ObjectMapper mapper = new ObjectMapper();

  @Test
  void thePublishedSchemaIsThatOfTheRecords() throws IOException {
    String generated = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(schema()) + "\n";
    if (Boolean.getBoolean("evenkey.schema.write")) {
      Files.writeString(PUBLISHED, generated);
    }
    assertThat(PUBLISHED).content().isEqualToNormalizingNewlines(generated);
  }

  @Test
  void documentsHaveTheNamesOfTheSchema() {
    PlanJson plan = new PlanJson("a:int64", 4, null, List.of("01"), List.of("d"), null, true, null);
    StoredPlanJson stored = new StoredPlanJson("t", plan, 1, "eve", null, null, null);
    assertThat(mapper.valueToTree(stored).toString())
        .isEqualTo(
            "{\"scope\":\"t\",\"layout\":\"a:int64\",\"regions\":4,\"algorithm\":null,"
                + "\"splits_hex\":[\"01\"],\"families\":[\"d\"],\"compression\":null,"
                + "\"whole_buckets\":true,\"optimize_for\":null,\"version\":1,\"author\":\"eve\","
                + "\"at\":null}");
    for (Class<? extends Record> document : DOCUMENTS) {
      assertThat(schema().path("$defs").path(name(document)).path("properties").fieldNames())
          .toIterable()
          .as(document.getSimpleName())
          .allMatch(name -> name.matches("[a-z][a-z0-9_]*"))
          .isNotEmpty();
    }
  }

  private ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    ObjectNode definitions = schema.putObject("$defs");
    DOCUMENTS.forEach(document -> describe(document, definitions.putObject(name(document))));
    return schema;
  }

  private static String name(Class<?> document) {
    return document.getSimpleName().replaceFirst("Json$", "");
  }

  private void describe(Class<?> document, ObjectNode definition) {
    definition.put("type", "object");
    ObjectNode properties = definition.putObject("properties");
    ArrayNode required = definition.putArray("required");
    add(document, properties, required, true);
  }

  private void add(
      Class<?> document, ObjectNode properties, ArrayNode required, boolean alwaysWritten) {
    JavaType type = mapper.constructType(document);
    for (BeanPropertyDefinition property :
        mapper.getSerializationConfig().introspect(type).findProperties()) {
      RecordComponent component =
          Arrays.stream(document.getRecordComponents())
              .filter(one -> one.getName().equals(property.getInternalName()))
              .findFirst()
              .orElseThrow();
      boolean mayBeNull = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        add(component.getType(), properties, required, alwaysWritten && !mayBeNull);
        continue;
      }
      boolean mayBeLeftOut = component.getAccessor().isAnnotationPresent(JsonInclude.class);
      properties.set(
          property.getName(), value(property.getPrimaryType(), mayBeNull && !mayBeLeftOut));
      if (alwaysWritten && !mayBeLeftOut) {
        required.add(property.getName());
      }
    }
  }

  private ObjectNode value(JavaType type, boolean mayBeNull) {
    ObjectNode value = JsonNodeFactory.instance.objectNode();
    if (type.isRecordType()) {
      return value.put("$ref", "#/$defs/" + name(type.getRawClass()));
    }
    if (type.isCollectionLikeType()) {
      value.put("type", "array").set("items", value(type.getContentType(), false));
      return value;
    }
    if (type.isMapLikeType()) {
      value.put("type", "object");
      value.set("additionalProperties", value(type.getContentType(), false));
      return value;
    }
    Class<?> raw = type.getRawClass();
    if (raw == Object.class) {
      return value;
    }
    String named =
        raw == String.class
            ? "string"
            : raw == boolean.class || raw == Boolean.class
                ? "boolean"
                : raw == double.class || raw == Double.class ? "number" : "integer";
    if (mayBeNull) {
      value.putArray("type").add(named).add("null");
    } else {
      value.put("type", named);
    }
    return value;
  }
}
