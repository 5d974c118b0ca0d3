// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.queue;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.decision.Decider;
import io.exaplane.scheduler.engine.decision.Decision;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods get their turn, wait, and get another one when something happens that may help. */
class SchedulingQueueTest {
  private static final long SECOND = QueueBed.SECOND;
  private static final long PATIENCE = QueueBed.PATIENCE;
  private static final String FIT = "NodeResourcesFit";

  private final Profile profile = Profile.defaults(Version.newest());
  private final QueueBed bed = QueueBed.of(profile);
  private final Cluster cluster = bed.cluster();
  private final SchedulingQueue queue = bed.queue();
  private final Intake intake = bed.intake();
  private final ObjectReader reader = bed.reader();
  private final Decider decider = new Decider(cluster, profile, 1, false);

  @Test
  void moreImportantPodsFirstThenWhoCameFirst() {
    put(1, pod("early", 0));
    put(2, pod("late", 0));
    put(3, pod("important", 7));
    assertThat(pop()).isEqualTo("important");
    assertThat(pop()).isEqualTo("early");
    assertThat(pop()).isEqualTo("late");
    assertThat(queue.pop()).isNull();
  }

  @Test
  void whatHelpsLetsAPodWaitOutItsBackoffOrHaveItsTurn() {
    put(1, pod("ours", 0));
    refuse(1, FIT);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
    put(1, node("n1"));
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.BACKOFF);
    queue.endWaits(2 * SECOND);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.BACKOFF);
    queue.endWaits(3 * SECOND);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.ACTIVE);
  }

  @Test
  void whoWaitsIsCountedByWhatForAndSinceItHasLeftItsGates() {
    assertThat(queue.waits()).isEqualTo(Waiting.NONE);
    put(2, pod("refused", 0));
    refuse(3, FIT);
    put(5, pod("active", 0));
    assertThat(queue.waits()).isEqualTo(new Waiting(1, 0, 1, 0, 2 * SECOND));
    put(6, node("n1"));
    assertThat(queue.waits()).isEqualTo(new Waiting(2, 0, 0, 0, 2 * SECOND));
  }

  @Test
  void aPodThatWaitsAfterARefusalNeedNotIfNobodyElseDoes() {
    put(1, pod("ours", 0));
    QueuedPod pod = queue.pop();
    put(1, node("n1"));
    intake.at(SECOND).refused(pod, List.of(FIT));
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.BACKOFF);
    assertThat(pop()).isEqualTo("ours");
  }

  @Test
  void afterAnErrorAPodWaits() {
    put(1, pod("ours", 0));
    intake.at(SECOND).refused(queue.pop(), List.of());
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.ERROR_BACKOFF);
    assertThat(queue.pop()).isNull();
  }

  @Test
  void backoffDoublesUpToTheMost() {
    assertThat(List.of(1, 2, 3, 4, 5, 64, 1000))
        .extracting(attempts -> Backoff.DEFAULT.durationNs(attempts, 1) / 1_000_000)
        .containsExactly(1000L, 2000L, 4000L, 8000L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void whatCannotHelpChangesNothing() {
    put(1, pod("ours", 0));
    refuse(1, "NodeAffinity");
    Map<String, Object> full = node("n1");
    put(2, full);
    assertThat(place("ours")).isNotEqualTo(QueuedPod.Place.UNSCHEDULABLE);
    intake.at(3 * SECOND).refused(queue.pop(), List.of(FIT));
    Map<String, Object> labelled = node("n1");
    labelled.put("metadata", map("name", "n1", "labels", map("a", "b")));
    put(4, labelled);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
  }

  @Test
  void gatedPodsHaveTheirTurnOnceTheirGatesAreGone() {
    Map<String, Object> gated = pod("ours", 0);
    spec(gated).put("schedulingGates", List.of(map("name", "example.org/one")));
    put(1, gated);
    assertThat(queue.get("default/ours").isGated()).isTrue();
    assertThat(queue.pop()).isNull();
    put(2, node("n1"));
    assertThat(queue.pop()).isNull();
    put(3, pod("ours", 0));
    assertThat(pop()).isEqualTo("ours");
  }

  @Test
  void afterFiveMinutesAPodIsTriedAllTheSame() {
    put(1, pod("ours", 0));
    refuse(1, FIT);
    queue.losePatience(301 * SECOND);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
    queue.losePatience(302 * SECOND);
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.ACTIVE);
  }

  @Test
  void aBindingThatFailsGivesTheRoomToOthers() {
    put(1, node("n1"));
    put(1, pod("first", 5));
    put(1, pod("second", 0));
    QueuedPod first = queue.pop();
    QueuedPod second = queue.pop();
    intake.at(2 * SECOND).assume(first, cluster.nodeId("n1"), List.of(), VolumePlan.NONE);
    intake.refused(second, List.of(FIT));
    assertThat(place("second")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
    intake.at(9 * SECOND).bindingFailed(first, "n1", Set.of());
    assertThat(place("second")).isEqualTo(QueuedPod.Place.ACTIVE);
    assertThat(cluster.nodes().podCount(cluster.nodeId("n1"))).isZero();
    assertThat(place("first")).isEqualTo(QueuedPod.Place.ERROR_BACKOFF);
  }

  /** Seed 76720138921 of the queue's oracle test. */
  @Test
  void aPodTakesItsPlaceAsItWasWhenItsTurnBegan() {
    put(1, node("n1"));
    put(1, labelled("first", "db"));
    put(2, spreadAmong("second", "db"));
    put(3, spreadAmong("third", "cache"));
    QueuedPod first = queue.pop();
    put(4, labelled("first", "cache"));
    List<QueuedPod> pods = List.of(first, queue.pop(), queue.pop());
    intake.assume(first, cluster.nodeId("n1"), List.of(), VolumePlan.NONE);
    assertThat(app("first")).isEqualTo("db");
    pods.subList(1, 3).forEach(pod -> intake.refused(pod, List.of("PodTopologySpread")));
    intake.at(9 * SECOND).bindingFailed(pods.getFirst(), "n1", Set.of());
    assertThat(app("first")).as("what the API server told meanwhile").isEqualTo("cache");
    assertThat(place("second")).isEqualTo(QueuedPod.Place.ACTIVE);
    assertThat(place("third")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
  }

  /** As kube-scheduler 1.37, which does not ask whose update it is. */
  @Test
  void podsInFlightTakeAnUpdateOfAnotherForTheirOwn() {
    put(1, node("n1"));
    put(1, labelled("first", "db"));
    put(2, spreadAmong("second", "db"));
    put(3, spreadAmong("third", "web"));
    List<QueuedPod> pods = List.of(queue.pop(), queue.pop(), queue.pop());
    put(4, labelled("first", "cache"));
    pods.subList(1, 3).forEach(pod -> intake.refused(pod, List.of("PodTopologySpread")));
    assertThat(place("second")).isEqualTo(QueuedPod.Place.BACKOFF);
    assertThat(place("third")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
  }

  @Test
  void defect3PodsThatFoundNoNodeAreTriedAgainWhenThereIsRoom() {
    put(1, node("n1"));
    put(1, pod("first", 0));
    put(2, pod("second", 0));
    assertThat(decideAll(3)).containsExactly("first on n1");
    assertThat(queue.get("default/second").rejectors()).containsExactly(FIT);
    assertThat(decideAll(4)).isEmpty();
    intake.at(9 * SECOND).removePod("default/first");
    assertThat(decideAll(9)).containsExactly("second on n1");
  }

  @Test
  void aVolumeThatIsDetachedHelpsPodsWithClaims() {
    Map<String, Object> pod = pod("ours", 0);
    Map<String, Object> claim = map("name", "v", "persistentVolumeClaim", map("claimName", "c"));
    spec(pod).put("volumes", List.of(claim));
    put(1, pod);
    put(
        1,
        map(
            "apiVersion",
            "storage.k8s.io/v1",
            "kind",
            "VolumeAttachment",
            "metadata",
            map("name", "a1"),
            "spec",
            map("attacher", "csi.example.org", "nodeName", "n1", "source", map())));
    refuse(2, "NodeVolumeLimits");
    reader.remove("VolumeAttachment", "", "another");
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.UNSCHEDULABLE);
    reader.remove("VolumeAttachment", "", "a1");
    assertThat(place("ours")).isEqualTo(QueuedPod.Place.BACKOFF);
  }

  /** Its deletion was not told, as the watch was away. */
  @Test
  void aPodThatWasMadeAnewWithoutItsNodeHasATurn() {
    put(1, node("n1"));
    Map<String, Object> running = pod("db-0", 0);
    spec(running).put("nodeName", "n1");
    put(2, running);
    put(2, pod("other", 0));
    assertThat(decideAll(2)).isEmpty();
    Map<String, Object> anew = pod("db-0", 0);
    anew.put("metadata", map("name", "db-0", "namespace", "default", "uid", "another"));
    put(9, anew);
    queue.endWaits(9 * SECOND);
    assertThat(decideAll(9)).as("its place is free for who was refused").hasSize(1);
    assertThat(queue.uids(QueuedPod.Place.UNSCHEDULABLE)).hasSize(1);
    assertThat(cluster.pods()).hasSize(2);
  }

  /** Decides about every pod whose turn it is. */
  private List<String> decideAll(int second) {
    List<String> placed = new ArrayList<>();
    for (QueuedPod pod = queue.pop(); pod != null; pod = queue.pop()) {
      Decision decision = decider.decide(cluster.pod(pod.pod().key()));
      intake.at(second * SECOND);
      if (decision.node().isEmpty()) {
        intake.refused(pod, decider.rejectors(cluster.pod(pod.pod().key())));
      } else {
        intake.assume(pod, cluster.nodeId(decision.node()), decision.grants(), VolumePlan.NONE);
        placed.add(pod.pod().name() + " on " + decision.node());
      }
    }
    return placed;
  }

  private void put(int second, Map<String, Object> object) {
    intake.at(second * SECOND);
    reader.read(Fields.of(object, ""));
  }

  private void refuse(int second, String plugin) {
    intake.at(second * SECOND).refused(queue.pop(), List.of(plugin));
  }

  private String pop() {
    return queue.pop().pod().name();
  }

  private QueuedPod.Place place(String name) {
    return queue.get("default/" + name).place();
  }

  private static Map<String, Object> node(String name) {
    return map(
        "kind",
        "Node",
        "metadata",
        map("name", name),
        "status",
        map("allocatable", map("cpu", "1", "memory", "1Gi", "pods", "110")));
  }

  private static Map<String, Object> pod(String name, int priority) {
    Map<String, Object> container =
        map("name", "c", "resources", map("requests", map("cpu", "700m")));
    return map(
        "kind",
        "Pod",
        "metadata",
        map("name", name, "namespace", "default", "uid", name),
        "spec",
        map("priority", priority, "containers", List.of(container)));
  }

  private static Map<String, Object> labelled(String name, String app) {
    Map<String, Object> pod = pod(name, 0);
    Map<String, Object> labels = map("app", app);
    pod.put("metadata", map("name", name, "namespace", "default", "uid", name, "labels", labels));
    return pod;
  }

  private static Map<String, Object> spreadAmong(String name, String app) {
    Map<String, Object> pod = pod(name, 0);
    Map<String, Object> constraint =
        map(
            "maxSkew",
            1,
            "topologyKey",
            "kubernetes.io/hostname",
            "whenUnsatisfiable",
            "DoNotSchedule",
            "labelSelector",
            map("matchLabels", map("app", app)));
    spec(pod).put("topologySpreadConstraints", List.of(constraint));
    return pod;
  }

  private String app(String name) {
    return cluster.pod("default/" + name).spec().labels().get("app");
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> spec(Map<String, Object> pod) {
    return (Map<String, Object>) pod.get("spec");
  }
}
