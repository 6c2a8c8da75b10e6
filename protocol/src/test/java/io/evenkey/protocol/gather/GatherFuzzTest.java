/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.gather;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes as messages of a gather, by a fuzzer that follows the branches of the code. */
class GatherFuzzTest {
  @FuzzTest(maxDuration = "5m")
  void anyRequestIsReadOrRejected(FuzzedDataProvider data) {
    HostileGather.request(data.consumeRemainingAsBytes());
  }

  @FuzzTest(maxDuration = "5m")
  void anyPortionsAreReadOrRejected(FuzzedDataProvider data) {
    HostileGather.portions(data.consumeRemainingAsBytes());
  }

  @FuzzTest(maxDuration = "5m")
  void anyAnswerIsReadOrRejected(FuzzedDataProvider data) {
    HostileGather.answer(data.consumeRemainingAsBytes());
  }
}
