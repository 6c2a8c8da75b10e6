/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hooks;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the bodies of hooks, so that nothing but an {@link IOException} leaves a coprocessor. At
 * anything else HBase stops the server or, if {@value #ABORTS} is false, goes on without the
 * coprocessor, and so without its protection. Filters, comparators, other coprocessors,
 * descriptors, attributes and rows can make a hook meet any {@link Throwable}: linkage errors,
 * stack overflows and failed assertions too.
 *
 * <p>An {@link IOException} passes as it is. Any other throwable fails the request with a {@link
 * DoNotRetryIOException} that names the hook, the table and the cause; the server logs it at WARN,
 * each kind once a minute at most. Only what the JVM itself cannot go on after is passed on, such
 * as an {@link OutOfMemoryError}. Thread-safe. A hook that returns costs no more than the lambda of
 * its body.
 */
public final class Hooks {
  private static final Logger LOG = LoggerFactory.getLogger(Hooks.class);
  private static final String ABORTS = "hbase.coprocessor.abortonerror";
  private static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MOST_KINDS = 1_000;
  private static final int MOST_CHARACTERS = 500;

  /** Where another one cannot be made: at the end of the stack, or of a cause that fails itself. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  private static final DoNotRetryIOException LAST_RESORT =
      new DoNotRetryIOException("hook failed, and its cause cannot be shown");

  private static final Map<String, Long> LOGGED = new ConcurrentHashMap<>();

  /** Calls around each hook, with which tests inject faults. */
  interface Interference {
    default void before(String hook, @Nullable Object subject) {}

    default void after(String hook, @Nullable Object subject) {}
  }

  static final Interference NONE = new Interference() {};

  static volatile Interference interference = NONE;

  private Hooks() {}

  /** The body of a hook. */
  @FunctionalInterface
  public interface Body {
    /** Runs it. */
    void run() throws IOException;
  }

  /**
   * The body of a hook that returns a value.
   *
   * @param <T> the type of the value
   */
  @FunctionalInterface
  public interface Answer<T> {
    /** Makes the value. */
    T get() throws IOException;
  }

  /**
   * Runs the body of a hook.
   *
   * @param hook the name of the hook
   * @param subject what the hook is called for: a context or an environment of HBase's, or a table;
   *     null if it is of none
   */
  public static void run(String hook, @Nullable Object subject, Body body) throws IOException {
    try {
      interference.before(hook, subject);
      body.run();
      interference.after(hook, subject);
    } catch (Throwable thrown) {
      throw failure(hook, subject, thrown);
    }
  }

  /** Runs the body of a hook that returns a value; see {@link #run}. */
  public static <T extends @Nullable Object> T answer(
      String hook, @Nullable Object subject, Answer<T> body) throws IOException {
    try {
      interference.before(hook, subject);
      T answer = body.get();
      interference.after(hook, subject);
      return answer;
    } catch (Throwable thrown) {
      throw failure(hook, subject, thrown);
    }
  }

  /**
   * Runs the body of a hook whose failure HBase answers by stopping the server, whatever is thrown.
   * An {@link IOException} is logged as other failures are, and the hook returns.
   */
  public static void attempt(String hook, @Nullable Object subject, Body body) {
    try {
      run(hook, subject, body);
    } catch (IOException e) {
      log(hook, subject, e);
    }
  }

  /** Returns the exception that leaves the hook. Throws errors after which the JVM cannot go on. */
  private static IOException failure(String hook, @Nullable Object subject, Throwable thrown) {
    if (thrown instanceof IOException passed) {
      return passed;
    }
    if (isFatal(thrown) && aborts(subject)) {
      throw (Error) thrown;
    }
    try {
      if (thrown instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      log(hook, subject, thrown);
      String rule = "hook failed: hook=" + hook + subject(subject) + " cause=";
      String cause = describe(thrown);
      // HBase prints what it sends.
      return cause == null
          ? new DoNotRetryIOException(rule + thrown.getClass().getName())
          : new DoNotRetryIOException(rule + cause, thrown);
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return LAST_RESORT;
    }
  }

  /** Whether the JVM cannot go on after it, so that HBase has to stop the server. */
  private static boolean isFatal(Throwable thrown) {
    return thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)
        || thrown instanceof ThreadDeath;
  }

  /** Whether HBase stops the server at what leaves a hook, and does not go on without the hook. */
  private static boolean aborts(@Nullable Object subject) {
    CoprocessorEnvironment<?> environment = environment(subject);
    return environment == null || environment.getConfiguration().getBoolean(ABORTS, true);
  }

  private static @Nullable CoprocessorEnvironment<?> environment(@Nullable Object subject) {
    Object of = subject instanceof ObserverContext<?> c ? c.getEnvironment() : subject;
    return of instanceof CoprocessorEnvironment<?> environment ? environment : null;
  }

  private static void log(String hook, @Nullable Object subject, Throwable thrown) {
    String kind = hook + " " + thrown.getClass().getName();
    long now = System.nanoTime();
    Long last = LOGGED.get(kind);
    boolean due = last == null ? LOGGED.size() < MOST_KINDS : now - last >= PERIOD_NANOS;
    if (!due) {
      return;
    }
    LOGGED.put(kind, now);
    if (describe(thrown) == null) {
      String cause = thrown.getClass().getName();
      LOG.warn("hook failed: hook={}{} cause={}", hook, subject(subject), cause);
    } else {
      LOG.warn("hook failed: hook={}{}", hook, subject(subject), thrown);
    }
  }

  static String subject(@Nullable Object subject) {
    CoprocessorEnvironment<?> of = environment(subject);
    if (of != null) {
      RegionInfo region =
          of instanceof RegionCoprocessorEnvironment environment
              ? environment.getRegionInfo()
              : null;
      return region == null
          ? ""
          : " table=" + region.getTable() + " region=" + region.getEncodedName();
    }
    if (subject instanceof RegionInfo[] regions && regions.length > 0) {
      return subject(regions[0]);
    }
    if (subject instanceof RegionInfo region) {
      return " table=" + region.getTable() + " region=" + region.getEncodedName();
    }
    Object table =
        subject instanceof TableDescriptor descriptor ? descriptor.getTableName() : subject;
    return table == null ? "" : " table=" + table;
  }

  /** The throwable with the beginning of its message; null if it cannot be printed. */
  private static @Nullable String describe(Throwable thrown) {
    String line;
    try {
      thrown.printStackTrace(new PrintWriter(Writer.nullWriter()));
      line = thrown.toString().replace('\n', ' ');
    } catch (RuntimeException | LinkageError | AssertionError e) {
      return null;
    }
    return line.length() > MOST_CHARACTERS ? line.substring(0, MOST_CHARACTERS) + "…" : line;
  }
}
