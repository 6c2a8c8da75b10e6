/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The tables of transitions are those that the models search. */
class TransitionsTest {
  /** By those that {@code MigrationModelIT}, {@code StepModelIT} and {@code NameModelIT} search. */
  private static final List<List<Transition>> SEARCHED =
      List.of(
          Transitions.of(new Kind.AnotherSpread(), Migration.Fence.GUARD),
          Transitions.of(new Kind.StepInPlace("", ""), Migration.Fence.GUARD),
          Transitions.of(new Kind.AnotherSpread(), Migration.Fence.NAMES));

  private static List<Kind> kinds() {
    return List.of(
        new Kind.AnotherSpread(),
        new Kind.AnotherKey("", "", ""),
        new Kind.StepInPlace("", ""),
        new Kind.StepWithRewriting("", ""),
        new Kind.Renaming());
  }

  private static Set<Class<?>> records(Class<?> kind) {
    Set<Class<?>> records = new HashSet<>();
    if (kind.isRecord()) {
      records.add(kind);
    } else {
      for (Class<?> sub : kind.getPermittedSubclasses()) {
        records.addAll(records(sub));
      }
    }
    return records;
  }

  @Test
  void eachKindOfMigrationIsSearchedByAModel() {
    assertThat(kinds())
        .extracting(Object::getClass)
        .as("all kinds")
        .containsExactlyInAnyOrderElementsOf(new ArrayList<>(records(Kind.class)));
    for (Kind kind : kinds()) {
      for (Migration.Fence fence : Migration.Fence.values()) {
        assertThat(SEARCHED).as(kind + " " + fence).contains(Transitions.of(kind, fence));
      }
    }
  }

  @Test
  void eachStageLeadsToAnEnd() {
    for (List<Transition> table : SEARCHED) {
      for (Transition line : table) {
        Set<Stage> passed = new HashSet<>();
        Transition at = line;
        while (at.next() != null) {
          assertThat(passed.add(at.stage())).as("a circle from " + line.stage()).isTrue();
          Stage next = at.next();
          Transition.Way way = next == Stage.ROLLED_BACK ? Transition.Way.BACK : at.way();
          at =
              table.stream()
                  .filter(other -> other.stage() == next && other.way() == way)
                  .findFirst()
                  .orElseThrow();
        }
        assertThat(at.stage().isOver()).isTrue();
      }
    }
  }
}
