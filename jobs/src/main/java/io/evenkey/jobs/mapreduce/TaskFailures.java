/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.StringUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records why tasks failed, in a file per attempt, so that the job's client can report it:
 * MapReduce tells the client only that a job failed, and "NA" as the reason if tasks run in this
 * process. Stateless.
 */
public final class TaskFailures {
  private static final Logger LOG = LoggerFactory.getLogger(TaskFailures.class);

  /** Configuration key: the directory of the files. */
  private static final String DIRECTORY = "evenkey.job.failures";

  private TaskFailures() {}

  /** A part of a task. */
  @FunctionalInterface
  public interface Work {
    /** Does it. */
    void run() throws IOException, InterruptedException;
  }

  /** Makes the tasks of a job write failures to a directory. */
  public static void to(Configuration job, Path directory) {
    job.set(DIRECTORY, directory.toString());
  }

  /** Runs a part of a task, and records its failure before it throws it. */
  public static void written(TaskAttemptContext task, Work work)
      throws IOException, InterruptedException {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      write(task, e);
      throw e;
    }
  }

  private static void write(TaskAttemptContext task, Throwable failure) {
    String directory = task.getConfiguration().get(DIRECTORY, "");
    if (directory.isEmpty()) {
      return;
    }
    Path file = new Path(directory, task.getTaskAttemptID().toString());
    try (OutputStream out =
        file.getFileSystem(task.getConfiguration()).create(file, /* overwrite= */ true)) {
      String text = failure.getClass().getName() + "\n" + StringUtils.stringifyException(failure);
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException | RuntimeException e) {
      LOG.warn("failure of a task cannot be written down: file={}", file, e);
      failure.addSuppressed(e);
    }
  }

  /** Returns the first line of a failure. */
  public static String firstLine(RemoteException failure) {
    return String.valueOf(failure.getMessage())
        .lines()
        .findFirst()
        .orElseGet(failure::getClassName);
  }

  /** Returns the recorded failure of one of a job's tasks; empty if none was recorded. */
  public static Optional<RemoteException> first(Configuration job) throws IOException {
    Path directory = new Path(job.get(DIRECTORY, ""));
    FileSystem files = directory.getFileSystem(job);
    if (!files.exists(directory)) {
      return Optional.empty();
    }
    for (FileStatus file : files.listStatus(directory)) {
      try (InputStream in = files.open(file.getPath())) {
        String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        if (end > 0) {
          return Optional.of(new RemoteException(text.substring(0, end), text.substring(end + 1)));
        }
      }
    }
    return Optional.empty();
  }
}
