/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * {@link Hostile} under a coverage-guided fuzzer. No part of an ordinary build:
 *
 * <pre>
 * JAZZER_FUZZ=1 mvn -pl layout test -Dtest.jvm= -Dtest='HostileFuzzTest#anyLineIsALayoutOrRefused'
 * </pre>
 */
class HostileFuzzTest {
  @FuzzTest(maxDuration = "5m")
  void anyLineIsALayoutOrRefused(FuzzedDataProvider data) {
    Hostile.line(data.consumeRemainingAsString());
  }

  @FuzzTest(maxDuration = "5m")
  void anyRowIsDecodedOrRefused(FuzzedDataProvider data) {
    Hostile.row(data.pickValue(Hostile.LAYOUTS), data.consumeRemainingAsBytes());
  }

  @FuzzTest(maxDuration = "5m")
  void anyConditionIsReadOrRefused(FuzzedDataProvider data) {
    Hostile.condition(data.pickValue(Hostile.LAYOUTS), data.consumeRemainingAsString());
  }
}
