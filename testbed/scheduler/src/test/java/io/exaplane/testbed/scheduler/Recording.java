// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** All that happened to nodes and pods, as the API server tells it to a client of its own. */
final class Recording implements AutoCloseable {
  /**
   * What happened.
   *
   * @param object as it is, or was before it went
   */
  record Happened(long version, boolean gone, HasMetadata object) {}

  private final List<Happened> all = new ArrayList<>();
  private final List<Watch> watches = new ArrayList<>();
  private final Map<String, HasMetadata> there = new HashMap<>();
  private final Set<String> bound = new HashSet<>();
  private volatile boolean closed;

  Recording(KubernetesClient client) {
    follow(client.nodes());
    follow(client.pods().inAnyNamespace());
  }

  private <T extends HasMetadata, L extends KubernetesResourceList<T>> void follow(
      AnyNamespaceOperation<T, L, ? extends Resource<T>> kind) {
    L list = kind.list();
    missed(list.getItems());
    String from = list.getMetadata().getResourceVersion();
    Watcher<T> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, T object) {
            if (action != Action.BOOKMARK) {
              record(action == Action.DELETED, object);
            }
          }

          @Override
          public void onClose(WatcherException cause) {
            Thread.ofVirtual().start(() -> again(kind));
          }
        };
    synchronized (all) {
      watches.add(
          kind.watch(
              new ListOptionsBuilder().withResourceVersion(from).withTimeoutSeconds(3000L).build(),
              watcher));
    }
  }

  /** A server that comes back knows nothing of what it told before. */
  private <T extends HasMetadata, L extends KubernetesResourceList<T>> void again(
      AnyNamespaceOperation<T, L, ? extends Resource<T>> kind) {
    while (!closed) {
      try {
        follow(kind);
        return;
      } catch (KubernetesClientException e) {
        try {
          Thread.sleep(200);
        } catch (InterruptedException interrupted) {
          return;
        }
      }
    }
  }

  private void missed(List<? extends HasMetadata> now) {
    synchronized (all) {
      for (HasMetadata object : now) {
        HasMetadata known = there.get(key(object));
        if (known == null || version(known) < version(object)) {
          record(false, object);
        }
      }
    }
  }

  private void record(boolean gone, HasMetadata object) {
    // Most of what an object takes, and nobody asks for it.
    object.getMetadata().setManagedFields(List.of());
    synchronized (all) {
      all.add(new Happened(version(object), gone, object));
      if (gone) {
        there.remove(key(object));
      } else {
        there.put(key(object), object);
      }
      if (object instanceof Pod pod && pod.getSpec().getNodeName() != null) {
        bound.add(pod.getMetadata().getUid());
      }
    }
  }

  private static String key(HasMetadata object) {
    String name = object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    return (object instanceof Node ? "node " : object instanceof Pod ? "pod " : "") + name;
  }

  private static long version(HasMetadata object) {
    return Long.parseLong(object.getMetadata().getResourceVersion());
  }

  /** How many pods were seen on a node. */
  long bound() {
    synchronized (all) {
      return bound.size();
    }
  }

  /** How many of a kind that are there now are such. */
  <T extends HasMetadata> long count(Class<T> kind, Predicate<T> such) {
    synchronized (all) {
      return there.values().stream().filter(kind::isInstance).map(kind::cast).filter(such).count();
    }
  }

  /** So far, in the order in which it happened. */
  List<Happened> soFar() {
    synchronized (all) {
      return all.stream().sorted(Comparator.comparingLong(Happened::version)).toList();
    }
  }

  @Override
  public void close() {
    closed = true;
    synchronized (all) {
      watches.forEach(Watch::close);
    }
  }
}
