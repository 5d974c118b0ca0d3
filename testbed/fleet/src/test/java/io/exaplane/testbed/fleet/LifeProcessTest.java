// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RestartStatus;
import io.exaplane.api.v1alpha1.RolloutGate;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rollouts, restarts and another bundle, by the operator as a process and a real kube-apiserver
 * with the controllers of Kubernetes. The test says of pods what a kubelet would. The control
 * planes wait for their deadlines beside each other.
 */
@Tag("life")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LifeProcessTest {
  private static final String SERVER = "apiserver";
  private static final String MANAGER = "controller-manager";

  private static final String KEYS = "keys-service-account";
  private static final String PUBLIC_KEY = "sa.pub";

  /** The gates that need the servers of a control plane or a store, which nobody runs here. */
  private static final String UNANSWERED = "MetricsRead,StoresServe";

  /** One more than spec.restart.budget allows in ten minutes. */
  private static final int KILLS = 6;

  @TempDir private static Path folder;
  private static LifeBed bed;
  private static Set<String> slowBefore;
  private static Set<String> crashBefore;
  private static String formerKey;

  @BeforeAll
  static void settledControlPlanes() throws Exception {
    bed = LifeBed.start(folder);
    bed.create("slow", "rollout: {minReadySeconds: 0, progressDeadline: 30s}");
    bed.create("crash", "rollout: {minReadySeconds: 0, progressDeadline: 30s, onStall: Rollback}");
    bed.create("killed", "controllerManager: {replicas: 1}");
    bed.create("bundle", "scheduling: {mode: Pool, poolRef: {name: bundle}}");
    bed.createPool("bundle");
    bed.create("keys", "apiServer: {replicas: 1}\n  rollout: {minReadySeconds: 0}");
    bed.settle();
    slowBefore = bed.pods("slow", SERVER);
    crashBefore = bed.pods("crash", SERVER);
    bed.setFlag("slow", ReadyPods.NEVER_READY, "1ns");
    bed.setFlag("crash", ReadyPods.CRASHES, "/does-not-exist");
    formerKey = bed.secret("keys", KEYS).get(PUBLIC_KEY);
    wish("Prepare");
  }

  @AfterAll
  static void allEnds() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  /**
   * The kubelet tells of each end; the budget is used up, until a person gives it back. The pod is
   * younger than its kube-apiserver: the operator would replace one that has waited for it.
   */
  @Test
  @Order(1)
  void sixRestartsInTenMinutesUseTheBudgetUp() throws Exception {
    Pod pod = bed.youngerPod("killed", MANAGER);
    for (int kills = 1; kills <= KILLS; kills++) {
      int restarts = kills;
      assertThat(budget().status())
          .as("before end %d", kills)
          .isEqualTo(kills < KILLS ? Condition.TRUE : Condition.FALSE);
      bed.say(ReadyPods.restarted(bed.onlyPod("killed", MANAGER), restarts));
      bed.until("the end number %d is counted".formatted(kills), () -> counted() == restarts);
    }
    bed.until("the component is held", () -> budget().status().equals(Condition.FALSE));
    assertThat(budget().reason()).isEqualTo(Reason.RestartsHeld.name());
    assertThat(budget().message())
        .contains(
            "kube-controller-manager restarted 6 times within 10m",
            "spec.restart.budget allows 5",
            ReadyPods.LAST_LINE,
            "exaplane.io/release-restarts");
    assertThat(bed.onlyPod("killed", MANAGER).getMetadata().getUid())
        .as("the operator replaced nothing")
        .isEqualTo(pod.getMetadata().getUid());
    bed.annotate("killed", "exaplane.io/release-restarts", "1");
    bed.until("counting starts again", () -> budget().status().equals(Condition.TRUE));
  }

  private static Condition budget() {
    return bed.condition("killed", ConditionType.RestartBudgetAvailable).orElseThrow();
  }

  private static int counted() {
    RestartStatus restarts = bed.controlPlane("killed").getStatus().restart();
    return restarts == null || restarts.components() == null
        ? 0
        : restarts.components().stream()
            .map(RestartStatus.Component::pods)
            .filter(Objects::nonNull)
            .flatMap(List::stream)
            .mapToInt(RestartStatus.PodRestarts::restarts)
            .sum();
  }

  @Test
  @Order(2)
  void aServerThatIsSlowToBecomeReadyHoldsTheRolloutAtOnePod() throws Exception {
    stopped("slow", "container kube-apiserver runs but is not ready");
    assertThat(blocked("slow")).contains(RolloutGate.MinReady, RolloutGate.ProgressDeadline);
    assertThat(bed.pods("slow", SERVER))
        .as("one more, and none less")
        .containsAll(slowBefore)
        .hasSize(slowBefore.size() + 1);
    assertThat(progressing("slow").message()).contains("Correct the spec");
    assertThat(rollout("slow").orElseThrow().rolledBackTo()).isNull();
    bed.dropFlags("slow");
    bed.until(
        "the corrected spec takes the new pod away",
        () -> rollout("slow").isEmpty() && bed.pods("slow", SERVER).equals(slowBefore));
  }

  @Test
  @Order(3)
  void aServerThatCrashesIsRolledBackToTheLastSettledTemplate() throws Exception {
    stopped("crash", ReadyPods.LAST_LINE);
    bed.until(
        "the pods are those of before",
        () ->
            rollout("crash").filter(now -> now.rolledBackTo() != null).isPresent()
                && bed.pods("crash", SERVER).equals(crashBefore));
    bed.until(
        "nothing more is done",
        () -> rollout("crash").filter(now -> "rolled back".equals(now.step())).isPresent());
    assertThat(progressing("crash").reason()).isEqualTo(Reason.ProgressDeadlineExceeded.name());
    assertThat(progressing("crash").message()).contains("rolled back", ReadyPods.LAST_LINE);
    bed.dropFlags("crash");
    bed.until("the corrected spec is taken", () -> rollout("crash").isEmpty());
    assertThat(bed.pods("crash", SERVER)).isEqualTo(crashBefore);
  }

  /** The servers of before serve all the time, as far as Kubernetes knows. */
  private static void stopped(String plane, String words) throws Exception {
    bed.until(
        "the rollout of " + plane + " stopped",
        () -> {
          assertThat(bed.serverAvailable(plane)).as("servers of %s", plane).isTrue();
          return progressing(plane).reason().equals(Reason.ProgressDeadlineExceeded.name());
        });
    assertThat(progressing(plane).status()).isEqualTo(Condition.FALSE);
    assertThat(progressing(plane).message()).contains(words);
    assertThat(rollout(plane).orElseThrow().lastWords()).contains(words);
  }

  private static List<RolloutGate> blocked(String plane) {
    return rollout(plane).map(RolloutStatus::blockedBy).filter(Objects::nonNull).stream()
        .flatMap(List::stream)
        .map(RolloutStatus.Blocked::gate)
        .toList();
  }

  private static Condition progressing(String plane) {
    return bed.condition(plane, ConditionType.Progressing).orElseThrow();
  }

  private static Optional<RolloutStatus> rollout(String plane) {
    return Optional.ofNullable(bed.controlPlane(plane).getStatus().rollout());
  }

  /** The key of tokens, step by step: each component's pods are replaced before the next step. */
  @Test
  @Order(4)
  void aKeyIsRotatedWithoutNodes() throws Exception {
    awaitPhase(RotationPhase.Prepared);
    Map<String, String> prepared = bed.secret("keys", KEYS);
    assertThat(prepared.get(PUBLIC_KEY)).as("signs").isNotEqualTo(formerKey);
    assertThat(prepared.values()).as("still verifies").contains(formerKey);
    wish("Complete");
    awaitPhase(RotationPhase.Completed);
    assertThat(bed.secret("keys", KEYS))
        .containsEntry(PUBLIC_KEY, prepared.get(PUBLIC_KEY))
        .doesNotContainValue(formerKey);
    assertThat(bed.condition("keys", ConditionType.RotationComplete).orElseThrow().status())
        .isEqualTo(Condition.TRUE);
  }

  private static void wish(String wish) {
    bed.patch(
        "keys",
        "{\"spec\":{\"pki\":{\"rotation\":{\"serviceAccountKey\":\"%s\"}}}}".formatted(wish));
  }

  private static void awaitPhase(RotationPhase phase) throws Exception {
    bed.until(
        "the key of tokens is " + phase,
        () -> {
          // The annotation goes away with each rollout.
          if (rollout("keys").filter(now -> now.override() == null).isPresent()) {
            bed.annotate("keys", "exaplane.io/rollout-override", UNANSWERED);
          }
          RotationStatus rotation = bed.controlPlane("keys").getStatus().rotation();
          return rotation != null
              && rotation.serviceAccountKey() != null
              && rotation.serviceAccountKey().phase() == phase;
        });
  }

  /** Another flag, another request and other images, of which no template of pods has one. */
  @Test
  @Order(5)
  void anotherBundleWritesNoTemplateAndShowsTheDifference() throws Exception {
    bed.settle();
    String before = bed.controlPlane("bundle").getStatus().bundle();
    int writes = bed.writes();
    bed.replaceOperator(OtherBundle.make(Files.createDirectory(folder.resolve("other"))));
    bed.until(
        "the difference is shown",
        () ->
            bed.shown("bundle", "bundle-bundle").equals(OtherBundle.ofControlPlane(2))
                && bed.shown("bundle", "bundle-default-store-bundle")
                    .equals(OtherBundle.ofCriticalStore())
                && bed.shown("bundle", "bundle-events-store-bundle")
                    .equals(OtherBundle.ofBestEffortStore())
                && bed.shown("bundle", "bundle-tree-bundle").equals(OtherBundle.ofPool()));
    bed.until("all tell of it", () -> bed.pending("bundle").size() == 4);
    bed.looksAgain();
    assertThat(bed.templatesWritten(writes)).as("writes of Deployments and StatefulSets").isEmpty();
    assertThat(bed.controlPlane("bundle").getStatus().bundle()).isEqualTo(before);
    String message = bed.pending("bundle").getFirst();
    assertThat(message).contains(before, "bundle-bundle");
    String other = message.replaceFirst("(?s).*set spec.rollout.bundle to ([^ ]+[0-9a-f]).*", "$1");
    bed.patch("bundle", "{\"spec\":{\"rollout\":{\"bundle\":\"%s\"}}}".formatted(other));
    bed.until(
        "a template is written, so that the log is known to work",
        () -> !bed.templatesWritten(writes).isEmpty());
    assertThat(bed.templatesWritten(writes).getFirst())
        .as("a store comes first, and nothing of the other control planes")
        .contains("/namespaces/bundle/statefulsets/bundle-");
  }
}
