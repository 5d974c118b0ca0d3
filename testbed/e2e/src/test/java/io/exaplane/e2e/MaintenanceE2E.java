// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.e2e.AuditedWrites.Write;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An operator of another bundle beside three control planes, whose maintenance windows are in three
 * time zones: one is open, one opens during the test, and one stays closed. Outside of its windows
 * no pod of a control plane is replaced, and neither is one of a SchedulerPool.
 */
@Order(46)
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MaintenanceE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** Three control planes at once, or two stores, kube-apiservers and the rest one by one. */
  private static final Duration MOVE = Duration.ofMinutes(10);

  /** Until the next window: time enough to ask for it. */
  private static final Duration LEAD = Duration.ofMinutes(3);

  private static final String SOON_ZONE = "America/Caracas";

  private static WindowedPlane open;
  private static WindowedPlane soon;
  private static WindowedPlane shut;
  private static WindowedPool pool;
  private static DailyWindow soonWindow;
  private static DailyWindow shutWindow;
  private static TemplateHistory soonTemplates;
  private static TemplateHistory shutTemplates;
  private static Set<String> shutPods;
  private static OtherOperator other;

  /** The bundle of the shipped operator. */
  private static String before;

  /** The other one. */
  private static String moved;

  /** When the other operator was about to be installed. */
  private static Instant installed;

  @BeforeAll
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  static void threeSettledControlPlanes(@TempDir Path folder) throws IOException {
    Instant now = Instant.now();
    soonWindow = DailyWindow.openInUtcAlone(now, "2h", SOON_ZONE);
    shutWindow = DailyWindow.openInUtcAlone(now, "2h", "Asia/Kathmandu");
    open = new WindowedPlane("open", 2, DailyWindow.open(now, "12h", "Asia/Kolkata"));
    soon = new WindowedPlane("soon", 1, soonWindow);
    shut = new WindowedPlane("shut", 1, shutWindow);
    all().forEach(each -> each.awaitSettled(MOVE));
    pool = new WindowedPool(soon, soonWindow);
    pool.awaitSettled(MOVE);
    before = open.bundle();
    all()
        .forEach(
            each -> {
              each.awaitPending(Condition.FALSE, PATIENCE);
              assertThat(each.bundle()).isEqualTo(before);
            });
    other = OtherOperator.make(folder);
    soonTemplates = new TemplateHistory(soon.namespace);
    shutTemplates = new TemplateHistory(shut.namespace);
    shutPods = WindowedPlane.uids(shut.pods());
  }

  @AfterAll
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  static void theShippedOperatorAndNothingElse() {
    try (WindowedPlane _ = open;
        WindowedPlane _ = soon;
        WindowedPlane _ = shut;
        TemplateHistory _ = soonTemplates;
        TemplateHistory _ = shutTemplates) {
      if (other != null) {
        other.uninstall();
      }
      if (pool != null) {
        pool.delete();
      }
    }
    Bed.await(
        "the namespaces are gone",
        MOVE,
        () ->
            Bed.CLIENT.namespaces().list().getItems().stream()
                .map(each -> each.getMetadata().getName())
                .noneMatch(each -> each.startsWith("e2e-" + WindowedPlane.PREFIX)));
    if (other != null) {
      other.delete();
    }
    if (Demo.get() != null) {
      Bed.awaitCondition(
          Demo.NAME, Demo.NAMESPACE, ConditionType.OperatorUpdatePending, Condition.FALSE, MOVE);
      Demo.settled(PATIENCE);
    }
  }

  @Test
  @Order(1)
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void inAnOpenWindowPodsAreReplacedStepByStep() {
    Set<String> servers = WindowedPlane.uids(open.servers());
    installed = Instant.now();
    try (TemplateHistory templates = new TemplateHistory(open.namespace);
        ShownDifferences shown = new ShownDifferences(open.name + "-bundle", open.namespace);
        ServerSteps steps = new ServerSteps(open)) {
      replacesTheStores();
      replacesTheComponents();
      OtherOperator.awaitInstalled();
      assertThat(WindowedPlane.uids(open.servers())).doesNotContainAnyElementsOf(servers);
      // Watches and Events tell of it a little later.
      Bed.awaitHolds(
          PATIENCE,
          () -> {
            assertThat(steps.all()).isEqualTo(ServerSteps.oneByOne(2));
            assertThat(shown.has(other.ofControlPlane())).as("%s", shown).isTrue();
            assertThat(templates.objects())
                .as("stores, then kube-apiserver, then those that follow it")
                .startsWith(open.stores().getFirst(), open.stores().getLast(), open.server())
                .containsAll(open.followers());
            assertThat(open.events())
                .contains("RolloutStarted", "RolloutAdvanced", "RolloutCompleted");
          });
    }
    open.awaitPending(Condition.FALSE, PATIENCE);
  }

  /** A store takes no writes for some seconds, so requests may fail; the report says how many. */
  private static void replacesTheStores() {
    try (BusyClient client = new BusyClient(open.name, open.namespace)) {
      other.install();
      String message = shut.awaitPending(Condition.TRUE, MOVE).message();
      moved = message.replaceFirst("(?s).*set spec.rollout.bundle to ([^ ]+[0-9a-f]).*", "$1");
      assertThat(moved).isNotEqualTo(before);
      Bed.await(
          "the stores have the other bundle", MOVE, () -> open.hasStoresOf(moved), open::describe);
      client.report("stores, replaced in a window");
    }
  }

  private static void replacesTheComponents() {
    Bed.await("the API takes writes", PATIENCE, open::takesWrites, open::describe);
    try (BusyClient client = new BusyClient(open.name, open.namespace)) {
      Bed.await(
          "the control plane has the other bundle",
          MOVE,
          () -> moved.equals(open.bundle()) && open.status().rollout() == null,
          open::describe);
      open.awaitSettled(MOVE);
      assertThat(client.report("components, replaced in a window").failures()).isEmpty();
    }
  }

  @Test
  @Order(2)
  void outsideOfWindowsTheDifferenceIsShownAndNothingIsWritten() {
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          Stream.of(soon, shut)
              .forEach(
                  each ->
                      each.shows(
                          other.ofControlPlane(),
                          other.ofCriticalStore(),
                          other.ofBestEffortStore()));
          assertThat(pool.difference()).isEqualTo(other.ofPool());
          waitsFor(soonWindow, soon.pending());
          waitsFor(soonWindow, pool.pending());
          waitsFor(shutWindow, shut.pending());
        });
    assertThat(soon.bundle()).isEqualTo(before);
    assertThat(pool.bundle()).isEqualTo(before);
    assertThat(open.writesSince(installed)).as("so that the log is known to work").isNotEmpty();
    assertThat(soon.writesSince(installed)).isEmpty();
    assertThat(soonTemplates.changes()).isEmpty();
    theClosedOneIsAsItWas();
  }

  private static void waitsFor(DailyWindow window, Condition pending) {
    assertThat(pending.status()).isEqualTo(Condition.TRUE);
    assertThat(pending.reason()).isEqualTo("OperatorUpdatePending");
    assertThat(pending.message())
        .contains(
            "They keep the bundle " + before,
            "in the maintenance window of " + window.next(Instant.now()),
            "set spec.rollout.bundle to " + moved);
  }

  @Test
  @Order(3)
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void aWindowThatOpensReplacesPodsAndNotEarlier() {
    Instant begin = Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(LEAD);
    String window =
        "{\"spec\":{\"maintenance\":%s}}"
            .formatted(DailyWindow.from(begin, "2h", SOON_ZONE).json());
    soon.patch(window);
    pool.patch(window);
    Bed.await(
        "the condition names the window, unless it is open",
        PATIENCE,
        () ->
            soon.pending().message().contains("in the maintenance window of " + begin)
                || Instant.now().isAfter(begin),
        soon::describe);
    Bed.await(
        "the window's control plane and pool have the other bundle",
        LEAD.plus(MOVE),
        () -> moved.equals(soon.bundle()) && moved.equals(pool.bundle()),
        () -> soon.describe() + pool.describe());
    soon.awaitSettled(MOVE);
    pool.awaitSettled(MOVE);
    soon.awaitPending(Condition.FALSE, PATIENCE);
    List<Write> writes = soon.writesSince(installed);
    assertThat(writes).isNotEmpty();
    assertThat(writes).allSatisfy(write -> assertThat(write.time()).isAfterOrEqualTo(begin));
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(soonTemplates.objects())
                .contains(soon.server(), pool.root())
                .containsAll(soon.stores())
                .containsAll(soon.followers()));
    assertThat(soonTemplates.changes())
        .allSatisfy(change -> assertThat(change.seen()).isAfterOrEqualTo(begin));
    theClosedOneIsAsItWas();
  }

  @Test
  @Order(4)
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void theEarlierOperatorReplacesNothingUntilItIsAsked() {
    // Windows are open, and would move the pods back.
    String stay = "{\"spec\":{\"rollout\":{\"bundle\":\"%s\"}}}".formatted(moved);
    open.patch(stay);
    soon.patch(stay);
    pool.patch(stay);
    Instant back = Instant.now();
    other.uninstall();
    shut.awaitPending(Condition.FALSE, PATIENCE);
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          Stream.of(open, soon).forEach(MaintenanceE2E::showsTheWayBack);
          assertThat(pool.pending().status()).isEqualTo(Condition.TRUE);
          assertThat(pool.difference()).isEqualTo(ShownDifferences.reverse(other.ofPool()));
        });
    assertThat(open.writesSince(back)).isEmpty();
    assertThat(soon.writesSince(back)).isEmpty();
    theClosedOneIsAsItWas();
    goesBack();
    assertThat(soon.writesSince(back)).isEmpty();
    all().forEach(each -> each.awaitSettled(PATIENCE));
    pool.awaitSettled(PATIENCE);
    theClosedOneIsAsItWas();
  }

  private static void showsTheWayBack(WindowedPlane plane) {
    plane.shows(
        ShownDifferences.reverse(other.ofControlPlane()),
        ShownDifferences.reverse(other.ofCriticalStore()),
        ShownDifferences.reverse(other.ofBestEffortStore()));
    assertThat(plane.pending().status()).isEqualTo(Condition.TRUE);
    assertThat(plane.pending().message()).contains("set spec.rollout.bundle to " + before);
  }

  /** A person asks for the bundle of before, and the operator of before is there to make it. */
  private static void goesBack() {
    try (BusyClient client = new BusyClient(open.name, open.namespace);
        ServerSteps steps = new ServerSteps(open)) {
      open.patch("{\"spec\":{\"rollout\":{\"bundle\":\"%s\"}}}".formatted(before));
      Bed.await("the bundle of before", MOVE, () -> before.equals(open.bundle()), open::describe);
      open.awaitPending(Condition.FALSE, PATIENCE);
      open.awaitSettled(MOVE);
      client.report("stores and components, rolled back");
      Bed.awaitHolds(PATIENCE, () -> assertThat(steps.all()).isEqualTo(ServerSteps.oneByOne(2)));
    }
    assertThat(open.servers())
        .extracting(pod -> pod.getSpec().getInitContainers().getFirst().getImage())
        .containsOnly(other.shipped().operator());
    assertThat(open.pods())
        .extracting(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .contains(other.shipped().store())
        .doesNotContain(other.other().store());
  }

  /** No pod of the one whose window is closed was ever replaced, and nobody tried. */
  private static void theClosedOneIsAsItWas() {
    assertThat(shut.writesSince(installed)).isEmpty();
    assertThat(shutTemplates.changes()).isEmpty();
    assertThat(WindowedPlane.uids(shut.pods())).isEqualTo(shutPods);
    assertThat(shut.bundle()).isEqualTo(before);
  }

  private static Stream<WindowedPlane> all() {
    return Stream.of(open, soon, shut);
  }
}
