// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.fleet;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RolloutTurn;
import io.exaplane.api.v1alpha1.RolloutTurn.State;
import io.exaplane.operator.config.FleetConfig;
import io.exaplane.operator.controlplane.fleet.Places.Member;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.inbound.SimpleInboundEventSource;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Lets a few control planes replace pods at a time, the one that waits longest next. What counts is
 * in the statuses: a place is written before it is used, so that the next leader goes on with the
 * same places. Here is only what this leader decided and caches do not show yet. Thread-safe.
 */
@Singleton
public class RolloutQueue {
  /** Within which one that is called asks; afterwards nobody waits for it. */
  private static final Duration COMES_WITHIN = Duration.ofSeconds(30);

  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration LATER = Duration.ofMinutes(5);
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private final int most;
  private final Duration limit;
  private final Clock clock;
  private final SimpleInboundEventSource<ControlPlane> calls =
      new SimpleInboundEventSource<>("rollout-turns");
  private final Consumer<ResourceID> call;

  /** By UID; empty for one that has no place any more. */
  private final Map<String, Optional<RolloutTurn>> decided = new HashMap<>();

  /** By UID: since when it is known that a place is free for it. */
  private final Map<String, Instant> called = new HashMap<>();

  @Inject
  RolloutQueue(FleetConfig config, Clock clock) {
    this.most = config.maxConcurrentRollouts();
    this.limit = config.rolloutLimit();
    this.clock = clock;
    this.call = calls::propagateEvent;
    check();
  }

  RolloutQueue(int most, Duration limit, Clock clock, Consumer<ResourceID> call) {
    this.most = most;
    this.limit = limit;
    this.clock = clock;
    this.call = call;
    check();
  }

  /** Wrong settings are told when the operator starts, not at the first rollout. */
  void onStart(@Observes StartupEvent event) {
    check();
  }

  private void check() {
    if (most < 1) {
      throw new IllegalArgumentException(
          "exaplane.fleet.max-concurrent-rollouts (EXAPLANE_FLEET_MAX_CONCURRENT_ROLLOUTS) is %d: at least one control plane must be able to roll. Set 1 or more, or remove the setting for 10."
              .formatted(most));
    }
    if (!limit.isPositive()) {
      throw new IllegalArgumentException(
          "exaplane.fleet.rollout-limit (EXAPLANE_FLEET_ROLLOUT_LIMIT) is %s: a rollout takes longer than that. Set a time above 0, such as 30m, or remove the setting for 30m."
              .formatted(limit));
    }
  }

  /** Brings back those whose turn has come. */
  public EventSource<?, ControlPlane> calls() {
    return calls;
  }

  /**
   * The place of a control plane from now on.
   *
   * @param all control planes as the cache has them; asked for when it matters
   */
  public synchronized Turn next(
      ControlPlane controlPlane, Wish wish, Supplier<List<ControlPlane>> all) {
    String uid = controlPlane.getMetadata().getUid();
    RolloutTurn before = place(controlPlane);
    called.remove(uid);
    RolloutTurn next;
    if (!wish.created()) {
      next = null;
    } else if (before != null && before.state() != State.Waiting) {
      next = goingOn(before, wish);
    } else if (!wish.replacesPods()) {
      next = wish.rolls() ? underWay(wish) : null;
    } else if (!wish.serves()) {
      // Nobody loses anything, and it may be what brings it back.
      next = new RolloutTurn(State.OutOfTurn, now(), null);
    } else {
      next = begins(controlPlane, before, all.get());
    }
    decided.put(uid, Optional.ofNullable(next));
    boolean counted = before != null && before.state() == State.Rolling;
    boolean counts = next != null && next.state() == State.Rolling;
    if (counted && !counts || next != null && next.state() == State.Waiting) {
      callNext(places(all.get()));
    }
    return new Turn(
        next, next == null || isWritten(controlPlane, next), look(next, uid, controlPlane), most);
  }

  /** Of one that rolls without a place: nobody asked for one when it began. */
  private RolloutTurn underWay(Wish wish) {
    State state = wish.serves() && !wish.stuck() ? State.Rolling : State.OutOfTurn;
    return new RolloutTurn(state, now(), null);
  }

