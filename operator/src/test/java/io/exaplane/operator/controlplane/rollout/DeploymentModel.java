// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** A Deployment with surge 1 and nothing unavailable, its controller, and pods; a tick is 1 s. */
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
  boolean paused;
  int tick;
  private int made;
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
    observed &=
        template.equals(applied.template())
            && replicas == applied.replicas()
            && paused == applied.paused();
    template = applied.template();
    replicas = applied.replicas();
    paused = applied.paused();
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
    Optional<Pod> next = paused ? whilePaused() : roll();
    next.ifPresent(pods::add);
    return next;
  }

  /** Scales what is there, and makes no pod of a template that has none. */
  private Optional<Pod> whilePaused() {
    int most = old().isEmpty() || newest().isEmpty() ? replicas : replicas + 1;
    if (pods.size() > most) {
      pods.remove(pods.size() - 1);
    }
    return Optional.empty();
  }

  private Optional<Pod> roll() {
    List<Pod> old = old();
    if (newest().size() > replicas) {
      pods.remove(newest().getLast());
      return Optional.empty();
    }
    int unavailable = (int) newest().stream().filter(pod -> !pod.isReady()).count();
    int removable = pods.size() - replicas - unavailable;
    Optional<Pod> sick = old.stream().filter(pod -> !pod.isReady()).findFirst();
    if (removable > 0 && sick.isPresent()) {
      pods.remove(sick.get());
    } else if (removable > 0 && ready() > replicas && !old.isEmpty()) {
      pods.remove(old.getFirst());
    }
    return newest().size() < replicas && pods.size() < replicas + (old().isEmpty() ? 0 : 1)
        ? Optional.of(new Pod(template))
        : Optional.empty();
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
                paused,
                observed,
                newest().size(),
                pods.size(),
                ready(),
                newest().stream().map(pod -> pod.view(serves)).toList(),
                pods.stream()
                    .max(Comparator.comparingInt((Pod pod) -> pod.created))
                    .map(pod -> pod.view(serves)),
                true)));
  }
}
