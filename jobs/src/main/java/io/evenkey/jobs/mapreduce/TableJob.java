/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import de.siegmar.fastcsv.reader.CsvReader;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.apache.datasketches.frequencies.ItemsSketch;
import org.apache.datasketches.memory.Memory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.serializer.WritableSerialization;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/**
 * What an application's own jobs over spread tables need: jars for the tasks, and settings for runs
 * without YARN.
 *
 * <pre>{@code
 * Job job = Job.getInstance(configuration);
 * TableMapReduceUtil.initTableMapperJob("readings", scan, mapper, Text.class, Text.class, job);
 * TableJob.addDependencyJars(job);
 * }</pre>
 *
 * <p>Stateless.
 */
public final class TableJob {
  /**
   * A class of each library that Evenkey's classes need in a task and a cluster's own class path
   * may lack.
   */
  private static final Class<?>[] LIBRARIES = {
    CsvReader.class,
    ZstdInputStreamNoFinalizer.class,
    GzipCompressorInputStream.class,
    ObjectMapper.class,
    JsonFactory.class,
    JsonProperty.class,
    ItemsSketch.class,
    Memory.class,
    MeterRegistry.class,
    KeyValue.class,
    Observation.class
  };

  private static final long POLL_MS = 200;

  private TableJob() {}

  /** Whether the configuration makes tasks run in this process instead of on YARN. */
  public static boolean isLocal(Configuration configuration) {
    return "local".equals(configuration.get(MRConfig.FRAMEWORK_NAME, "local"));
  }

  /**
   * Prepares a job's configuration. If tasks run in this process, as many run at once as there are
   * processors.
   *
   * @throws IOException if the user of this process cannot be determined
   */
  public static void addTo(Configuration configuration) throws IOException {
    // There is no command line of Hadoop's that could be parsed.
    configuration.setBoolean("mapreduce.client.genericoptionsparser.used", true);
    int processors = Runtime.getRuntime().availableProcessors();
    configuration.setInt("mapreduce.local.map.tasks.maximum", processors);
    configuration.setInt("mapreduce.local.reduce.tasks.maximum", processors);
    // HBase adds its own; Avro's, which Hadoop has by default, is for those who have Avro.
    configuration.set(
        CommonConfigurationKeys.IO_SERIALIZATIONS_KEY, WritableSerialization.class.getName());
    if (isLocal(configuration)) {
      // By default every three seconds, which spares an application master of many tasks.
      configuration.setIfUnset(MRJobConfig.TASK_PROGRESS_REPORT_INTERVAL, "500");
    }
    if (isLocal(configuration) && UserGroupInformation.isSecurityEnabled()) {
      // Hadoop asks for tokens of HDFS, which need a renewer; by default the ResourceManager.
      configuration.setIfUnset(
          YarnConfiguration.RM_PRINCIPAL, UserGroupInformation.getCurrentUser().getUserName());
    }
  }

  /**
   * Makes HBase's input formats skip the sizes of regions, which only order the tasks. HBase asks
   * each region server for them once and without a retry, so one that has just died would fail the
   * job.
   */
  public static void ignoreRegionSizes(Configuration configuration) {
    configuration.setBoolean("hbase.regionsizecalculator.enable", false);
  }

  /**
   * Ships the classes that tasks need. Call it after everything else is set. Does nothing if tasks
   * run in this process.
   *
   * @param own the class of the job
   */
  public static void addClasses(Job job, Class<?> own) throws IOException {
    job.setJarByClass(own);
    if (isLocal(job.getConfiguration())) {
      // HBase has added some, which would only be copied.
      job.getConfiguration().unset("tmpjars");
      return;
    }
    addJars(job, own);
  }

  /** Adds the jars that tasks need in other processes: HBase's, Evenkey's and the job's own. */
  static void addJars(Job job, Class<?> own) throws IOException {
    TableMapReduceUtil.addDependencyJars(job);
    TableMapReduceUtil.addDependencyJarsForClasses(job.getConfiguration(), own);
    addDependencyJars(job);
  }

  /**
   * Ships the jars of Evenkey's client and of all that it needs to the tasks. Jobs need it if their
   * tasks open spread tables through HBase's formats and the setting {@code
   * hbase.client.connection.impl}. Call it after {@link TableMapReduceUtil#initTableMapperJob},
   * which ships HBase's jars and the job's own. Jobs with {@link EvenkeyInputFormat} or {@link
   * EvenkeyOutputFormat} do not need it.
   *
   * @throws IOException if a jar is not found, or cannot be made from a directory of classes
   */
  public static void addDependencyJars(Job job) throws IOException {
    TableMapReduceUtil.addDependencyJarsForClasses(
        job.getConfiguration(), TableLayout.class, Layout.class);
    TableMapReduceUtil.addDependencyJarsForClasses(job.getConfiguration(), LIBRARIES);
  }

  /** Called from time to time while a job runs. */
  @FunctionalInterface
  public interface Watch {
    /** Looks at the job. */
    void look(Job job) throws IOException;
  }

  /** Makes the exception for a job that failed. */
  @FunctionalInterface
  public interface Failure {
    /** The exception to throw. */
    IOException of(Job job) throws IOException, InterruptedException;
  }

  /**
   * Runs a job to its end. Interrupting the thread kills the job.
   *
   * @param watch called from time to time while the job runs
   * @param failure makes the exception if the job fails
   * @param interrupted the message of the exception if the thread is interrupted
   * @throws InterruptedIOException if the thread is interrupted
   */
  public static void run(Job job, Watch watch, Failure failure, String interrupted)
      throws IOException {
    try {
      job.submit();
      while (!job.isComplete()) {
        watch.look(job);
        Thread.sleep(POLL_MS);
      }
      if (!job.isSuccessful()) {
        throw failure.of(job);
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("classes of a job are those of this program", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      job.killJob();
      throw new InterruptedIOException(interrupted);
    }
  }
}