  private RolloutTurn goingOn(RolloutTurn before, Wish wish) {
    if (wish.isSettled()) {
      return null;
    }
    if (wish.resumes()) {
      return before.state() == State.Rolling ? before : new RolloutTurn(State.Rolling, now(), null);
    }
    Places clockOnly = new Places(List.of(), Set.of(), most, limit, clock.instant());
    boolean leaves = before.state() == State.Rolling && (wish.stuck() || clockOnly.isOver(before));
    return leaves ? new RolloutTurn(State.OutOfTurn, now(), null) : before;
  }

  private RolloutTurn begins(
      ControlPlane controlPlane, RolloutTurn before, List<ControlPlane> all) {
    RolloutTurn waits =
        new RolloutTurn(State.Waiting, before == null ? now() : before.since(), null);
    Places places = places(all);
    Member self = member(controlPlane, waits);
    int ahead = places.ahead(self);
    return ahead < places.free(self.uid())
        ? new RolloutTurn(State.Rolling, now(), null)
        : new RolloutTurn(State.Waiting, waits.since(), Places.told(ahead + 1), most);
  }

  /** A place counts when it is in the status: the next leader must know of it. */
  private static boolean isWritten(ControlPlane controlPlane, RolloutTurn next) {
    RolloutTurn written = controlPlane.getStatus() == null ? null : controlPlane.getStatus().turn();
    return next.state() != State.Waiting && written != null && written.state() != State.Waiting;
  }

  private Optional<Duration> look(RolloutTurn next, String uid, ControlPlane controlPlane) {
    if (next == null) {
      return Optional.empty();
    }
    return switch (next.state()) {
      case Waiting -> Optional.of(next.position() <= 2 * most ? SOON : LATER);
      case Rolling -> Optional.of(isWritten(controlPlane, next) ? untilOver(next) : AT_ONCE);
      case OutOfTurn -> isWritten(controlPlane, next) ? Optional.empty() : Optional.of(AT_ONCE);
    };
  }

  private Duration untilOver(RolloutTurn place) {
    Duration left = Duration.between(clock.instant(), Instant.parse(place.since()).plus(limit));
    return left.isPositive() ? left.plusSeconds(1) : AT_ONCE;
  }

  /** The place of one that may not be changed now: who waits does so no longer. */
  public synchronized RolloutTurn held(ControlPlane controlPlane) {
    RolloutTurn before = place(controlPlane);
    RolloutTurn next = before == null || before.state() == State.Waiting ? null : before;
    decided.put(controlPlane.getMetadata().getUid(), Optional.ofNullable(next));
    return next;
  }

  /** One that is removed has no place; the next one begins. */
  public synchronized void forget(ControlPlane controlPlane, Supplier<List<ControlPlane>> all) {
    RolloutTurn before = place(controlPlane);
    decided.remove(controlPlane.getMetadata().getUid());
    called.remove(controlPlane.getMetadata().getUid());
    if (before != null && before.state() == State.Rolling) {
      callNext(places(all.get()));
    }
  }

  private void callNext(Places places) {
    List<Member> waiting = places.waiting();
    waiting.stream()
        .limit(places.free(""))
        .filter(member -> called.putIfAbsent(member.uid(), places.now()) == null)
        .forEach(member -> call.accept(new ResourceID(member.name(), member.namespace())));
  }

  private Places places(List<ControlPlane> all) {
    Instant now = clock.instant();
    Set<String> silent =
        called.entrySet().stream()
            .filter(each -> each.getValue().plus(COMES_WITHIN).isBefore(now))
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    Set<String> there =
        all.stream().map(each -> each.getMetadata().getUid()).collect(Collectors.toSet());
    called.keySet().retainAll(there);
    List<Member> members =
        all.stream()
            .filter(each -> each.getMetadata().getDeletionTimestamp() == null)
            .map(each -> member(each, place(each)))
            .filter(member -> Objects.nonNull(member.place()))
            .toList();
    return new Places(members, silent, most, limit, now);
  }

  private static Member member(ControlPlane controlPlane, RolloutTurn place) {
    return new Member(
        controlPlane.getMetadata().getUid(),
        controlPlane.getMetadata().getNamespace(),
        controlPlane.getMetadata().getName(),
        place);
  }

  private RolloutTurn place(ControlPlane controlPlane) {
    Optional<RolloutTurn> known = decided.get(controlPlane.getMetadata().getUid());
    if (known != null) {
      return known.orElse(null);
    }
    return controlPlane.getStatus() == null ? null : controlPlane.getStatus().turn();
  }

  private String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
