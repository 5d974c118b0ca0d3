// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * A Deployment, its controller as rolling.go and sync.go of Kubernetes have it, and pods; a tick is
 * 1 s. The controller goes by what was available a second ago.
 */
final class DeploymentModel {
  /** A pod. A template's name says how its pods fare. */
  final class Pod {
    final String name = "p" + ++made;
    final String template;
    final int created = tick;
    final int readyAfter;
    final int calmAfter;
    boolean wasSettled;
    boolean ended;

    Pod(String template) {
      this.template = template;
      this.readyAfter =
          switch (kind()) {
            case "crash" -> Integer.MAX_VALUE / 2;
            case "slow" -> 200;
            case "late" -> of(template).isEmpty() ? 3 : Integer.MAX_VALUE / 2;
            default -> 3 + random.nextInt(6);
          };
      this.calmAfter =
          !serves ? 0 : kind().equals("hot") ? Integer.MAX_VALUE / 2 : random.nextInt(20);
    }

    private String kind() {
      return template.replaceFirst("-.*", "");
    }

    boolean isReady() {
      return tick >= created + readyAfter;
    }

    int readyFor() {
      return tick - created - readyAfter;
    }

    boolean isSettled() {
      return isReady() && readyFor() >= MIN_READY && readyFor() >= calmAfter;
    }

    ComponentView.PodView view(boolean serves) {
      boolean measured = serves && readyFor() >= 2;
      return new ComponentView.PodView(
          name,
          isReady() ? Optional.of(at(created + readyAfter)) : Optional.empty(),
          measured
              ? Optional.of(new ServerLoad(9, 9, readyFor() >= calmAfter ? 20 : 5_000, 5, 1))
              : Optional.empty(),
          isReady() ? Optional.empty() : Optional.of("container ended: bad flag"));
    }
  }

  static final int MIN_READY = 10;

  final String component;
  final boolean serves;
  final Random random;
  final List<Pod> pods = new ArrayList<>();
  String template;
  int replicas;
  Hold hold = Hold.NONE;
  int tick;
  private final Set<String> neverAvailable = new HashSet<>();
  private final Map<String, Integer> available = new HashMap<>();
  private int made;
  private int refused;
  private boolean observed = true;

  DeploymentModel(String component, boolean serves, int replicas, Random random) {
    this.component = component;
    this.serves = serves;
    this.replicas = replicas;
    this.random = random;
    this.template = "good-0";
    for (int i = 0; i < replicas; i++) {
      pods.add(new Pod(template));
    }
    tick = 60;
  }

  static Instant at(int tick) {
    return Instant.EPOCH.plusSeconds(tick);
  }

  List<Pod> newest() {
    return pods.stream().filter(pod -> pod.template.equals(template)).toList();
  }

  List<Pod> old() {
    return pods.stream().filter(pod -> !pod.template.equals(template)).toList();
  }

  int ready() {
    return (int) pods.stream().filter(Pod::isReady).count();
  }

  boolean isComplete() {
    return old().isEmpty() && pods.size() == replicas && pods.stream().allMatch(Pod::isReady);
  }

  void apply(RolloutPlan.Applied applied) {
    if (applied.hold().counts()) {
      assertThat(applied.hold().allowed() + applied.hold().surge())
          .as("the API server refuses maxSurge 0 with maxUnavailable 0")
          .isPositive();
    }
    observed &=
        template.equals(applied.template())
            && replicas == applied.replicas()
            && hold.equals(applied.hold());
    template = applied.template();
    replicas = applied.replicas();
    hold = applied.hold();
  }

  /**
   * One second of Kubernetes.
   *
   * @return the pod that was made, if one was
   */
  Optional<Pod> second() {
    tick++;
    pods.forEach(pod -> pod.wasSettled |= pod.isSettled());
    observed = true;
    boolean isThere = !newest().isEmpty();
    if (isThere || !hold.paused()) {
      countAvailable();
    }
    Optional<Pod> next = hold.paused() ? whilePaused() : roll();
    if (next.isPresent() && template.startsWith("refused")) {
      refused++;
      return Optional.empty();
    }
    next.ifPresent(pods::add);
    pods.stream()
        .map(pod -> pod.template)
        .distinct()
        .forEach(each -> available.put(each, availableNow(each)));
    return next;
  }

  /** The newest ReplicaSet gets the Deployment's minReadySeconds; older ones keep theirs. */
  private void countAvailable() {
    if (hold.counts()) {
      neverAvailable.add(template);
    } else {
      neverAvailable.remove(template);
    }
  }

  private int availableNow(String of) {
    return neverAvailable.contains(of)
        ? 0
        : (int) pods.stream().filter(pod -> pod.template.equals(of) && pod.isReady()).count();
  }

  private int available(String of) {
    return available.getOrDefault(of, 0);
  }

  private int available() {
    return pods.stream().map(pod -> pod.template).distinct().mapToInt(this::available).sum();
  }

  /** Scales what is there, and makes no pod of a template that has none. */
  private Optional<Pod> whilePaused() {
    int kinds = (int) pods.stream().map(pod -> pod.template).distinct().count();
    if (kinds > 1 && newest().size() == replicas && available(template) == replicas) {
      pods.removeAll(old());
    }
    scaleDown(kinds == 1 ? replicas : replicas + hold.surge());
    return Optional.empty();
  }

  private void scaleDown(int most) {
    while (pods.size() > most) {
      pods.remove(firstToGo(pods));
    }
  }

  /** As the ReplicaSet's controller chooses: not ready before ready, young before old. */
  private static Pod firstToGo(List<Pod> of) {
    return of.stream()
        .min(Comparator.comparing(Pod::isReady).thenComparing(pod -> -pod.created))
        .orElseThrow();
  }

  private Optional<Pod> roll() {
    scaleDown(replicas + hold.surge());
    if (newest().size() > replicas) {
      pods.remove(firstToGo(newest()));
      return Optional.empty();
    }
    if (newest().size() < replicas && pods.size() < replicas + hold.surge()) {
      return Optional.of(new Pod(template));
    }
    int least = replicas - (hold.counts() ? Math.min(hold.allowed(), replicas) : 0);
    int most = pods.size() - least - (newest().size() - available(template));
    if (most > 0 && !old().isEmpty()) {
      endOld(most, least);
    }
    return Optional.empty();
  }

  private void endOld(int most, int least) {
    int left = most;
    for (String each : old().stream().map(pod -> pod.template).distinct().toList()) {
      int sick = of(each).size() - available(each);
      for (; sick > 0 && left > 0; sick--, left--) {
        pods.remove(firstToGo(of(each)));
      }
    }
    int more = available() - least;
    for (; more > 0 && !old().isEmpty(); more--) {
      Pod first = old().getFirst();
      pods.remove(firstToGo(of(first.template)));
    }
  }

  private List<Pod> of(String each) {
    return pods.stream().filter(pod -> pod.template.equals(each)).toList();
  }

  ComponentView view(String wanted, boolean isBack, int desired) {
    return new ComponentView(
        component,
        serves,
        wanted,
        isBack,
        desired,
        Optional.of(
            new ComponentView.Live(
                template,
                replicas,
                hold,
                observed,
                newest().size(),
                pods.size(),
                ready(),
                available(),
                newest().stream().map(pod -> pod.view(serves)).toList(),
                pods.stream()
                    .max(Comparator.comparingInt((Pod pod) -> pod.created))
                    .map(pod -> pod.view(serves)),
                true,
                refused > 0 && template.startsWith("refused")
                    ? Optional.of("exceeded quota: pods")
                    : Optional.empty())));
  }
}
