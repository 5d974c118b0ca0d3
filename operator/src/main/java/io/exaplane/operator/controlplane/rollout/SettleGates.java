// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import io.exaplane.api.duration.Durations;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.operator.controlplane.rollout.ComponentView.PodView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Whether new pods have settled: each gate that is closed, by the pod that is furthest from it.
 * Pure.
 */
final class SettleGates {
  /**
   * A server that has been ready for so long, and whose metrics the operator cannot read, is held
   * no longer: pods may be out of its reach for good.
   */
  static final Duration METRICS_PATIENCE = Duration.ofMinutes(1);

  private SettleGates() {}

  /**
   * The closed ones.
   *
   * @param pods the newest ones
   * @param serve whether they are kube-apiservers
   */
  static List<Figure> closed(
      RolloutPolicy policy, Collection<PodView> pods, boolean serve, Instant now) {
    List<Figure> closed = new ArrayList<>();
    minReady(policy, pods, now).ifPresent(closed::add);
    if (!serve) {
      return closed;
    }
    metrics(pods, now).ifPresent(closed::add);
    caches(pods).ifPresent(closed::add);
    above(
            pods,
            ServerLoad::requestP99Millis,
            policy.requestP99().toMillis(),
            RolloutGate.RequestP99,
            "ms",
            "the 99th percentile of its requests is")
        .ifPresent(closed::add);
    above(
            pods,
            ServerLoad::inflightPercent,
            policy.inflightPercent(),
            RolloutGate.RequestsInFlight,
            "%",
            "the share of its request limit that is in use is")
        .ifPresent(closed::add);
    above(
            pods,
            ServerLoad::relistsPerSecond,
            policy.relistsPerSecond(),
            RolloutGate.Relists,
            "/s",
            "LISTs come at")
        .ifPresent(closed::add);
    return closed;
  }

  private static Optional<Figure> minReady(
      RolloutPolicy policy, Collection<PodView> pods, Instant now) {
    String limit = Durations.text(policy.minReady());
    Optional<PodView> unready = pods.stream().filter(pod -> pod.readySince().isEmpty()).findFirst();
    if (unready.isPresent()) {
      return Optional.of(
          Figure.of(
              RolloutGate.MinReady,
              "0s",
              limit,
              "pod %s is not ready".formatted(unready.get().name())));
    }
    return pods.stream()
        .filter(pod -> now.isBefore(pod.readySince().get().plus(policy.minReady())))
        .max((one, other) -> one.readySince().get().compareTo(other.readySince().get()))
        .map(
            pod ->
                new Figure(
                    RolloutGate.MinReady,
                    "0s",
                    limit,
                    pod.readySince(),
                    Optional.of(pod.readySince().get().plus(policy.minReady())),
                    "pod %s has to be ready for %s".formatted(pod.name(), limit)));
  }

  private static Optional<Figure> metrics(Collection<PodView> pods, Instant now) {
    long read = pods.stream().filter(pod -> pod.load().isPresent()).count();
    return pods.stream()
        .filter(pod -> pod.readySince().isPresent() && pod.load().isEmpty())
        .filter(pod -> now.isBefore(pod.readySince().get().plus(METRICS_PATIENCE)))
        .findFirst()
        .map(
            pod ->
                new Figure(
                    RolloutGate.MetricsRead,
                    Long.toString(read),
                    Integer.toString(pods.size()),
                    pod.readySince(),
                    Optional.of(pod.readySince().get().plus(METRICS_PATIENCE)),
                    "the metrics of pod %s are not read yet".formatted(pod.name())));
  }

  private static Optional<Figure> caches(Collection<PodView> pods) {
    return pods.stream()
        .filter(pod -> pod.load().filter(load -> load.cachesReady() < load.caches()).isPresent())
        .findFirst()
        .map(
            pod ->
                Figure.of(
                    RolloutGate.WatchCaches,
                    Integer.toString(pod.load().get().cachesReady()),
                    Integer.toString(pod.load().get().caches()),
                    "watch caches of pod %s are not initialised".formatted(pod.name())));
  }

  private static Optional<Figure> above(
      Collection<PodView> pods,
      ToLongFunction<ServerLoad> figure,
      long limit,
      RolloutGate gate,
      String unit,
      String what) {
    return pods.stream()
        .filter(pod -> pod.load().filter(load -> figure.applyAsLong(load) > limit).isPresent())
        .max(
            (one, other) ->
                Long.compare(
                    figure.applyAsLong(one.load().get()), figure.applyAsLong(other.load().get())))
        .map(
            pod ->
                Figure.of(
                    gate,
                    figure.applyAsLong(pod.load().get()) + unit,
                    limit + unit,
                    "pod %s: %s more than %d%s".formatted(pod.name(), what, limit, unit)));
  }
}
