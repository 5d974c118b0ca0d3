// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.status;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.PoolCondition;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.schedulerpool.observe.PoolObserved;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.PodTrouble;
import io.exaplane.operator.status.SetRefusal;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a pool waits for, once "No action is needed" was said long enough. Pure. */
final class PoolTrouble {
  private final PoolObserved observed;

  PoolTrouble(PoolObserved observed) {
    this.observed = observed;
  }

  /**
   * Since when a condition waits for the same. A rollout of many pods takes long, and goes on for
   * as long as pods are made or become ready.
   */
  Instant since(Condition condition) {
    Instant changed = ConditionSet.since(condition);
    return condition.type().equals(PoolCondition.Progressing.name())
        ? lastProgress().filter(changed::isBefore).orElse(changed)
        : changed;
  }

  private Optional<Instant> lastProgress() {
    return observed.pods().stream()
        .flatMap(PoolTrouble::steps)
        .map(Instant::parse)
        .max(Comparator.naturalOrder());
  }

  private static Stream<String> steps(Pod pod) {
    Stream<String> ready =
        pod.getStatus() == null || pod.getStatus().getConditions() == null
            ? Stream.empty()
            : pod.getStatus().getConditions().stream()
                .filter(condition -> "Ready".equals(condition.getType()))
                .filter(condition -> "True".equals(condition.getStatus()))
                .map(PodCondition::getLastTransitionTime);
    return Stream.concat(Stream.of(pod.getMetadata()).map(m -> m.getCreationTimestamp()), ready)
        .filter(Objects::nonNull);
  }

  /** The trouble of the first pod, by tier, or what to look at. */
  String firstOrLookAt() {
    return first(PodTrouble::of)
        .or(this::refusal)
        .or(() -> first(PodTrouble::lookAt))
        .orElseGet(
            () ->
                "see the conditions and Events in 'kubectl -n %s describe schedulerpool %s' and in 'kubectl -n %s describe statefulsets -l %s'"
                    .formatted(
                        observed.pool().getMetadata().getNamespace(),
                        observed.pool().getMetadata().getName(),
                        observed.pool().getMetadata().getNamespace(),
                        new PoolNames(observed.pool())
                            .labels().entrySet().stream()
                                .map(Objects::toString)
                                .collect(Collectors.joining(","))));
  }

  /** Of the first StatefulSet, by name, whose pods are refused. */
  private Optional<String> refusal() {
    return new TreeMap<>(observed.sets())
        .values().stream().flatMap(set -> SetRefusal.of(set).stream()).findFirst();
  }

  private Optional<String> first(Function<List<Pod>, Optional<String>> trouble) {
    return Stream.of(Tier.values())
        .map(observed::pods)
        .flatMap(pods -> trouble.apply(pods).stream())
        .findFirst();
  }
}
