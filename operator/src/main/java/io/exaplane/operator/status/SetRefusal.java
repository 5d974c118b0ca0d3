// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Why a StatefulSet has fewer pods than it should: a quota, a policy or a webhook refuses them.
 * Only Events tell; the answer is carried with the StatefulSet as the condition that a Deployment
 * has. Thread-safe: keeps nothing.
 */
public final class SetRefusal {
  /** Reason of the Event that tells of a pod that was refused. */
  public static final Set<String> REFUSED = Set.of("FailedCreate");

  private static final String CONDITION = "ReplicaFailure";

  private SetRefusal() {}

  /** The same StatefulSet; one that lacks pods carries why. */
  public static StatefulSet read(StatefulSet set, KubernetesClient client) {
    return lacksPods(set)
        ? FailureEvents.latest(client, set, REFUSED).map(text -> with(set, text)).orElse(set)
        : set;
  }

  /** What was read, with the next action. */
  public static Optional<String> of(StatefulSet set) {
    return set.getStatus() == null || set.getStatus().getConditions() == null
        ? Optional.empty()
        : set.getStatus().getConditions().stream()
            .filter(condition -> CONDITION.equals(condition.getType()))
            .map(
                condition ->
                    "StatefulSet %s cannot create its pods: %s"
                        .formatted(
                            set.getMetadata().getName(), Words.refusedPods(condition.getMessage())))
            .findFirst();
  }

  private static boolean lacksPods(StatefulSet set) {
    int wanted = Objects.requireNonNullElse(set.getSpec().getReplicas(), 1);
    return set.getStatus() != null
        && Objects.requireNonNullElse(set.getStatus().getReplicas(), 0) < wanted;
  }

  private static StatefulSet with(StatefulSet set, String text) {
    StatefulSetCondition condition = new StatefulSetCondition();
    condition.setType(CONDITION);
    condition.setStatus("True");
    condition.setReason("FailedCreate");
    condition.setMessage(Words.refusal(text));
    return new StatefulSetBuilder(set)
        .editOrNewStatus()
        .addToConditions(condition)
        .endStatus()
        .build();
  }
}
