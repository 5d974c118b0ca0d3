// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the condition Ready of each Node of a hosted cluster said. An informer may miss a change
 * while it has no connection, but a change that is over is still seen: the time of the last one is
 * in the condition. Threadsafe; one thread follows and closes.
 */
final class NodeHistory implements ResourceEventHandler<Node>, AutoCloseable {
  /**
   * What Ready said from a moment on.
   *
   * @param since its lastTransitionTime
   */
  record Said(String status, String reason, String since) {}

  private final Map<String, Set<Said>> said = new TreeMap<>();
  private KubernetesClient client;
  private SharedIndexInformer<Node> informer;

  /**
   * Looks with this client from now on, and closes the one before, whose credentials may end. This
   * closes the client at its own end.
   */
  void follow(KubernetesClient next) {
    SharedIndexInformer<Node> begun = next.nodes().inform(this);
    close();
    client = next;
    informer = begun;
  }

  /** Takes in what Nodes say at this moment, which the informer may not have seen yet. */
  void look(KubernetesClient now) {
    now.nodes().list().getItems().forEach(this::note);
  }

  private synchronized void note(Node node) {
    node.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .map(c -> new Said(c.getStatus(), c.getReason(), c.getLastTransitionTime()))
        .forEach(
            each ->
                said.computeIfAbsent(node.getMetadata().getName(), _ -> new LinkedHashSet<>())
                    .add(each));
  }

  @Override
  public void onAdd(Node node) {
    note(node);
  }

  @Override
  public void onUpdate(Node before, Node node) {
    note(node);
  }

  @Override
  public synchronized void onDelete(Node node, boolean finalStateUnknown) {
    said.computeIfAbsent(node.getMetadata().getName(), _ -> new LinkedHashSet<>())
        .add(new Said("Deleted", "", ""));
  }

  /** All that a Node said, each once. */
  synchronized List<Said> of(String node) {
    return new ArrayList<>(said.getOrDefault(node, Set.of()));
  }

  /** How often a Node became Ready again. */
  synchronized int returns(String node) {
    long times =
        of(node).stream()
            .filter(each -> each.status().equals("True"))
            .map(Said::since)
            .distinct()
            .count();
    return Math.toIntExact(times) - 1;
  }

  @Override
  public void close() {
    if (informer != null) {
      informer.close();
      client.close();
    }
  }

  @Override
  public synchronized String toString() {
    return said.toString();
  }
}
