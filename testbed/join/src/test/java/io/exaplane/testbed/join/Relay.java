// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The address of a control plane with several kube-apiservers: leads each connection to the next
 * one that is listed, and that takes the connection. Any thread.
 */
final class Relay implements AutoCloseable {
  private static final int CONNECT_MS = 2_000;
  private static final int BUFFER = 16_384;

  private final ServerSocket door;
  private final List<Integer> ports = new CopyOnWriteArrayList<>();
  private final AtomicInteger turn = new AtomicInteger();

  private Relay(ServerSocket door) {
    this.door = door;
  }

  /** Listens on all addresses of this machine. */
  static Relay start(int port) throws IOException {
    Relay relay = new Relay(new ServerSocket(port, 200));
    Thread.ofVirtual().start(relay::serve);
    return relay;
  }

  /** From now on, connections may be led to this port of 127.0.0.1. */
  void add(int port) {
    ports.add(port);
  }

  /** No connection is led there any more; those that are stay. */
  void remove(int port) {
    ports.remove(Integer.valueOf(port));
  }

  private void serve() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        Thread.ofVirtual().start(() -> lead(client));
      } catch (IOException e) {
        if (!door.isClosed()) {
          System.err.println("the relay tries again: " + e.getMessage());
        }
      }
    }
  }

  /** The end of one side is the end of both. */
  private void lead(Socket client) {
    try (client;
        Socket server = connect()) {
      Thread back = Thread.ofVirtual().start(() -> copy(server, client));
      copy(client, server);
      back.join();
    } catch (IOException e) {
      System.err.println("the relay drops a connection: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    IOException last = new IOException("no kube-apiserver is listed");
    for (int all = ports.size(); all > 0; all--) {
      List<Integer> now = List.copyOf(ports);
      if (now.isEmpty()) {
        break;
      }
      int port = now.get(Math.floorMod(turn.getAndIncrement(), now.size()));
      Socket server = new Socket();
      try {
        server.connect(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), CONNECT_MS);
        return server;
      } catch (IOException e) {
        server.close();
        last = e;
      }
    }
    throw last;
  }

  private static void copy(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException cut) {
      // Either side may cut the connection at any time.
    } finally {
      close(from);
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      System.err.println("the relay does not close a connection: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
