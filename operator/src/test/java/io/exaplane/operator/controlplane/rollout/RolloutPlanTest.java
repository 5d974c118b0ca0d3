// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneRolloutSpec;
import io.exaplane.api.v1alpha1.OnStall;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RolloutStatus.Blocked;
import io.exaplane.operator.status.News;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rollouts beside a model of Deployments, their controller and pods. Longer than others: all
 * stories share one bed of two components, and each is read beside the others.
 */
class RolloutPlanTest {
  private static final int SEEDS = Integer.getInteger("seeds", 10);
  private static final int ENOUGH_SECONDS = 600;
  private static final int DEADLINE = 120;

  private static ControlPlaneRolloutSpec spec(
      OnStall onStall, Integer maxSurge, Integer maxUnavailable) {
    return new ControlPlaneRolloutSpec(
        null, maxSurge, maxUnavailable, DeploymentModel.MIN_READY, null, DEADLINE + "s", onStall);
  }

  /** A control plane of two components under one operator. */
  private static final class Bed {
    final DeploymentModel server;
    final DeploymentModel manager;
    final List<News> news = new ArrayList<>();
    String wantedServer = "good-0";
    String wantedManager = "good-0";
    int servers;
    int stores = 2;
    String override;
    Optional<RolloutStatus> status = Optional.empty();
    boolean checksSteps = true;
    boolean hurries;
    RolloutPlan.Applied applied;
    OnStall onStall = OnStall.Hold;
    Integer maxSurge;
    Integer maxUnavailable;
    final Map<String, String> settled = new TreeMap<>();
    RolloutPlan plan;

    Bed(int servers, long seed) {
      this.servers = servers;
      Random random = new Random(seed);
      server = new DeploymentModel("apiserver", true, servers, random);
      manager = new DeploymentModel("controller-manager", false, 2, random);
    }

    void pass() {
      RolloutPolicy policy =
          RolloutPolicy.of(spec(onStall, maxSurge, maxUnavailable), override).hurried(hurries);
      plan =
          new RolloutPlan(
              policy,
              new RolloutPlan.Stores(stores, 2),
              List.of(
                  view(policy, server, wantedServer, servers),
                  view(policy, manager, wantedManager, 2)),
              status,
              DeploymentModel.at(server.tick));
      applied = plan.applied("apiserver").orElseThrow();
      server.apply(applied);
      manager.apply(plan.applied("controller-manager").orElseThrow());
      news.addAll(RolloutNews.of(status, plan.status(), policy));
      status = plan.status();
      override = status.isEmpty() ? null : override;
    }

    private ComponentView view(
        RolloutPolicy policy, DeploymentModel model, String wanted, int replicas) {
      Told told = Told.of(status.orElse(null));
      Optional<RolloutStatus> own = told.of(model.component);
      boolean rests = own.isEmpty() && told.isRest();
      if (rests && model.isComplete() && model.template.equals(wanted)) {
        settled.put(model.component, wanted);
      }
      boolean isBack =
          policy.rejects(own.orElse(null), model.component, wanted)
              && !wanted.equals(settled.get(model.component));
      return model.view(isBack ? settled.get(model.component) : wanted, isBack, replicas);
    }

    /** A second; a pod is only made, and one ended, when those of the template have settled. */
    void second() {
      for (DeploymentModel model : List.of(server, manager)) {
        List<DeploymentModel.Pod> before = model.newest();
        int old = model.old().size();
        Optional<DeploymentModel.Pod> made = model.second();
        boolean replaces = old > 0 && made.isPresent() || model.old().size() < old;
        if (replaces && checksSteps && model.ready() > 0) {
          assertThat(before).allMatch(pod -> pod.wasSettled);
        }
      }
    }

    void seconds(int seconds) {
      for (int i = 0; i < seconds; i++) {
        pass();
        second();
      }
      pass();
    }

    boolean isDone() {
      return status.isEmpty()
          && server.isComplete()
          && manager.isComplete()
          && server.template.equals(wantedServer)
          && manager.template.equals(wantedManager)
          && server.replicas == servers;
    }

