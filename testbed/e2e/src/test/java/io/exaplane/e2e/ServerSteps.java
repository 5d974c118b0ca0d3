// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of a control plane's new kube-apiservers while this was open, in order: {@code 1
 * created}, {@code 1 ready}, and so on. Thread-safe.
 */
final class ServerSteps implements ResourceEventHandler<Pod>, AutoCloseable {
  private final Set<String> before;
  private final List<String> fresh = new ArrayList<>();
  private final Set<String> steps = new LinkedHashSet<>();
  private final SharedIndexInformer<Pod> informer;

  ServerSteps(WindowedPlane plane) {
    before = WindowedPlane.uids(plane.servers());
    informer =
        Bed.CLIENT
            .pods()
            .inNamespace(plane.namespace)
            .withLabel("exaplane.io/control-plane", plane.name)
            .withLabel("app.kubernetes.io/component", WindowedPlane.SERVER)
            .inform(this);
  }

  /** When so many were replaced one by one, each after the one before was ready. */
  static List<String> oneByOne(int servers) {
    List<String> steps = new ArrayList<>();
    for (int number = 1; number <= servers; number++) {
      steps.add(number + " created");
      steps.add(number + " ready");
    }
    return steps;
  }

  @Override
  public void onAdd(Pod pod) {
    note(pod);
  }

  @Override
  public void onUpdate(Pod earlier, Pod pod) {
    note(pod);
  }

  @Override
  public void onDelete(Pod pod, boolean finalStateUnknown) {
    // Old ones go, and new ones are counted already.
  }

  private synchronized void note(Pod pod) {
    String uid = pod.getMetadata().getUid();
    if (before.contains(uid)) {
      return;
    }
    if (!fresh.contains(uid)) {
      fresh.add(uid);
    }
    int number = fresh.indexOf(uid) + 1;
    steps.add(number + " created");
    if (isReady(pod)) {
      steps.add(number + " ready");
    }
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus() != null
        && pod.getStatus().getConditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  synchronized List<String> all() {
    return List.copyOf(steps);
  }

  @Override
  public void close() {
    informer.close();
  }
}
