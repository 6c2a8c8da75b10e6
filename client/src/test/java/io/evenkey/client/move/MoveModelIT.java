package io.evenkey.client.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.move.MoveModel.Guard;
import io.evenkey.client.move.MoveModel.Operation;
import io.evenkey.client.move.MoveModel.Outcome;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All that can happen during a move, and what is lost without each part of the protocol. */
class MoveModelIT {
  private static final List<List<Operation>> SCRIPTS =
      List.of(
          List.of(Operation.PUT, Operation.PUT),
          List.of(Operation.PUT, Operation.INCREMENT),
          List.of(Operation.INCREMENT, Operation.PUT),
          List.of(Operation.INCREMENT, Operation.INCREMENT));

  static Stream<Arguments> pairs() {
    return SCRIPTS.stream()
        .flatMap(
            a ->
                SCRIPTS.stream()
                    .filter(b -> SCRIPTS.indexOf(a) <= SCRIPTS.indexOf(b))
                    .map(b -> Arguments.of(a, b)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void noAcknowledgedWriteIsLost(List<Operation> first, List<Operation> second) {
    Outcome outcome = MoveModel.explore(first, second, EnumSet.allOf(Guard.class));
    assertThat(outcome.violation()).isEmpty();
    assertThat(outcome.finished()).as("the move ends").isTrue();
    assertThat(outcome.states()).isGreaterThan(1_000);
  }

  @ParameterizedTest
  @EnumSource(Guard.class)
  void removingAnySingleGuardLosesAWrite(Guard guard) {
    // Most concern increments: there it shows soonest.
    List<Operation> puts = List.of(Operation.PUT, Operation.PUT);
    List<Operation> counts = List.of(Operation.INCREMENT, Operation.INCREMENT);
    assertThat(
            Stream.of(counts, puts)
                .map(script -> MoveModel.explore(script, script, MoveModel.without(guard)))
                .filter(outcome -> !outcome.violation().isEmpty())
                .findFirst())
        .as("without " + guard)
        .isPresent();
  }
}