    Optional<Blocked> gate(RolloutGate gate) {
      return status.stream()
          .flatMap(now -> Stream.ofNullable(now.blockedBy()))
          .flatMap(List::stream)
          .filter(any -> any.gate() == gate)
          .findFirst();
    }

    List<Reason> reasons() {
      return news.stream().map(News::reason).toList();
    }
  }

  @Test
  void goodTemplatesComeOneByOneAndNothingIsEverMissing() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Bed bed = new Bed(1 + (int) (seed % 5), seed);
      bed.wantedServer = "good-1";
      bed.wantedManager = "good-1";
      for (int i = 0; i < ENOUGH_SECONDS; i++) {
        bed.pass();
        bed.second();
        assertThat(bed.server.ready()).as("seed %d", seed).isGreaterThanOrEqualTo(bed.servers);
        assertThat(bed.manager.ready()).as("seed %d", seed).isGreaterThanOrEqualTo(2);
        assertThat(bed.server.old().isEmpty() || bed.manager.newest().isEmpty())
            .as("seed %d: one layer at a time", seed)
            .isTrue();
      }
      bed.pass();
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
      assertThat(bed.reasons()).contains(Reason.RolloutStarted, Reason.RolloutCompleted);
      bed.news.clear();
      bed.seconds(20);
      assertThat(bed.news).as("idle").isEmpty();
      assertThat(bed.server.hold).isEqualTo(Hold.NONE);
    }
  }

  /** So many unsettled at once, so many missing, never all; also with an operator that is away. */
  @ParameterizedTest
  @CsvSource({"1, 0", "3, 0", "0, 1", "0, 2", "1, 1", "2, 2", "15, 0", "15, 15", "0, 15"})
  void surgeAndUnavailableCountForEachComponent(int surge, int unavailable) {
    for (long seed = 0; seed < SEEDS / 5; seed++) {
      Random random = new Random(seed);
      Bed bed = new Bed(1 + random.nextInt(6), seed);
      bed.maxSurge = surge;
      bed.maxUnavailable = unavailable;
      bed.checksSteps = false;
      bed.wantedServer = "good-1";
      bed.wantedManager = "good-1";
      int most = 0;
      for (int i = 0; i < 2 * ENOUGH_SECONDS; i++) {
        if (random.nextInt(4) == 0) {
          bed.pass();
        }
        bed.second();
        for (DeploymentModel model : List.of(bed.server, bed.manager)) {
          int missing = Math.min(unavailable, model.replicas - 1);
          int extra =
              Math.max(missing == 0 ? 1 : 0, Math.min(surge, Math.max(1, model.replicas - 1)));
          int unsettled =
              (int)
                  model.newest().stream()
                      .filter(pod -> pod.created > 60 && !pod.wasSettled)
                      .count();
          assertThat(model.ready())
              .as("seed %d", seed)
              .isGreaterThanOrEqualTo(model.replicas - missing);
          assertThat(model.ready()).as("seed %d", seed).isPositive();
          assertThat(model.pods.size())
              .as("seed %d", seed)
              .isLessThanOrEqualTo(model.replicas + extra);
          assertThat(unsettled).as("seed %d", seed).isLessThanOrEqualTo(missing + extra);
          most = Math.max(most, unsettled);
        }
      }
      assertThat(most)
          .as("seed %d: as many at once as it may", seed)
          .isGreaterThanOrEqualTo(bed.servers > surge + unavailable ? surge + unavailable : 1);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  /** A quota, PodSecurity or a webhook: there is a template, and never a pod of it. */
  @ParameterizedTest
  @CsvSource({"Hold, 1, 0", "Rollback, 1, 0", "Hold, 0, 1", "Rollback, 0, 1", "Rollback, 2, 2"})
  void theDeadlineCountsAlsoWhenTheFirstPodIsRefused(OnStall onStall, int surge, int unavailable) {
    for (int servers = 1; servers <= 3; servers++) {
      Bed bed = new Bed(servers, servers);
      bed.onStall = onStall;
      bed.maxSurge = surge;
      bed.maxUnavailable = unavailable;
      bed.checksSteps = false;
      bed.seconds(20);
      bed.wantedServer = "refused-1";
      bed.stores = 1;
      bed.seconds(2 * DEADLINE);
      assertThat(bed.status.orElseThrow().stalledAt()).as("no store, no deadline").isNull();
      bed.stores = 2;
      bed.seconds(DEADLINE / 2);
      assertThat(bed.status.orElseThrow().stalledAt()).isNull();
      assertThat(bed.gate(RolloutGate.MinReady).orElseThrow().message())
          .isEqualTo("a new pod is on its way");
      RolloutStatus early = bed.status.orElseThrow();
      bed.seconds(DEADLINE / 4);
      assertThat(bed.status).as("time alone writes nothing").contains(early);
      bed.seconds(ENOUGH_SECONDS);
      RolloutStatus stopped = bed.status.orElseThrow();
      assertThat(stopped.stalledAt()).isNotNull();
      assertThat(stopped.lastWords()).contains("refuses a new pod: exceeded quota");
      assertThat(bed.reasons()).doesNotContain(Reason.RolloutCompleted);
      if (onStall == OnStall.Rollback) {
        assertThat(bed.server.template).isEqualTo("good-0");
        assertThat(bed.server.isComplete()).isTrue();
        assertThat(stopped.rolledBackTo()).isEqualTo("good-0");
      } else {
        assertThat(bed.plan.hasStopped()).isTrue();
      }
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    }
  }

  /** Where pods may be missing, the last new ones come when no old one is left. */
  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1", "0, 2", "1, 1", "15, 15"})
  void aRolloutEndsWhenItsLastPodsHaveSettled(int surge, int unavailable) {
    for (int servers = 1; servers <= 4; servers++) {
      Bed bed = new Bed(servers, servers);
      bed.maxSurge = surge;
      bed.maxUnavailable = unavailable;
      bed.checksSteps = false;
      bed.wantedServer = "good-1";
      bed.wantedManager = "good-1";
      bed.pass();
      for (int i = 0; i < ENOUGH_SECONDS; i++) {
        if (!bed.reasons().contains(Reason.RolloutCompleted)) {
          bed.second();
          bed.pass();
          boolean begun = !bed.manager.newest().isEmpty();
          if (begun || bed.reasons().contains(Reason.RolloutCompleted)) {
            assertThat(bed.server.newest()).hasSize(servers).allMatch(pod -> pod.isSettled());
          }
        }
      }
      assertThat(bed.reasons()).contains(Reason.RolloutCompleted);
      assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(OnStall.class)
  void theDeadlineCountsForTheLastPodAlsoWhenNoOldOneIsLeft(OnStall onStall) {
    Bed bed = new Bed(2, 1);
    bed.onStall = onStall;
    bed.maxSurge = 0;
    bed.maxUnavailable = 1;
    bed.checksSteps = false;
    bed.seconds(20);
    bed.wantedServer = "late-1";
    bed.seconds(DEADLINE / 2);
    assertThat(bed.server.old()).isEmpty();
    assertThat(bed.gate(RolloutGate.MinReady)).isPresent();
    assertThat(bed.status.orElseThrow().step()).isEqualTo("2 of 2 pods replaced");
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.reasons()).doesNotContain(Reason.RolloutCompleted);
    assertThat(bed.status.orElseThrow().stalledAt()).isNotNull();
    assertThat(bed.status.orElseThrow().lastWords()).contains("container ended: bad flag");
    if (onStall == OnStall.Rollback) {
      assertThat(bed.server.template).isEqualTo("good-0");
      assertThat(bed.server.isComplete()).isTrue();
    } else {
      assertThat(bed.gate(RolloutGate.ProgressDeadline)).isPresent();
    }
    bed.wantedServer = "good-2";
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.isDone()).as("%s", bed.status).isTrue();
  }

  /** A gate of somebody else is closed from the start: nothing is made, and nothing ended. */
  @ParameterizedTest
  @CsvSource({"1, 0", "0, 1", "0, 2", "1, 1", "0, 15"})
  void aClosedGateLetsNothingBeginWhateverMayBeMissing(int surge, int unavailable) {
    for (int servers = 1; servers <= 4; servers++) {
      Bed bed = new Bed(servers, servers);
      bed.maxSurge = surge;
      bed.maxUnavailable = unavailable;
      bed.checksSteps = false;
      bed.stores = 1;
      bed.wantedServer = "good-1";
      bed.wantedManager = "good-1";
      bed.seconds(60);
      assertThat(bed.server.newest()).isEmpty();
      assertThat(bed.manager.newest()).isEmpty();
      assertThat(bed.server.ready()).isEqualTo(servers);
      bed.stores = 2;
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    }
  }

  @Test
  void aLargerSurgeIsNoWayAroundAGateThatIsClosed() {
    Bed bed = new Bed(5, 3);
    bed.wantedServer = "crash-1";
    bed.seconds(60);
    assertThat(bed.server.newest()).hasSize(1);
    bed.maxSurge = 4;
    bed.maxUnavailable = 3;
    bed.seconds(60);
    assertThat(bed.server.newest()).hasSize(1);
    bed.wantedServer = "good-2";
    bed.checksSteps = false;
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.isDone()).as("%s", bed.status).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"crash-1", "slow-1", "hot-1"})
  void aBadTemplateStopsAtTheFirstPodAndAFixGoesOn(String bad) {
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      Bed bed = new Bed(1 + (int) (seed % 4), seed);
      bed.wantedServer = bad;
      bed.seconds(20);
      assertThat(bed.status.orElseThrow().stalledAt()).isNull();
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.server.newest()).as("seed %d", seed).hasSize(1);
      assertThat(bed.server.ready()).isGreaterThanOrEqualTo(bed.servers);
      assertThat(bed.server.old()).as("seed %d: the last one, too", seed).hasSize(bed.servers);
      RolloutStatus stalled = bed.status.orElseThrow();
      assertThat(stalled.stalledAt()).isNotNull();
      if (!bad.startsWith("hot")) {
        assertThat(stalled.lastWords()).contains("container ended: bad flag");
      }
      assertThat(bed.gate(RolloutGate.ProgressDeadline).orElseThrow().limit()).isEqualTo("2m");
      bed.wantedManager = "good-1";
      bed.seconds(60);
      assertThat(bed.manager.newest()).as("held, too").isEmpty();
      assertThat(bed.gate(RolloutGate.OneLayer)).isPresent();
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"crash-1", "slow-1", "hot-1"})
  void aBadTemplateIsRolledBackAndNotTriedAgain(String bad) {
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      Bed bed = new Bed(1 + (int) (seed % 4), seed);
      bed.onStall = OnStall.Rollback;
      bed.wantedServer = "good-1";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d", seed).isTrue();
      bed.news.clear();
      bed.wantedServer = bad;
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.server.template).as("seed %d: settled, not good-0", seed).isEqualTo("good-1");
      assertThat(bed.server.isComplete()).as("seed %d", seed).isTrue();
      RolloutStatus told = bed.status.orElseThrow();
      assertThat(told.template()).isEqualTo(bad);
      assertThat(told.rolledBackTo()).isEqualTo("good-1");
      assertThat(told.stalledAt()).isNotNull();
      assertThat(told.blockedBy()).isNull();
      assertThat(bed.reasons()).containsOnlyOnce(Reason.RolledBack);
      bed.news.clear();
      bed.seconds(2 * ENOUGH_SECONDS);
      assertThat(bed.status).as("it does not flap").contains(told);
      assertThat(bed.news).isEmpty();
      bed.wantedManager = "good-1";
      bed.seconds(60);
      assertThat(bed.manager.template).as("others go on").isEqualTo("good-1");
      assertThat(bed.status.orElseThrow().rolledBackTo()).isEqualTo("good-1");
      bed.servers += 2;
      bed.seconds(4);
      assertThat(bed.server.replicas).as("one by one").isEqualTo(bed.servers - 1);
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.server.replicas).isEqualTo(bed.servers);
      assertThat(bed.server.template).isEqualTo("good-1");
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  /** Each component has its deadline, and its way back. */
  @ParameterizedTest
  @ValueSource(strings = {"crash-1", "slow-1"})
  void theDeadlineOfALaterComponentCountsWhileOneIsRolledBack(String bad) {
    for (long seed = 0; seed < SEEDS / 2; seed++) {
      Bed bed = new Bed(1 + (int) (seed % 4), seed);
      bed.onStall = OnStall.Rollback;
      bed.seconds(20);
      bed.wantedServer = "crash-1";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.status.orElseThrow().rolledBackTo()).isEqualTo("good-0");
      bed.wantedManager = "good-1";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.manager.template).as("settled meanwhile").isEqualTo("good-1");
      assertThat(bed.status.orElseThrow().others()).isNull();
      bed.wantedManager = bad;
      bed.seconds(20);
      assertThat(bed.status.orElseThrow().others())
          .singleElement()
          .satisfies(one -> assertThat(one.component()).isEqualTo("controller-manager"));
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.manager.template).as("seed %d: back", seed).isEqualTo("good-1");
      assertThat(bed.manager.isComplete()).isTrue();
      RolloutStatus told = bed.status.orElseThrow();
      assertThat(told.component()).isEqualTo("apiserver");
      assertThat(told.others())
          .singleElement()
          .satisfies(one -> assertThat(one.rolledBackTo()).isEqualTo("good-1"));
      assertThat(bed.reasons()).filteredOn(Reason.RolledBack::equals).hasSize(2);
      bed.news.clear();
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.status).as("it does not flap").contains(told);
      assertThat(bed.news).isEmpty();
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.server.template).isEqualTo("good-2");
      assertThat(bed.status.orElseThrow().component()).isEqualTo("controller-manager");
      assertThat(bed.status.orElseThrow().rolledBackTo()).isEqualTo("good-1");
      bed.wantedManager = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  /** What was applied last holds by itself, for however long nobody looks. */
  @Test
  void anOperatorThatIsAwayLeavesNoPodThatIsReplacedWithoutItsGates() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Bed bed = new Bed(1 + random.nextInt(5), seed);
      bed.wantedServer = random.nextInt(3) == 0 ? "hot-1" : "good-1";
      bed.wantedManager = "good-1";
      for (int i = 0; i < 40; i++) {
        bed.pass();
        for (int away = random.nextInt(200); away > 0; away--) {
          bed.second();
          assertThat(bed.server.ready()).as("seed %d", seed).isGreaterThanOrEqualTo(bed.servers);
        }
      }
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  /** An earlier operator paused it, with new pods that were available to it. */
  @Test
  void aDeploymentThatAnEarlierOperatorPausedGoesOnThroughTheGates() {
    for (long seed = 0; seed < SEEDS; seed++) {
      int servers = 2 + (int) (seed % 4);
      Bed bed = new Bed(servers, seed);
      int replaced = 1 + (int) (seed % (servers - 1));
      bed.server.template = "good-1";
      bed.wantedServer = "good-1";
      for (int i = 0; i < replaced; i++) {
        bed.server.pods.set(i, bed.server.new Pod("good-1"));
      }
      bed.server.pods.add(bed.server.new Pod("good-0"));
      bed.server.hold = new Hold(true, null, 1);
      for (int i = 0; i < 5; i++) {
        bed.second();
      }
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 12, ENOUGH_SECONDS})
  void whatAPersonPausesGoesOn(int after) {
    Bed bed = new Bed(3, 17);
    bed.wantedServer = "good-1";
    bed.seconds(after);
    bed.server.hold = new Hold(true, bed.server.hold.allowed(), 1);
    bed.pass();
    assertThat(bed.applied.goesOn()).as("false is written").isEqualTo(!bed.server.hold.paused());
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    assertThat(bed.applied.goesOn()).as("and left out afterwards").isFalse();
  }

  /** A person who looks into it sets Hold first: that must not bring the bad template back. */
  @ParameterizedTest
  @ValueSource(strings = {"crash-1", "slow-1", "hot-1"})
  void aRollbackStaysWhenNoMoreAreAskedFor(String bad) {
    for (long seed = 0; seed < SEEDS / 10; seed++) {
      Bed bed = new Bed(1 + (int) (seed % 4), seed);
      bed.onStall = OnStall.Rollback;
      bed.seconds(60);
      bed.wantedServer = bad;
      bed.seconds(ENOUGH_SECONDS);
      RolloutStatus told = bed.status.orElseThrow();
      assertThat(told.rolledBackTo()).as("seed %d", seed).isEqualTo("good-0");
      bed.onStall = OnStall.Hold;
      bed.news.clear();
      bed.seconds(2 * ENOUGH_SECONDS);
      assertThat(bed.server.template).as("seed %d", seed).isEqualTo("good-0");
      assertThat(bed.server.isComplete()).isTrue();
      assertThat(bed.status).contains(told);
      assertThat(bed.news).isEmpty();
      bed.override = "ProgressDeadline";
      bed.seconds(30);
      assertThat(bed.server.template).as("a person asks for it once more").isEqualTo(bad);
      bed.wantedServer = "good-2";
      bed.seconds(ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  /** One that stopped for good is looked at by its events alone; one that goes back, soon. */
  @Test
  void timeAloneBringsAStoppedRolloutNoFurther() {
    Bed held = new Bed(2, 1);
    held.wantedServer = "crash-1";
    held.seconds(60);
    assertThat(held.plan.moves()).isTrue();
    assertThat(held.plan.hasStopped()).isFalse();
    held.seconds(ENOUGH_SECONDS);
    assertThat(held.status.orElseThrow().stalledAt()).isNotNull();
    assertThat(held.plan.moves()).isFalse();
    assertThat(held.plan.hasStopped()).isTrue();
    Bed back = new Bed(2, 1);
    back.onStall = OnStall.Rollback;
    back.seconds(60);
    back.wantedServer = "crash-1";
    while (back.status.map(RolloutStatus::stalledAt).isEmpty()) {
      back.seconds(1);
      assertThat(back.server.tick).isLessThan(ENOUGH_SECONDS);
    }
    assertThat(back.plan.hasStopped()).as("its pods are still to go back").isFalse();
    back.seconds(ENOUGH_SECONDS);
    assertThat(back.server.isComplete()).isTrue();
  }

  /** People change their minds, stores come and go, pods end, passes are late. */
  @Test
  void whateverHappensTheLastWishIsCarriedOut() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      Bed bed = new Bed(1 + random.nextInt(4), seed);
      bed.onStall = OnStall.values()[random.nextInt(2)];
      List<String> kinds = List.of("good", "crash", "slow", "hot");
      // A pod that ends after its gate was opened is made again, settled or not.
      bed.checksSteps = false;
      for (int i = 0; i < 2_000; i++) {
        int dice = random.nextInt(300);
        switch (dice) {
          case 0 -> bed.wantedServer = kinds.get(random.nextInt(4)) + "-" + i;
          case 1 -> bed.wantedManager = kinds.get(random.nextInt(3)) + "-" + i;
          case 2 -> bed.servers = 1 + random.nextInt(5);
          case 3 -> bed.stores = 1 + random.nextInt(2);
          case 4 -> bed.override = "MinReady, Relists,RequestP99";
          case 5 -> bed.override = "ProgressDeadline,OneLayer,StoresServe,None";
          case 6 -> end(bed.server, random);
          default -> {
            // A second like any other.
          }
        }
        if (random.nextInt(4) > 0) {
          bed.pass();
        }
        bed.second();
      }
      bed.stores = 2;
      bed.wantedServer = "good-last";
      bed.wantedManager = "good-last";
      bed.seconds(2 * ENOUGH_SECONDS);
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
    }
  }

  private static void end(DeploymentModel model, Random random) {
    DeploymentModel.Pod pod = model.pods.get(random.nextInt(model.pods.size()));
    model.pods.set(model.pods.indexOf(pod), model.new Pod(pod.template));
  }

  @Test
  void serversAreAddedOneByOneAndTakenAwayAtOnce() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Bed bed = new Bed(1, seed);
      bed.servers = 5;
      for (int i = 0; i < ENOUGH_SECONDS; i++) {
        bed.pass();
        bed.second();
        assertThat(bed.server.pods.stream().filter(pod -> !pod.wasSettled && pod.created > 60))
            .as("seed %d", seed)
            .hasSizeLessThanOrEqualTo(1);
      }
      bed.pass();
      assertThat(bed.isDone()).as("seed %d: %s", seed, bed.status).isTrue();
      bed.servers = 2;
      bed.pass();
      assertThat(bed.server.replicas).isEqualTo(2);
    }
  }

  @Test
  void aStoreThatIsAwayHoldsAndTheDeadlineWaitsForIt() {
    Bed bed = new Bed(3, 1);
    bed.stores = 1;
    bed.wantedServer = "good-1";
    bed.seconds(2 * DEADLINE);
    assertThat(bed.server.newest()).isEmpty();
    Blocked gate = bed.gate(RolloutGate.StoresServe).orElseThrow();
    assertThat(gate.number()).isEqualTo("1");
    assertThat(gate.limit()).isEqualTo("2");
    assertThat(gate.since()).isEqualTo(DeploymentModel.at(60).toString());
    assertThat(bed.status.orElseThrow().stalledAt()).isNull();
    assertThat(bed.reasons()).containsOnlyOnce(Reason.RolloutBlocked);
    bed.stores = 2;
    bed.seconds(5);
    bed.stores = 1;
    bed.seconds(2 * DEADLINE);
    assertThat(bed.server.newest()).as("in mid-rollout").hasSize(1);
    assertThat(bed.status.orElseThrow().stalledAt()).isNull();
    bed.override = "StoresServe";
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.isDone()).isTrue();
    assertThat(bed.reasons()).containsOnlyOnce(Reason.RolloutOverridden);
    assertThat(bed.override).as("goes with the rollout").isNull();
  }

  @Test
  void aStoppedRolloutGoesOnWhenItsGateIsOpened() {
    Bed bed = new Bed(2, 7);
    bed.wantedServer = "slow-1";
    bed.seconds(400);
    assertThat(bed.server.newest()).as("ready by now, and held").hasSize(1);
    assertThat(bed.server.newest().getFirst().isSettled()).isTrue();
    bed.override = "ProgressDeadline, Typo";
    bed.seconds(ENOUGH_SECONDS);
    assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    assertThat(bed.news)
        .filteredOn(news -> news.reason() == Reason.UnknownGate)
        .singleElement()
        .satisfies(
            news -> {
              assertThat(news.warns()).isTrue();
              assertThat(news.message()).contains("Typo", "MinReady", "ProgressDeadline");
            });
  }

  @Test
  void whoServesNobodyHoldsNobody() {
    Bed bed = new Bed(3, 3);
    bed.server.pods.clear();
    for (int i = 0; i < 3; i++) {
      bed.server.pods.add(bed.server.new Pod("crash-0"));
    }
    bed.server.template = "crash-0";
    bed.wantedServer = "good-1";
    bed.checksSteps = false;
    bed.seconds(40);
    assertThat(bed.server.newest()).hasSize(3);
  }

  /** Certificates of minutes expire before pods have settled, one component after another. */
  @Test
  void whoHasNoTimeIsHeldByStoresAndTheDeadlineOnly() {
    Bed bed = new Bed(2, 11);
    bed.hurries = true;
    bed.checksSteps = false;
    bed.wantedServer = "good-1";
    bed.wantedManager = "good-1";
    bed.seconds(30);
    assertThat(bed.isDone()).as("%s", bed.status).isTrue();
    assertThat(bed.reasons()).doesNotContain(Reason.RolloutOverridden);
    bed.stores = 1;
    bed.wantedServer = "good-2";
    bed.seconds(60);
    assertThat(bed.server.newest()).isEmpty();
  }

  /** Each pass that finds the same writes the same: a status is a write. */
  @Test
  void timeAloneWritesNoStatus() {
    Bed bed = new Bed(2, 5);
    bed.wantedServer = "crash-1";
    bed.seconds(20);
    RolloutStatus early = bed.status.orElseThrow();
    bed.seconds(60);
    assertThat(bed.status).contains(early);
  }
}
