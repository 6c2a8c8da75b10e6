/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import io.evenkey.layout.failure.EvenkeyFailure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * One of the exceptions behind a failure: thrown in this process, or described in the message of
 * another exception, as servers and jobs do.
 *
 * @param types its class and superclasses, as far as they are on the class path
 * @param message the message without the leading class name; may have several lines
 * @param own whether it is an {@link EvenkeyFailure}, whose message is a complete line
 */
record Cause(List<String> types, String message, boolean own) {
  /** A limit for servers that nest causes, and for batches with a cause for each row. */
  private static final int MOST = 100;

  /** Classes that do not describe the failure. */
  private static final Set<String> GENERIC =
      Set.of(
          "java.lang.Exception",
          "java.lang.RuntimeException",
          "java.lang.IllegalArgumentException",
          "java.lang.IllegalStateException",
          "java.lang.UnsupportedOperationException",
          "java.lang.Throwable",
          "java.lang.Error",
          "java.io.IOException",
          "java.io.InterruptedIOException",
          "java.io.UncheckedIOException",
          "java.util.concurrent.ExecutionException",
          "java.util.concurrent.CompletionException",
          "java.lang.reflect.InvocationTargetException",
          "java.lang.reflect.UndeclaredThrowableException",
          "org.apache.hadoop.hbase.HBaseIOException",
          "org.apache.hadoop.hbase.HBaseServerException",
          "org.apache.hadoop.hbase.DoNotRetryIOException",
          "org.apache.hadoop.hbase.exceptions.HBaseException",
          "org.apache.hadoop.hbase.client.RetriesExhaustedException",
          "org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException",
          "org.apache.hadoop.hbase.ipc.RemoteWithExtrasException",
          "org.apache.hadoop.ipc.RemoteException");

  private static final Pattern NAMED =
      Pattern.compile("((?:[a-z][\\w]*\\.)+[A-Z][\\w$]*(?:Exception|Error))(?:: ?|$)");
  private static final Pattern CAUSED_BY = Pattern.compile("^\\s*Caused by: (.*)$");

  /** All of them, from the outermost to the root. */
  static List<Cause> of(Throwable failure) {
    List<Cause> causes = new ArrayList<>();
    collect(failure, causes, Collections.newSetFromMap(new IdentityHashMap<>()));
    return causes;
  }

  private static void collect(Throwable failure, List<Cause> causes, Set<Throwable> seen) {
    if (causes.size() >= MOST || !seen.add(failure)) {
      return;
    }
    Throwable cause = failure.getCause();
    String message = failure.getMessage() == null ? "" : failure.getMessage();
    boolean wraps = cause != null && message.equals(cause.toString());
    causes.add(
        new Cause(
            types(failure.getClass()),
            wraps ? "" : described(message),
            !wraps && failure instanceof EvenkeyFailure && !message.isBlank()));
    if (failure instanceof RemoteException remote && remote.getClassName() != null) {
      causes.add(new Cause(types(remote.getClassName()), described(message), false));
    }
    if (!wraps) {
      collectDescribed(message, causes);
    }
    if (failure instanceof RetriesExhaustedWithDetailsException batch
        && batch.getCauses() != null) {
      batch.getCauses().forEach(one -> collect(one, causes, seen));
    }
    if (cause != null) {
      collect(cause, causes, seen);
    }
  }

  // Servers send their stack traces as messages.
  private static void collectDescribed(String message, List<Cause> causes) {
    boolean first = true;
    for (String line : message.lines().toList()) {
      Matcher next = CAUSED_BY.matcher(line);
      String text = next.matches() ? next.group(1) : first ? line.strip() : "";
      first = false;
      for (Matcher named = NAMED.matcher(text);
          named.lookingAt() && causes.size() < MOST;
          named = NAMED.matcher(text)) {
        text = text.substring(named.end());
        String rest = described(text);
        boolean own = isFailure(named.group(1)) && !rest.isBlank();
        causes.add(new Cause(types(named.group(1)), rest, own));
      }
    }
  }

  private static String described(String message) {
    String text = message;
    for (Matcher named = NAMED.matcher(text);
        named.lookingAt() && named.end() > 0;
        named = NAMED.matcher(text)) {
      text = text.substring(named.end());
    }
    return text;
  }

  private static List<String> types(Class<?> type) {
    List<String> names = new ArrayList<>();
    for (Class<?> one = type; one != null && one != Object.class; one = one.getSuperclass()) {
      names.add(one.getName());
    }
    return names;
  }

  // A class that only the server has is identified by its name.
  private static List<String> types(String name) {
    return found(name).map(Cause::types).orElse(List.of(name));
  }

  private static boolean isFailure(String name) {
    return found(name).filter(EvenkeyFailure.class::isAssignableFrom).isPresent();
  }

  private static Optional<Class<?>> found(String name) {
    try {
      return Optional.of(Class.forName(name, false, Cause.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Whether it is an instance of one of these classes or of their subclasses. */
  boolean isOf(Set<String> classes) {
    return types.stream().anyMatch(classes::contains);
  }

  /** Whether its class describes the failure. */
  boolean isSpecific() {
    return !GENERIC.contains(types.get(0));
  }

  /** Its class, as words. */
  String words() {
    return Text.words(types.get(0));
  }
}
