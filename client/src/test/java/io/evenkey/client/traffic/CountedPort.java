/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.traffic;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port on 127.0.0.1 that leads to another one, and counts the connections made to it: those of
 * one client to ZooKeeper. Thread-safe.
 */
public final class CountedPort implements AutoCloseable {
  private final ServerSocket server;
  private final int to;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger made = new AtomicInteger();
  private final AtomicInteger now = new AtomicInteger();

  private CountedPort(ServerSocket server, int to) {
    this.server = server;
    this.to = to;
  }

  /** Opens a port that leads to this one. */
  public static CountedPort to(int port) throws IOException {
    CountedPort made =
        new CountedPort(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
    start(made::accept);
    return made;
  }

  private static void start(Runnable run) {
    Thread thread = new Thread(run, "counted-port");
    thread.setDaemon(true);
    thread.start();
  }

  /** Its number. */
  public int port() {
    return server.getLocalPort();
  }

  /** The number of connections that were made so far. */
  public int made() {
    return made.get();
  }

  /** The number of open connections. */
  public int open() {
    return now.get();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        made.incrementAndGet();
        now.incrementAndGet();
        open.add(client);
        Socket behind = new Socket(InetAddress.getLoopbackAddress(), to);
        open.add(behind);
        start(
            () -> {
              pipe(client, behind);
              now.decrementAndGet();
            });
        start(() -> pipe(behind, client));
      } catch (IOException e) {
        // Closed, or nothing is behind the port: the client sees that its connection ends.
        closeAll();
      }
    }
  }

  private void pipe(Socket from, Socket into) {
    byte[] bytes = new byte[8192];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
        out.write(bytes, 0, read);
      }
    } catch (IOException e) {
      // The other direction has closed them.
    }
    open.remove(from);
    open.remove(into);
  }

  private void closeAll() {
    for (Socket socket : open) {
      try {
        socket.close();
      } catch (IOException e) {
        // Closed already.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    closeAll();
  }
}
