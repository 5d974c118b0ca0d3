// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;

/** Pods and looks for tests. */
public final class Looks {
  public static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");

  private Looks() {}

  /** A pod that the kubelet holds back after that many restarts. */
  public static Pod waits(String name, Instant created, int restarts, Instant lastEnd) {
    return pod(
        name,
        created,
        "containerStatuses: [{name: main, restartCount: %d, ready: false, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {exitCode: 1, reason: Error, message: 'no store', finishedAt: \"%s\"}}}]"
            .formatted(restarts, lastEnd));
  }

  /** A pod that is ready, since then. */
  public static Pod ready(String name, Instant created, int restarts, Instant since) {
    return pod(
        name,
        created,
        "conditions: [{type: Ready, status: 'True', lastTransitionTime: \"%s\"}], containerStatuses: [{name: main, restartCount: %d, ready: true, state: {running: {}}%s}]"
            .formatted(
                since,
                restarts,
                restarts == 0
                    ? ""
                    : ", lastState: {terminated: {exitCode: 137, finishedAt: \"%s\"}}"
                        .formatted(since.minusSeconds(5))));
  }

  /** A pod whose container runs and is not ready. */
  public static Pod starts(String name, Instant created) {
    return pod(
        name,
        created,
        "containerStatuses: [{name: main, restartCount: 0, ready: false, state: {running: {}}}]");
  }

  private static Pod pod(String name, Instant created, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: ns, uid: uid-%s, resourceVersion: "7", creationTimestamp: "%s"}
        spec: {containers: [{name: main, image: i}]}
        status: {phase: Running, %s}
        """
            .formatted(name, name, created, status),
        Pod.class);
  }

  static ComponentLook component(Dependency dependency, int replicas, Pod... pods) {
    return new ComponentLook(
        "kube-apiserver",
        replicas,
        List.of(pods).stream().map(PodLook::of).toList(),
        dependency,
        ComponentLook.Turns.ONE_STARTS);
  }
}
