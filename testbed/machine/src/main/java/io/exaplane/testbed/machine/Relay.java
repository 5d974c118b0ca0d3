// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * A way to a server of this machine that a test can cut, mend, and lead to another server. Any
 * thread.
 */
public final class Relay implements AutoCloseable {
  private static final int BACKLOG = 200;
  private static final int BUFFER_BYTES = 64 << 10;
  private static final long PAUSE_NS = 50_000_000;

  private final ServerSocket listener;
  private final IntSupplier server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean isCut;

  private Relay(ServerSocket listener, IntSupplier server) {
    this.listener = listener;
    this.server = server;
  }

  /**
   * From a free port of an address to a port of 127.0.0.1.
   *
   * @param server asked for each new connection; established ones stay where they are
   */
  public static Relay to(InetAddress from, IntSupplier server) throws IOException {
    Relay relay = new Relay(new ServerSocket(0, BACKLOG, from), server);
    Thread.ofVirtual().name("relay").start(relay::accept);
    return relay;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Ends all connections, and each new one at once. */
  public void cut() throws IOException {
    isCut = true;
    for (Socket socket : open) {
      socket.close();
    }
  }

  public void mend() {
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
          // This connection is lost; an error would end all others, too.
          System.err.println("the relay goes on: " + e);
          LockSupport.parkNanos(PAUSE_NS);
        }
      }
    }
  }

  private void join(Socket client) {
    try (client) {
      if (isCut) {
        return;
      }
      try (Socket other = new Socket(InetAddress.getLoopbackAddress(), server.getAsInt())) {
        open.add(other);
        client.setTcpNoDelay(true);
        other.setTcpNoDelay(true);
        Thread back = Thread.ofVirtual().start(() -> copy(other, client));
        copy(client, other);
        back.join();
        open.remove(other);
      }
    } catch (IOException e) {
      // The server is not there: the client sees a connection that closes, and dials anew.
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
      // It was cut, or a process was killed; the other end learns of it by the end of the
      // connection.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    cut();
  }
}
