/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hooks;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Makes hooks fail. */
public final class Faults {
  private Faults() {}

  /** What may be thrown in a hook, of each kind one. */
  public static List<Throwable> kinds() {
    return List.of(
        new NoClassDefFoundError("com/example/Missing"),
        new NoSuchMethodError("org.example.Bytes.gone()"),
        new AbstractMethodError("org.example.Filter.added()"),
        new ExceptionInInitializerError("static"),
        new StackOverflowError(),
        new AssertionError("failed"),
        new IllegalStateException("unchecked"),
        new InstantiationException("checked"));
  }

  /** Throws it, checked or not. */
  @SuppressWarnings({"unchecked", "DoNotCallSuggester"})
  static <E extends Throwable> void raise(Throwable fault) throws E {
    throw (E) fault;
  }

  /**
   * Makes a hook fail when it is called next for a table.
   *
   * @param first whether it fails before its body, and not after it
   */
  public static Fault arm(String hook, String table, boolean first, Throwable thrown) {
    Fault fault = new Fault(hook, " table=" + table, first, thrown);
    Hooks.interference = fault;
    return fault;
  }

  /** A failure of one hook, once, until it is closed. */
  public static final class Fault implements Hooks.Interference, AutoCloseable {
    private final String hook;
    private final String table;
    private final boolean first;
    private final Throwable thrown;
    private final AtomicBoolean raised = new AtomicBoolean();

    private Fault(String hook, String table, boolean first, Throwable thrown) {
      this.hook = hook;
      this.table = table;
      this.first = first;
      this.thrown = thrown;
    }

    /** Whether the hook was called, and has failed. */
    public boolean raised() {
      return raised.get();
    }

    @Override
    public void before(String called, @Nullable Object subject) {
      if (first) {
        raise(called, subject);
      }
    }

    @Override
    public void after(String called, @Nullable Object subject) {
      if (!first) {
        raise(called, subject);
      }
    }

    private void raise(String called, @Nullable Object subject) {
      boolean meant = called.equals(hook) && (Hooks.subject(subject) + " ").startsWith(table + " ");
      if (meant && raised.compareAndSet(false, true)) {
        Faults.raise(thrown);
      }
    }

    @Override
    public void close() {
      Hooks.interference = Hooks.NONE;
    }
  }
}
