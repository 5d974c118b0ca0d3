// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.status;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.status.FailureEvents;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.PodEvents;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.status.SetRefusal;
import io.exaplane.operator.status.Words;
import io.exaplane.operator.storeshard.set.OwnSet;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.util.List;
import java.util.Optional;

/** Why the pod of a store is not ready, in words. Asks the API server only when it is asked. */
final class StorePodState {

  private final StoreShard shard;
  private final Context<StoreShard> context;

  StorePodState(StoreShard shard, Context<StoreShard> context) {
    this.shard = shard;
    this.context = context;
  }

  /** What keeps the pod, for the person who has to help. */
  String state() {
    return ofNode().orElseGet(this::ofPod);
  }

  /**
   * What the pod's node has to do with it; asked only while the store does not serve. Of a node
   * that cannot be read nothing is said here.
   */
  private Optional<String> ofNode() {
    return context
        .getSecondaryResource(Pod.class)
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .flatMap(
            pod ->
                Outcomes.of(context)
                    .read(() -> nodes(pod.getSpec().getNodeName()))
                    .flatMap(nodes -> StoreNode.words(shard, pod, nodes.stream().findFirst())));
  }

  private List<Node> nodes(String name) {
    return context.getClient().nodes().withField("metadata.name", name).list().getItems();
  }

  private String ofPod() {
    String name = shard.getMetadata().getName() + "-0";
    Optional<Pod> pod = context.getSecondaryResource(Pod.class);
    if (pod.isEmpty()) {
      return refusal()
          .map(text -> "Pod %s cannot be created: %s".formatted(name, Words.refusedPods(text)))
          .orElseGet(
              () ->
                  "Pod %s does not exist yet; its StatefulSet creates it.%s"
                      .formatted(name, Patience.NO_ACTION));
    }
    boolean leaves = pod.get().getMetadata().getDeletionTimestamp() != null;
    return pod.filter(_ -> !leaves)
        .flatMap(this::trouble)
        .map(text -> "Pod %s: %s".formatted(name, text))
        .orElseGet(
            () ->
                "Pod %s is %s but not ready yet.%s"
                    .formatted(
                        name,
                        leaves ? "Terminating" : pod.get().getStatus().getPhase(),
                        Patience.NO_ACTION));
  }

  /** Why there is no pod: a quota, or another rule of admission. */
  private Optional<String> refusal() {
    return OwnSet.of(shard, context)
        .flatMap(set -> FailureEvents.latest(context.getClient(), set, SetRefusal.REFUSED))
        .map(Words::refusal);
  }

  /** What to look at when the pod is not ready for long. */
  String lookAt() {
    return context
        .getSecondaryResource(Pod.class)
        .map(
            pod ->
                trouble(PodEvents.read(pod, context.getClient()))
                    .orElseGet(() -> PodTrouble.lookAt(pod)))
        .orElseGet(
            () ->
                "see the Events in 'kubectl -n %s describe statefulset %s'"
                    .formatted(shard.getMetadata().getNamespace(), shard.getMetadata().getName()));
  }

  /** What keeps the pod, and what Events say of the claim that it waits for. */
  private Optional<String> trouble(Pod pod) {
    Optional<PersistentVolumeClaim> claim =
        context.getSecondaryResource(PersistentVolumeClaim.class);
    return PodTrouble.of(pod, claim)
        .map(
            text ->
                claim
                    .filter(any -> text.contains("claim " + any.getMetadata().getName() + " is "))
                    .flatMap(any -> PodEvents.ofClaim(context.getClient(), any))
                    .map(said -> text + ". " + said)
                    .orElse(text));
  }
}
