/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.advisor.Advice;
import io.evenkey.advisor.Advisor;
import io.evenkey.advisor.query.QueryFile;
import io.evenkey.advisor.sample.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What the page of an advice contains, and in which order. */
class AdviceReportTest {
  private static final List<String> COLUMNS = List.of("device", "ts", "temp");

  private static Advice advise(String... queries) {
    SplittableRandom random = new SplittableRandom(7);
    Sample.Builder sample = new Sample.Builder(COLUMNS);
    for (int i = 0; i < 8_000; i++) {
      sample.add(
          List.of(
              "dev" + random.nextInt(200),
              String.valueOf(1_700_000_000_000L + i * 1000L),
              String.valueOf(random.nextInt(40))));
    }
    return Advisor.usual()
        .advise(
            sample.build(), QueryFile.parse(Arrays.asList(queries), COLUMNS), (done, all) -> {});
  }

  @Test
  void queriesThatAreNotServedComeBeforeTheLayout() throws Exception {
    String html =
        AdviceReport.html(
            advise("device = ? newest first limit 20 : weight 98", "temp = ? : weight 2"),
            "readings.csv");
    int unserved = html.indexOf("<b>Not served:</b> &quot;temp = ?&quot; reads ");
    assertThat(unserved).isPositive().isLessThan(html.indexOf("class=\"winner\""));
    assertThat(html.indexOf("Not served:", unserved + 10)).as("said once").isNegative();
    assertThat(AdviceReport.html(advise("device = ?"), "readings.csv"))
        .doesNotContain("Not served", "{{");
  }

  @Test
  void theApplicationsPartInReadingByAnIndexIsShown() throws Exception {
    String html =
        AdviceReport.html(
            advise("device = ? newest first limit 20 : weight 7", "ts between ? and ? : weight 3"),
            "readings.csv");
    assertThat(html).contains("<code>.anyOrder()</code>", "<td>nothing</tr>");
  }
}
