// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A cluster, its node controller and a guard whose operator dies now and then. */
final class GuardSimulation {
  private static final Duration TOLERATED = Duration.ofMinutes(5);

  private final Random random;
  private final long seed;
  private final List<Instant> renewed = new ArrayList<>();
  private final List<Boolean> isDead = new ArrayList<>();
  private final List<Instant> tainted = new ArrayList<>();
  private Instant now = GuardStateTest.START;
  private GuardState state = GuardState.quiet(true);
  private Instant storeBegan = GuardStateTest.START;

  GuardSimulation(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
  }

  void run() {
    int nodes = 1 + random.nextInt(60);
    for (int i = 0; i < nodes; i++) {
      renewed.add(GuardStateTest.START);
      isDead.add(false);
      tainted.add(null);
    }
    pass(Duration.ofSeconds(30 + random.nextInt(60)), false, 0, false);
    for (int episode = 0; episode < 6; episode++) {
      switch (random.nextInt(3)) {
        case 0 -> // the way of all nodes is cut, and the published endpoint with it
            pass(Duration.ofSeconds(20 + random.nextInt(400)), true, nodes, true);
        case 1 -> { // most nodes lose their way at once, which no probe sees
          int cut = Math.max(1, nodes * (60 + random.nextInt(41)) / 100);
          boolean isSeen = alive() >= GuardStateTest.POLICY.minNodes() && isMost(cut);
          pass(Duration.ofSeconds(20 + random.nextInt(400)), false, cut, isSeen);
        }
        default -> oneNodeDies();
      }
      pass(Duration.ofSeconds(400), false, 0, true);
      assertThat(state.frozen()).as("seed %d: it ends", seed).isFalse();
    }
  }

  private long alive() {
    return isDead.stream().filter(dead -> !dead).count();
  }

  /** Of those that live, since dead ones may be among the first. */
  private boolean isMost(int cut) {
    long lost = isDead.subList(0, cut).stream().filter(dead -> !dead).count();
    return lost * 100 >= alive() * 60;
  }

  private void oneNodeDies() {
    int node = random.nextInt(isDead.size());
    if (isDead.get(node)) {
      return;
    }
    isDead.set(node, true);
    Instant died = now;
    while (!isBelievedDead(node)) {
      step(false, 0, true);
      assertThat(Duration.between(died, now))
          .as("seed %d: a single dead node is treated as dead", seed)
          .isLessThan(GuardStateTest.GRACE.plusSeconds(30));
    }
  }

  private void pass(Duration length, boolean endpointCut, int cut, boolean isProtected) {
    for (Instant end = now.plus(length); now.isBefore(end); ) {
      step(endpointCut, cut, isProtected);
    }
  }

  private boolean isBelievedDead(int node) {
    return tainted.get(node) != null;
  }

  /** As kube-controller-manager does; a frozen one taints nobody, and deletes no pod. */
  private void control(boolean wasFrozen, boolean isProtected) {
    for (int i = 0; i < renewed.size(); i++) {
      Duration age = Duration.between(renewed.get(i), now);
      if (age.compareTo(GuardStateTest.GRACE) <= 0) {
        tainted.set(i, null);
      } else if (tainted.get(i) == null && !state.frozen()) {
        tainted.set(i, now);
      } else if (tainted.get(i) != null && wasFrozen && !state.frozen()) {
        tainted.set(i, now); // the time that its pods tolerate starts again
      }
      boolean isEvicted =
          tainted.get(i) != null
              && !state.frozen()
              && Duration.between(tainted.get(i), now).compareTo(TOLERATED) >= 0;
      assertThat(isProtected && !isDead.get(i) && isEvicted)
          .as("seed %d: node %d lives, and its pods are evicted at %s", seed, i, now)
          .isFalse();
    }
  }

  private void step(boolean endpointCut, int cut, boolean isProtected) {
    now = now.plus(GuardStateTest.PERIOD);
    for (int i = 0; i < renewed.size(); i++) {
      if (!isDead.get(i) && i >= cut && random.nextInt(3) == 0) {
        renewed.set(i, now);
      }
      // By chance none renews for long; a kubelet does at the latest after 15 s.
      if (!isDead.get(i)
          && i >= cut
          && Duration.between(renewed.get(i), now).compareTo(Duration.ofSeconds(15)) > 0) {
        renewed.set(i, now);
      }
    }
    long missed = 0;
    long dead = 0;
    long known = 0;
    // One that restarts before a new operator has looked leaves nobody who knows.
    boolean isRemembered = state.frozen() || state.aliveNodes() > 0;
    if (random.nextInt(60) == 0 && isRemembered) {
      storeBegan = now;
    }
    Duration countedFor = Duration.between(storeBegan, now);
    for (Instant each : renewed) {
      if (each.isBefore(storeBegan)) {
        continue; // its Lease was in memory only
      }
      known++;
      Duration age = Duration.between(each, now);
      dead += age.compareTo(GuardStateTest.POLICY.deadAfter()) >= 0 ? 1 : 0;
      missed +=
          age.compareTo(GuardStateTest.POLICY.staleAfter()) >= 0
                  && age.compareTo(GuardStateTest.POLICY.deadAfter()) < 0
              ? 1
              : 0;
    }
    LeaseLook leases =
        LeaseLook.counted(known - missed - dead, missed, dead).countedFor(countedFor);
    boolean wasFrozen = state.frozen();
    state =
        state.next(
            new GuardLook(now, true, endpointCut ? "timed out" : "", leases),
            GuardStateTest.POLICY);
    // One that begins after the store did, before that shows, knows of no node that is silent.
    boolean isShown =
        countedFor.compareTo(
                GuardStateTest.POLICY
                    .staleAfter()
                    .plus(GuardStateTest.PERIOD.multipliedBy(GuardStateTest.POLICY.badLooks())))
            > 0;
    if (random.nextInt(50) == 0 && (state.frozen() || isShown)) {
      state = // another operator begins
          state.frozen()
              ? GuardState.frozenBefore(
                  state.cause(), state.numbers(), state.aliveNodes(), state.deadNodes())
              : GuardState.quiet(state.reached());
    }
    control(wasFrozen, isProtected);
  }
}
