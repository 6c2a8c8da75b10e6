/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code bench} rejects before it starts an HBase. */
class BenchCommandTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "scan --buckets=0 | --buckets=0",
        "scan --rows=1500 | --rows=1500",
        "scan --warm-up=-1 | --warm-up=-1",
        "scan --only=nothing | --only=nothing; give some of",
        "scan --only=nothing | limit_1000",
        "index --only=limit_10 | covered_limit_20",
        "index --over=2 | --over is for scan",
        "scan --sides=client,other | --sides=other; give some of client, naive, phoenix",
        "grow --buckets=16 | give two numbers that differ",
        "get --servers=2 --quorum=zk:2181 | --servers is for an HBase in this process"
      })
  void whatCannotBeComparedIsRejected(String arguments, String error) {
    Run run = Run.of(("bench " + arguments).split(" "));
    assertThat(run.err()).contains(error);
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aChartThatExistsIsKept(@TempDir Path directory) throws Exception {
    Path chart = Files.writeString(directory.resolve("chart.svg"), "mine");
    Run run = Run.of("bench", "scan", "--chart", chart.toString());
    assertThat(run.exit()).isNotZero();
    assertThat(run.err()).contains(chart.toString(), "--force");
    assertThat(chart).content().isEqualTo("mine");
  }

  @Test
  void helpHasTheCommandOfThisModule() {
    assertThat(Run.of("bench", "--help").out()).contains("--buckets=N,…", "Rights in HBase");
    assertThat(Run.of("--help").out()).contains("Measure and try, from a checkout:");
  }
}
