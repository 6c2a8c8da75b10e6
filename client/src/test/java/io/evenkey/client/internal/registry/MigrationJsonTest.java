/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.RegistryException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is stored of a migration is read again; anything else is rejected with a message. */
class MigrationJsonTest {
  private static final TableName ORDERS = TableName.valueOf("shop:orders");
  private static final TableName NEXT = TableName.valueOf("shop:orders.g2");

  private static final String BEFORE_KINDS =
      """
      {"format": 1, "source": "shop:orders", "target": "%s", "stage": "rolled_back",
       "goal": "ready", "turn": 3, "fence": "names", "by": "snapshot", "rounds": ["", "0a"], %s
       "copied": 1, "rows": 20, "compared_through": 4, "changed_since": 5, "repaired": 6,
       "rows_per_second": 7, "latency_ms": 8, "held_to": 9, "since": "2026-11-27T10:00:00Z"}
      """;

  private static Migration of(Kind kind, TableName target) {
    return Migration.begin(ORDERS, kind, ORDERS, target, 3, Instant.parse("2026-11-27T10:00:00Z"));
  }

  private static Migration complete(Kind kind, TableName target) {
    return of(kind, target)
        .enter(Stage.ROLLED_BACK)
        .withFence(Migration.Fence.NAMES)
        .withWork(new Migration.Work(Migration.By.SNAPSHOT, List.of("", "0a"), 1, 20, 4, 5, 6))
        .withPace(new Migration.Pace(7, 8, 9));
  }

  static Stream<Migration> ofEachKind() {
    Migration renaming =
        Migration.begin(ORDERS, new Kind.Renaming(), NEXT, ORDERS, 1, Instant.EPOCH);
    return Stream.of(
        complete(new Kind.AnotherSpread(), NEXT),
        of(new Kind.AnotherSpread(), NEXT)
            .withClusters(
                Migration.Clusters.of(
                    List.of(new Migration.Peer("east", UUID.randomUUID().toString())), 3)),
        of(new Kind.AnotherSpread(), NEXT)
            .withClusters(Migration.Clusters.following("zk:2181:/hbase", 7)),
        of(new Kind.AnotherKey("id:string", "c:string + id:string", "c=d:c"), NEXT),
        of(new Kind.StepInPlace("before", "after"), ORDERS),
        of(new Kind.StepWithRewriting("before", "after"), NEXT),
        renaming);
  }

  private static ObjectNode json(String text) throws RegistryException {
    return RegistryJson.object(text.getBytes(StandardCharsets.UTF_8), MigrationJson.FORMAT, "here");
  }

  private static ObjectNode json(Migration migration) throws RegistryException {
    return RegistryJson.object(
        RegistryJson.bytes(MigrationJson.of(migration)), MigrationJson.FORMAT, "here");
  }

  private static Migration parsed(ObjectNode json) throws RegistryException {
    return MigrationJson.parse(json, ORDERS, "here");
  }

  @ParameterizedTest
  @MethodSource("ofEachKind")
  void aMigrationIsReadAsItWasStored(Migration migration) throws RegistryException {
    assertThat(parsed(json(migration))).isEqualTo(migration);
  }

  @ParameterizedTest
  @MethodSource("ofEachKind")
  void anEntryThatIsMissingIsNamed(Migration migration) throws RegistryException {
    List<String> names = new ArrayList<>();
    for (Iterator<String> all = json(migration).fieldNames(); all.hasNext(); ) {
      names.add(all.next());
    }
    for (String name : names) {
      ObjectNode without = json(migration);
      without.remove(name);
      assertThatThrownBy(() -> parsed(without))
          .as("without " + name)
          .isInstanceOf(RegistryException.class)
          .hasMessageStartingWith("cannot be read: place=here problem=")
          .hasMessageContaining("'" + name + "'");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "turn, seven, turn",
    "turn, 7.5, 7.5",
    "stage, gone, FINISHED",
    "bucket, 3, bucket",
    "since, yesterday, yesterday"
  })
  void anEntryThatIsNotUnderstoodIsNamed(String name, String value, String named)
      throws RegistryException {
    ObjectNode wrong = json(complete(new Kind.AnotherSpread(), NEXT));
    wrong.put(name, value);
    assertThatThrownBy(() -> parsed(wrong))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("cannot be read: place=here problem=")
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name': 'another_key', 'before': 'b', 'after': 'a'} | columns",
        "{'name': 'step_in_place', 'before': null, 'after': 'a'} | before",
        "{'name': 'step_in_place', 'before': 'b', 'after': 'a', 'columns': ''} | columns",
        "{'name': 'renaming', 'before': 'b'} | before",
        "{'name': 'gone'} | gone",
        "{} | name"
      })
  void anEntryOfTheKindThatIsMissingOrNotKnownIsNamed(String kind, String named)
      throws RegistryException {
    String right = json(complete(new Kind.AnotherSpread(), NEXT)).toString();
    String wrong = right.replace("{\"name\":\"another_spread\"}", kind.replace('\'', '"'));
    assertThat(wrong).isNotEqualTo(right);
    assertThatThrownBy(() -> parsed(json(wrong)))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith("cannot be read: place=here problem=")
        .hasMessageContaining(named);
  }

  @Test
  void aRecordOfFormatOneIsOfTheKindThatItsEntriesSay() throws RegistryException {
    assertThat(parsed(json(BEFORE_KINDS.formatted("shop:orders.g2", ""))))
        .isEqualTo(complete(new Kind.AnotherSpread(), NEXT));
    assertThat(
            parsed(
                json(
                    BEFORE_KINDS.formatted(
                        "shop:orders.g2",
                        "'key_before': 'b', 'key_after': 'a', 'key_columns': ''".replace('\'', '"')
                            + ","))))
        .isEqualTo(complete(new Kind.AnotherKey("b", "a", ""), NEXT));
    String steps = "\"step_before\": \"b\", \"step_after\": \"a\",";
    assertThat(parsed(json(BEFORE_KINDS.formatted("shop:orders", steps))))
        .isEqualTo(complete(new Kind.StepInPlace("b", "a"), ORDERS));
    assertThat(parsed(json(BEFORE_KINDS.formatted("shop:orders.g2", steps))))
        .isEqualTo(complete(new Kind.StepWithRewriting("b", "a"), NEXT));
    String renaming = BEFORE_KINDS.formatted("shop:orders", "").replaceFirst("orders", "orders.g2");
    assertThat(parsed(json(renaming)).kind()).isEqualTo(new Kind.Renaming());
  }

  @Test
  void aRecordOfFormatOneThatLacksAnEntryNamesIt() throws RegistryException {
    ObjectNode json =
        json(BEFORE_KINDS.formatted("shop:orders.g2", "").replace("\"turn\": 3,", ""));
    assertThatThrownBy(() -> parsed(json))
        .isInstanceOf(RegistryException.class)
        .hasMessageContaining("'turn'");
  }
}
