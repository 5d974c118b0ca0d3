// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A way to a server of this machine that a test can cut and mend. Any thread. */
final class Wire implements AutoCloseable {
  private static final int BACKLOG = 50;
  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket listener;
  private final int server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;

  private Wire(ServerSocket listener, int server) {
    this.listener = listener;
    this.server = server;
  }

  /** To a port of 127.0.0.1. */
  static Wire to(int server) throws IOException {
    Wire wire = new Wire(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), server);
    Thread.ofVirtual().name("wire").start(wire::accept);
    return wire;
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Ends all connections, and each new one at once. */
  void cut() throws IOException {
    isCut = true;
    for (Socket socket : open) {
      socket.close();
    }
  }

  void mend() {
    isCut = false;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> join(client));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new IllegalStateException("the wire accepts no more connections", e);
        }
      }
    }
  }

  private void join(Socket client) {
    try (client) {
      if (isCut) {
        return;
      }
      try (Socket other = new Socket(InetAddress.getLoopbackAddress(), server)) {
        open.add(other);
        client.setTcpNoDelay(true);
        other.setTcpNoDelay(true);
        Thread back = Thread.ofVirtual().start(() -> copy(other, client));
        copy(client, other);
        back.join();
        open.remove(other);
      }
    } catch (IOException e) {
      // The server is not there: the client sees a connection that closes.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  /** Copies until one end is gone, and then ends the other one. */
  private static void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // The wire was cut; whoever has the other end learns of it by the end of the connection.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
