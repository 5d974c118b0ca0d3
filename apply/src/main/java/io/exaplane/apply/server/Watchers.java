// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.server;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of their own for watches: a kube-apiserver takes 100 requests at once on one
 * connection, and watches never end. Thread-safe.
 */
final class Watchers implements AutoCloseable {
  /** Watches on one connection, at most. */
  private static final int MOST = 80;

  private final Config config;
  private final List<Connection> connections = new ArrayList<>();
  private boolean closed;

  /** A client and how many watches it has; guarded by the list. */
  static final class Connection {
    private final KubernetesClient client;
    private int watches;

    private Connection(KubernetesClient client) {
      this.client = client;
    }

    KubernetesClient client() {
      return client;
    }
  }

  Watchers(Config config) {
    this.config = config;
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
      Connection added = new Connection(new KubernetesClientBuilder().withConfig(config).build());
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
      connections.forEach(one -> one.client().close());
    }
  }
}
