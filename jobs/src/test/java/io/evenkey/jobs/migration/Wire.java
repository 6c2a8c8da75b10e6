/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A connection to a server on this computer that can be cut, and restored. */
final class Wire implements Closeable {
  private final ServerSocket listening;
  private final int server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean cut;

  private Wire(int server) throws IOException {
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    this.server = server;
  }

  /** A wire to a port. */
  static Wire to(int server) throws IOException {
    Wire wire = new Wire(server);
    run(wire::accept);
    return wire;
  }

  /** The address that clients connect to instead. */
  int port() {
    return listening.getLocalPort();
  }

  private static void run(Runnable work) {
    Thread thread = new Thread(work, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        if (cut) {
          client.close();
          continue;
        }
        Socket there = new Socket(InetAddress.getLoopbackAddress(), server);
        open.add(client);
        open.add(there);
        run(() -> carry(client, there));
        run(() -> carry(there, client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void carry(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8_192];
      for (int n = in.read(bytes); n >= 0 && !cut; n = in.read(bytes)) {
        out.write(bytes, 0, n);
        out.flush();
      }
    } catch (IOException e) {
      // One of them has gone.
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  void cut() throws IOException {
    cut = true;
    for (Socket socket : open) {
      socket.close();
    }
  }

  void repair() {
    cut = false;
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
  }
}
