package io.evenkey.client.gather;

import java.util.ArrayList;
import java.util.List;

/**
 * The way to one server, on which a scan has only so many requests at once: more would only wait
 * there, before other scans' requests. Who holds least goes first. Thread-safe.
 */
final class Lane {
  private final List<Feed> waiting = new ArrayList<>();
  private final String server;
  private int free;

  Lane(String server, int requestsAtOnce) {
    this.server = server;
    this.free = requestsAtOnce;
  }

  /** Where it leads. */
  String server() {
    return server;
  }

  /** Lets a feed {@link Feed#go go} now, or when there is room. It has to {@link #leave} again. */
  void enter(Feed feed) {
    synchronized (this) {
      if (free == 0) {
        waiting.add(feed);
        return;
      }
      free--;
    }
    feed.go();
  }

  /** Makes room for another. */
  void leave() {
    Feed next;
    synchronized (this) {
      if (waiting.isEmpty()) {
        free++;
        return;
      }
      int least = 0;
      for (int i = 1; i < waiting.size(); i++) {
        if (waiting.get(i).heldBytes() < waiting.get(least).heldBytes()) {
          least = i;
        }
      }
      next = waiting.remove(least);
    }
    next.go();
  }

  /** Whether others wait. */
  synchronized boolean isCrowded() {
    return !waiting.isEmpty();
  }
}
