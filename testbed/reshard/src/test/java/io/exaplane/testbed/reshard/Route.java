// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands for the route's Service: an address whose new connections go to the store that is
 * selected, while established ones stay where they are. Any thread.
 */
final class Route implements AutoCloseable {
  private static final int BACKLOG = 200;
  private static final int BUFFER_BYTES = 64 << 10;

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile Store selected;

  private Route(ServerSocket listener, Store selected) {
    this.listener = listener;
    this.selected = selected;
  }

  static Route to(Store first) throws IOException {
    Route route = new Route(new ServerSocket(0, BACKLOG, InetAddress.getByName("::1")), first);
    Thread.ofVirtual().name("route").start(route::accept);
    return route;
  }

  String url() {
    return "https://[::1]:" + listener.getLocalPort();
  }

  void select(Store store) {
    selected = store;
  }

  Store selected() {
    return selected;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Thread.ofVirtual().start(() -> join(client));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new IllegalStateException("the route accepts no more connections", e);
        }
      }
    }
  }

  private void join(Socket client) {
    try (client;
        Socket store = new Socket(InetAddress.getLoopbackAddress(), selected.port())) {
      open.add(store);
      client.setTcpNoDelay(true);
      store.setTcpNoDelay(true);
      Thread back = Thread.ofVirtual().start(() -> copy(store, client));
      copy(client, store);
      back.join();
      open.remove(store);
    } catch (IOException e) {
      // The store is not there: the client sees a connection that closes, and dials anew.
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
      // A killed process; whoever has the other end learns of it by the end of the connection.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }
}
