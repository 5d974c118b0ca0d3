// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Connections of their own for watches: a kube-apiserver takes 100 requests at once on one
 * connection, and watches never end. Thread-safe.
 */
final class Watchers implements AutoCloseable {
  /** Watches on one connection, at most. */
  private static final int MOST = 80;

  private final Supplier<Client> clients;
  private final List<Connection> connections = new ArrayList<>();
  private boolean closed;

  /** A client and how many watches it has; guarded by the list. */
  static final class Connection {
    private final Client client;
    private int watches;

    private Connection(Client client) {
      this.client = client;
    }

    Client client() {
      return client;
    }
  }

  Watchers(Supplier<Client> clients) {
    this.clients = clients;
  }

  /** A connection with room for one more watch. */
  Connection take() {
    synchronized (connections) {
      if (closed) {
        throw new IllegalStateException("the port is closed; open another one");
      }
      for (Connection one : connections) {
        if (one.watches < MOST) {
          one.watches++;
          return one;
        }
      }
      Connection added = new Connection(clients.get());
      added.watches = 1;
      connections.add(added);
      return added;
    }
  }

  void giveBack(Connection connection) {
    synchronized (connections) {
      connection.watches--;
    }
  }

  @Override
  public void close() {
    synchronized (connections) {
      closed = true;
      connections.forEach(one -> one.client().end().run());
    }
  }
}
