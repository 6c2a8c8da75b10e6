/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.util.Arrays;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.Region;
import org.jspecify.annotations.Nullable;

/**
 * The writes that a thread has under way, innermost last: a coprocessor may write in the middle of
 * another write. Each holds the epoch by which it was allowed until it is given back, exactly once.
 *
 * <p>HBase does not call the hook at the end of a write if another coprocessor fails in a hook
 * before it; what is left then is given back when the operation on the region ends, or when the
 * thread works for the next call, if the other one fails in that hook too.
 */
final class Passes {
  private static final ThreadLocal<Passes> OF_THREAD = ThreadLocal.withInitial(Passes::new);

  // Parallel arrays, so that a write allocates nothing.
  private Object[] works = new Object[4];
  private Gate.Epoch[] epochs = new Gate.Epoch[4];
  private @Nullable NewMarks[] marks = new NewMarks[4];
  private RowClaims.@Nullable OfBatch[] claims = new RowClaims.OfBatch[4];
  private int[] depths = new int[4];
  private int size;
  private int depth;

  /** The call in which the work began; null if there is no work, or no call. */
  private @Nullable RpcCall call;

  private Passes() {}

  static Passes ofThread() {
    return OF_THREAD.get();
  }

  /** An operation of the thread on a region begins. */
  static void begin(Region.Operation operation) {
    Passes passes = ofThread();
    if (passes.call != null) {
      passes.forgetEarlierCall(passes.call);
    }
    if (operation == Region.Operation.BATCH_MUTATE) {
      passes.begin();
    }
  }

  /** The operation of the thread on a region that began last ends, with all that is left of it. */
  static void end(Region.Operation operation) {
    if (operation == Region.Operation.BATCH_MUTATE) {
      ofThread().end();
    }
  }

  private void forgetEarlierCall(RpcCall earlier) {
    RpcCall now = currentCall();
    // HBase has none for what a coprocessor does as the server's user in the middle of a call.
    if (now != null && now != earlier) {
      depth = 0;
      giveBackRest();
      call = null;
    }
  }

  private static @Nullable RpcCall currentCall() {
    return RpcServer.getCurrentCall().orElse(null);
  }

  /** An operation on a region begins. */
  void begin() {
    if (call == null) {
      call = currentCall();
    }
    depth++;
  }

  /** The operation on a region that began last ends, with all that is left of it. */
  void end() {
    try {
      giveBackRest();
    } finally {
      depth--;
      endCall();
    }
  }

  private void endCall() {
    if (depth == 0 && size == 0) {
      call = null;
    }
  }

  /** The work that was held last and is not given back; null if there is none. */
  @Nullable Object last() {
    return size == 0 ? null : works[size - 1];
  }

  /** Gives back what is left of work in the present operation, or outside of any. */
  void giveBackRest() {
    while (size > 0 && depths[size - 1] >= depth) {
      pop(size - 1);
    }
  }

  /** Holds an epoch for a piece of work, known by its identity. */
  void hold(Object work, Gate.Epoch epoch) {
    hold(work, epoch, null, null);
  }

  /** Holds an epoch for work that leaves marks, or has claimed rows. */
  void hold(
      Object work, Gate.Epoch epoch, @Nullable NewMarks made, RowClaims.@Nullable OfBatch claimed) {
    if (call == null) {
      call = currentCall();
    }
    if (size == works.length) {
      works = Arrays.copyOf(works, 2 * size);
      epochs = Arrays.copyOf(epochs, 2 * size);
      marks = Arrays.copyOf(marks, 2 * size);
      claims = Arrays.copyOf(claims, 2 * size);
      depths = Arrays.copyOf(depths, 2 * size);
    }
    works[size] = work;
    epochs[size] = epoch;
    marks[size] = made;
    claims[size] = claimed;
    depths[size] = depth;
    size++;
  }

  /** The marks of work that is under way; null if it makes none. */
  @Nullable NewMarks marks(Object work) {
    for (int i = size - 1; i >= 0; i--) {
      if (works[i] == work) {
        return marks[i];
      }
    }
    return null;
  }

  /** Gives back what this work holds; nothing if it holds nothing. */
  void giveBack(Object work) {
    for (int i = size - 1; i >= 0; i--) {
      if (works[i] == work) {
        pop(i);
        return;
      }
    }
  }

  private void pop(int index) {
    Gate.Epoch epoch = epochs[index];
    RowClaims.OfBatch claimed = claims[index];
    int after = size - index - 1;
    System.arraycopy(works, index + 1, works, index, after);
    System.arraycopy(epochs, index + 1, epochs, index, after);
    System.arraycopy(marks, index + 1, marks, index, after);
    System.arraycopy(claims, index + 1, claims, index, after);
    System.arraycopy(depths, index + 1, depths, index, after);
    size--;
    // The thread lives long, and the work should not.
    works[size] = null;
    epochs[size] = null;
    marks[size] = null;
    claims[size] = null;
    endCall();
    try {
      if (claimed != null) {
        claimed.giveBack();
      }
    } finally {
      epoch.leave();
    }
  }
}
