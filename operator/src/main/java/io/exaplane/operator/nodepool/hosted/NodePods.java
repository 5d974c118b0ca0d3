// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.nodepool.upgrade.Drain;
import io.exaplane.operator.outcome.Refusal;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the pods of a Node to leave, by evictions, which PodDisruptionBudgets may refuse. Pods of
 * DaemonSets, mirrors of static pods, and pods that ended stay: none of them could start elsewhere.
 * A pod without a controller stays, too, since nobody would create another one. Stateless.
 */
final class NodePods {
  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final String DAEMON_SET = "DaemonSet";
  private static final String ALONE =
      "has no controller, so the pod will not be recreated. Delete the pod when its work is done";
  private static final int TOO_MANY_REQUESTS = 429;

  /** The API server answers 500 then, as it does for its own faults. */
  private static final String SEVERAL_BUDGETS = "more than one PodDisruptionBudget";

  /** Of one pod: the words of who refuses, which {@link Refusals} cuts, and the next action. */
  private static final int MOST_WORDS = 1_000;

  private NodePods() {}

  /**
   * Evicts what can be evicted now, and looks what is left.
   *
   * @throws KubernetesClientException if the API does not answer, or has no time
   */
  static Drain drain(String node, KubernetesClient client) {
    List<Pod> leaving =
        client
            .pods()
            .inAnyNamespace()
            .withNewFilter()
            .withField("spec.nodeName", node)
            .withoutField("status.phase", "Succeeded")
            .withoutField("status.phase", "Failed")
            .endFilter()
            .list()
            .getItems()
            .stream()
            .filter(NodePods::isToLeave)
            .toList();
    String obstacle = "";
    boolean needsPerson = false;
    int gone = 0;
    for (Pod pod : leaving) {
      if (pod.getMetadata().getDeletionTimestamp() != null) {
        obstacle = obstacle.isEmpty() ? text(pod, "is being deleted") : obstacle;
      } else if (controller(pod).isEmpty()) {
        obstacle = needsPerson ? obstacle : text(pod, ALONE);
        needsPerson = true;
      } else {
        Optional<String> refusal = evict(pod, client);
        gone += refusal.filter(String::isEmpty).isPresent() ? 1 : 0;
        if (obstacle.isEmpty() && refusal.filter(why -> !why.isEmpty()).isPresent()) {
          obstacle = text(pod, "stays: " + refusal.get());
        }
      }
    }
    return new Drain(leaving.size() - gone, obstacle, needsPerson);
  }

  private static String text(Pod pod, String what) {
    return "Pod %s/%s %s."
        .formatted(
            pod.getMetadata().getNamespace(),
            pod.getMetadata().getName(),
            what.endsWith(".") ? what.substring(0, what.length() - 1) : what);
  }

  private static boolean isToLeave(Pod pod) {
    Map<String, String> annotations = pod.getMetadata().getAnnotations();
    return (annotations == null || !annotations.containsKey(MIRROR))
        && controller(pod).filter(owner -> owner.getKind().equals(DAEMON_SET)).isEmpty();
  }

  private static Optional<OwnerReference> controller(Pod pod) {
    return pod.getMetadata().getOwnerReferences() == null
        ? Optional.empty()
        : pod.getMetadata().getOwnerReferences().stream()
            .filter(owner -> Boolean.TRUE.equals(owner.getController()))
            .findFirst();
  }

  /** Why the pod stays; "" if it is gone already; empty if it leaves. */
  private static Optional<String> evict(Pod pod, KubernetesClient client) {
    Eviction eviction =
        new EvictionBuilder()
            .withNewMetadata()
            .withName(pod.getMetadata().getName())
            .withNamespace(pod.getMetadata().getNamespace())
            .endMetadata()
            .withDeleteOptions(
                new DeleteOptionsBuilder()
                    .withNewPreconditions()
                    .withUid(pod.getMetadata().getUid())
                    .endPreconditions()
                    .build())
            .build();
    try {
      client.raw(
          "/api/v1/namespaces/%s/pods/%s/eviction"
              .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
          "POST",
          eviction);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_NOT_FOUND, HttpURLConnection.HTTP_CONFLICT -> Optional.of("");
        default -> Optional.of(plain(words(e)));
      };
    }
  }

  /** A webhook may refuse with any code, also with that of budgets. */
  private static String words(KubernetesClientException e) {
    Refusal refusal = Refusals.of(e);
    if (!refusal.passes()) {
      return refusal.text();
    }
    if (!isOfBudgets(e)) {
      throw e;
    }
    return refusal.why() + ". Check the PodDisruptionBudgets of its namespace";
  }

  private static boolean isOfBudgets(KubernetesClientException e) {
    return e.getCode() == TOO_MANY_REQUESTS
        || e.getCode() == HttpURLConnection.HTTP_INTERNAL_ERROR
            && e.getStatus() != null
            && e.getStatus().getMessage() != null
            && e.getStatus().getMessage().contains(SEVERAL_BUDGETS);
  }

  /** Whoever has a webhook in the hosted cluster writes into the status of the NodePool. */
  private static String plain(String text) {
    String line = text.replaceAll("[^ -~…]", "?");
    return line.length() <= MOST_WORDS ? line : line.substring(0, MOST_WORDS) + "…";
  }
}
