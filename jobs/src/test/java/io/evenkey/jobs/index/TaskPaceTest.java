/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tasks of a job that fills an index have the operator's pace together. */
class TaskPaceTest {
  private static Configuration job(String framework, int tasks) {
    Configuration configuration = new Configuration(false);
    configuration.set(MRConfig.FRAMEWORK_NAME, framework);
    configuration.setInt(MRJobConfig.NUM_MAPS, tasks);
    new TaskPace(1_000, "job-" + framework).addTo(configuration);
    return configuration;
  }

  @ParameterizedTest
  @CsvSource({"1, 1000", "2, 500", "4, 250", "9, 250"})
  void tasksOnYarnShareIt(int tasks, double rowsPerSecond) {
    assertThat(TaskPace.in(job("yarn", tasks)).rowsPerSecond()).isEqualTo(rowsPerSecond);
  }

  @Test
  void tasksOfThisProcessWaitForOneAnother() {
    Configuration local = job("local", 9);
    RowPace pace = TaskPace.in(local);
    assertThat(pace.rowsPerSecond()).isEqualTo(1_000);
    assertThat(TaskPace.in(local)).isSameAs(pace);
    TaskPace.forget("job-local");
    assertThat(TaskPace.in(local)).isNotSameAs(pace);
    TaskPace.forget("job-local");
  }

  @Test
  void withoutOneTasksAreNotLimited() {
    Configuration configuration = new Configuration(false);
    new TaskPace(0, "unpaced").addTo(configuration);
    assertThat(TaskPace.in(configuration).rowsPerSecond()).isZero();
    assertThat(configuration.get(MRJobConfig.JOB_RUNNING_MAP_LIMIT)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"1, 4", "4, 4", "16, 4", "64, 4", "65, 8", "1000, 64"})
  void aRoundHasRegionsForAllTasks(int regions, int ofRound) {
    assertThat(FilesFilling.regionsOfRound(regions)).isEqualTo(ofRound);
  }
}
