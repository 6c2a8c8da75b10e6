/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.jspecify.annotations.Nullable;

/** The local file system, on which the first attempt of each task that writes files fails. */
public final class FailingFiles extends LocalFileSystem {
  private static final String SETTING = "fs.file.impl";
  private static final String NOT_CACHED = "fs.file.impl.disable.cache";
  private static final Pattern FIRST_ATTEMPT = Pattern.compile("attempt_\\w+_r_\\d+_0");
  private static final Set<String> FAILED = new ConcurrentSkipListSet<>();

  private static volatile @Nullable Moment moment;

  /** When the first attempt fails. */
  enum Moment {
    /** Its files are complete: Spark asks then whether there are any. */
    BEFORE_ITS_FILES_ARE_MOVED,
    /** The first of its files have just been moved to those of other tasks. */
    WHILE_ITS_FILES_ARE_MOVED
  }

  /** Spark uses it until this is closed. */
  record Used(Configuration configuration) implements AutoCloseable {
    /** The attempts that have failed. */
    Set<String> failed() {
      return Set.copyOf(FAILED);
    }

    @Override
    public void close() {
      moment = null;
      configuration.unset(SETTING);
      configuration.unset(NOT_CACHED);
      configuration.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    }
  }

  /** Made by Hadoop. */
  public FailingFiles() {}

  static Used in(LocalSpark spark, Moment when) {
    FAILED.clear();
    moment = when;
    Configuration configuration = spark.session().sparkContext().hadoopConfiguration();
    configuration.set(SETTING, FailingFiles.class.getName());
    configuration.setBoolean(NOT_CACHED, true);
    // Files one after the other, unless a write has a setting of its own.
    configuration.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 2);
    return new Used(configuration);
  }

  private static void fail(Path attempt) throws IOException {
    FAILED.add(attempt.getName());
    throw new IOException("first attempt fails: path=" + attempt);
  }

  private static boolean isFirst(Path path) {
    return FIRST_ATTEMPT.matcher(path.getName()).matches();
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (moment == Moment.BEFORE_ITS_FILES_ARE_MOVED && isFirst(path)) {
      fail(path);
    }
    return super.getFileStatus(path);
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    boolean renamed = super.rename(from, to);
    for (Path path = from; moment == Moment.WHILE_ITS_FILES_ARE_MOVED && path != null; ) {
      if (isFirst(path)) {
        fail(path);
      }
      path = path.getParent();
    }
    return renamed;
  }
}
