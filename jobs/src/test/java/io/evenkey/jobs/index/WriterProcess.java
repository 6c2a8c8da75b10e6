/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.jobs.schedule.ChildJvm;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;

/**
 * A process that writes batches of mutations to a table. A test sends it one after another, and
 * kills it in the middle of one: between the write of entries and that of rows, or of a part of
 * either.
 *
 * <p>A batch is sent as the number of its mutations, one byte, and each of them by HBase's own
 * encoding; the answer is one byte.
 */
final class WriterProcess implements AutoCloseable {
  /** The exit code of a process that got SIGKILL. */
  private static final int KILLED = 128 + 9;

  private static final int OPERATION_MS = 300_000;

  private final Process process;
  private final OutputStream batches;
  private final InputStream answers;

  private WriterProcess(Process process) {
    this.process = process;
    this.batches = new BufferedOutputStream(process.getOutputStream());
    this.answers = process.getInputStream();
  }

  static WriterProcess start(Connection plain, TableName table) throws IOException {
    return new WriterProcess(
        ChildJvm.of(WriterProcess.class, plain.getConfiguration(), table.getNameAsString())
            .redirectError(Redirect.INHERIT)
            .start());
  }

  /** The process itself; it ends when there are no more batches. */
  public static void main(String[] arguments) throws Exception {
    OutputStream answers = System.out;
    // Answers alone go there.
    System.setOut(System.err);
    Configuration configuration = ChildJvm.configuration(arguments);
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    waitForServers(configuration);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table table = connection.getTable(TableName.valueOf(arguments[2]));
        InputStream batches = new BufferedInputStream(System.in)) {
      for (int size = batches.read(); size > 0; size = batches.read()) {
        List<Mutation> batch = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          batch.add(ProtobufUtil.toMutation(MutationProto.parseDelimitedFrom(batches)));
        }
        table.batch(batch, new Object[size]);
        answers.write(size);
        answers.flush();
      }
    }
  }

  /** Has a client wait for regions of servers that were killed, also if its machine is busy. */
  static void waitForServers(Configuration configuration) {
    configuration.setInt(HConstants.HBASE_CLIENT_OPERATION_TIMEOUT, OPERATION_MS);
    configuration.setInt("evenkey.migration.wait.ms", OPERATION_MS);
  }

  /**
   * Writes a batch.
   *
   * @return whether it was acknowledged; if not, the process is dead, and any part of it may have
   *     been written
   * @throws IllegalStateException if the process has died of something else than that
   */
  boolean write(List<Mutation> batch) throws InterruptedException {
    try {
      batches.write(batch.size());
      for (Mutation each : batch) {
        MutationType type = each instanceof Put ? MutationType.PUT : MutationType.DELETE;
        ProtobufUtil.toMutation(type, each).writeDelimitedTo(batches);
      }
      batches.flush();
      if (answers.read() == batch.size()) {
        return true;
      }
    } catch (IOException e) {
      // A pipe to a process that was killed is broken.
    }
    int exit = process.waitFor();
    if (exit != KILLED) {
      throw new IllegalStateException("a writer ended with " + exit);
    }
    return false;
  }

  /** Kills the process after a time, wherever it is then. */
  void killAfter(long nanos) {
    CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS).execute(this::close);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
