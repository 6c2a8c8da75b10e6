/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.MultiTableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableRecordReader;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.util.ReflectionUtils;

/** A job that reads a table, whose splits are made, and whose tasks are run one by one. */
interface ReadJob {
  /** The call of a scanner that fails, counted from 1. */
  int FAILING_CALL = 7;

  int tasks();

  /** The number of bytes that HBase says there are for a task. */
  long length(int task) throws IOException, InterruptedException;

  /** The numbers that the rows of a task have. */
  List<Integer> read(int task) throws IOException, InterruptedException;

  /** As {@link #read}; the first scanner of the task fails once, where the format lets it. */
  List<Integer> readWithAFailure(int task) throws IOException, InterruptedException;

  static String summary(List<Integer> rows) {
    return "rows="
        + rows.size()
        + " distinct="
        + new HashSet<>(rows).size()
        + " first="
        + rows.stream().min(Integer::compare).orElse(-1);
  }

  /** The number that a logical key has. */
  static int number(byte[] key) {
    return (key[0] & 0xff) << 8 | key[1] & 0xff;
  }

  /** Makes a job's splits by a format whose rows are logical keys. */
  static ReadJob of(
      Configuration job,
      Function<TableRecordReader, InputFormat<ImmutableBytesWritable, Result>> format)
      throws IOException, InterruptedException {
    return of(job, format, ReadJob::number);
  }

  /**
   * Makes a job's splits by a format.
   *
   * @param number the number that a row has
   */
  static ReadJob of(
      Configuration job,
      Function<TableRecordReader, InputFormat<ImmutableBytesWritable, Result>> format,
      ToIntFunction<byte[]> number)
      throws IOException, InterruptedException {
    List<InputSplit> splits =
        configured(format.apply(new TableRecordReader()), job).getSplits(Job.getInstance(job));
    return new ReadJob() {
      @Override
      public int tasks() {
        return splits.size();
      }

      @Override
      public long length(int task) throws IOException, InterruptedException {
        return splits.get(task).getLength();
      }

      @Override
      public List<Integer> read(int task) throws IOException, InterruptedException {
        return read(task, new TableRecordReader());
      }

      @Override
      public List<Integer> readWithAFailure(int task) throws IOException, InterruptedException {
        return read(task, new FailingReader());
      }

      private List<Integer> read(int task, TableRecordReader by)
          throws IOException, InterruptedException {
        Configuration own = new Configuration(job);
        TaskAttemptContext context = new TaskAttemptContextImpl(own, new TaskAttemptID());
        List<Integer> read = new ArrayList<>();
        try (RecordReader<ImmutableBytesWritable, Result> reader =
            configured(format.apply(by), own).createRecordReader(splits.get(task), context)) {
          reader.initialize(splits.get(task), context);
          while (reader.nextKeyValue()) {
            read.add(number.applyAsInt(reader.getCurrentKey().copyBytes()));
          }
        }
        return read;
      }
    };
  }

  private static <F> F configured(F format, Configuration configuration) {
    if (format instanceof Configurable configurable) {
      configurable.setConf(configuration);
    }
    return format;
  }

  /** Makes a job's splits by HBase's format for Hadoop's first interface. */
  static ReadJob ofMapred(JobConf job) throws IOException {
    org.apache.hadoop.mapred.InputSplit[] splits = mapred(job, false).getSplits(job, 100);
    return new ReadJob() {
      @Override
      public int tasks() {
        return splits.length;
      }

      @Override
      public long length(int task) throws IOException {
        return splits[task].getLength();
      }

      @Override
      public List<Integer> read(int task) throws IOException {
        return read(task, false);
      }

      @Override
      public List<Integer> readWithAFailure(int task) throws IOException {
        return read(task, true);
      }

      private List<Integer> read(int task, boolean failing) throws IOException {
        List<Integer> read = new ArrayList<>();
        org.apache.hadoop.mapred.RecordReader<ImmutableBytesWritable, Result> reader =
            mapred(job, failing).getRecordReader(splits[task], job, Reporter.NULL);
        ImmutableBytesWritable key = reader.createKey();
        Result row = reader.createValue();
        while (reader.next(key, row)) {
          read.add(number(key.copyBytes()));
        }
        reader.close();
        return read;
      }
    };
  }

  private static Mapred mapred(JobConf job, boolean failing) {
    Mapred format = new Mapred(failing);
    ReflectionUtils.setConf(format, job);
    return format;
  }

  /** HBase's format for one table. */
  final class OneTable extends TableInputFormat {
    OneTable(TableRecordReader reader) {
      setTableRecordReader(reader);
    }
  }

  /** HBase's format for several scans. */
  final class SeveralScans extends MultiTableInputFormat {
    SeveralScans(TableRecordReader reader) {
      setTableRecordReader(reader);
    }
  }

  /** HBase's format for Hadoop's first interface. */
  final class Mapred extends org.apache.hadoop.hbase.mapred.TableInputFormat {
    Mapred(boolean failing) {
      setTableRecordReader(
          new org.apache.hadoop.hbase.mapred.TableRecordReader() {
            @Override
            public void setHTable(Table table) {
              super.setHTable(failing ? FailingReader.failing(table) : table);
            }
          });
    }
  }

  /** HBase's reader, one of whose calls fails as after a server was away for too long. */
  final class FailingReader extends TableRecordReader {
    @Override
    public void setTable(Table table) {
      super.setTable(failing(table));
    }

    static Table failing(Table table) {
      AtomicInteger calls = new AtomicInteger();
      return proxy(
          Table.class,
          table,
          value ->
              value instanceof ResultScanner scanner
                  ? proxy(ResultScanner.class, scanner, result -> result, calls)
                  : value,
          new AtomicInteger(Integer.MAX_VALUE));
    }

    private static <T> T proxy(
        Class<T> type, T of, Function<Object, Object> result, AtomicInteger calls) {
      return type.cast(
          Proxy.newProxyInstance(
              ReadJob.class.getClassLoader(),
              new Class<?>[] {type},
              (self, method, arguments) -> {
                if (method.getName().equals("next") && calls.incrementAndGet() == FAILING_CALL) {
                  throw new IOException("server lost for longer than all retries");
                }
                try {
                  return result.apply(method.invoke(of, arguments));
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              }));
    }
  }
}
