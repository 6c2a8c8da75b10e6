package io.evenkey.layout;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * {@link Hostile} under a coverage-guided fuzzer. In an ordinary build these run on the inputs that
 * are kept beside them; to look for new ones:
 *
 * <pre>JAZZER_FUZZ=1 mvn -pl layout test -Dtest='HostileFuzzTest#lines'</pre>
 */
class HostileFuzzTest {
  @FuzzTest(maxDuration = "5m")
  void lines(FuzzedDataProvider data) {
    Hostile.line(data.consumeRemainingAsString());
  }

  @FuzzTest(maxDuration = "5m")
  void rows(FuzzedDataProvider data) {
    Hostile.row(data.pickValue(Hostile.LAYOUTS), data.consumeRemainingAsBytes());
  }

  @FuzzTest(maxDuration = "5m")
  void conditions(FuzzedDataProvider data) {
    Hostile.condition(data.pickValue(Hostile.LAYOUTS), data.consumeRemainingAsString());
  }
}
