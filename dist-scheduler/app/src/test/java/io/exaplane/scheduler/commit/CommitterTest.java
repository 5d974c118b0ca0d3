// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.PodGroup;
import io.exaplane.scheduler.engine.plugin.VolumePlan;
import io.exaplane.scheduler.lease.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CommitterTest {
  private static final PodRef POD = new PodRef("ns", "p", "uid-1", "default-scheduler");
  private static final String BINDING = "POST /api/v1/namespaces/ns/pods/p/binding?timeout=750ms";
  private static final String STATUS = "PATCH /api/v1/namespaces/ns/pods/p/status";
  private static final String POD_ITSELF = "GET /api/v1/namespaces/ns/pods/p";
  private static final String EVENT = "POST /apis/events.k8s.io/v1/namespaces/ns/events";
  private static final String DONE = "";

  private final ScriptedApi api = new ScriptedApi();
  private final AtomicReference<Standing> standing = new AtomicReference<>(Standing.HELD);
  private final Committer committer =
      new Committer(api, api, standing::get, Duration.ofSeconds(1), "host");
  private Preparation preparation;
  private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    committer.close();
  }

  @Test
  void bindsAndTells() throws Exception {
    bind();
    assertThat(end()).isEqualTo(DONE);
    await(() -> api.asked.size() == 2);
    assertThat(api.methods()).containsExactly(BINDING, EVENT);
    assertThat(api.asked.getFirst().body().get("metadata"))
        .isEqualTo(Map.of("namespace", "ns", "name", "p", "uid", "uid-1"));
    assertThat(api.asked.getLast().body())
        .containsEntry("note", "Successfully assigned ns/p to n1")
        .containsEntry("reportingInstance", "default-scheduler-host");
  }

  @Test
  void aPodThatHasToWaitTellsWhereItIsToGoUntilItDoesNot() throws Exception {
    committer.say(POD, PodStatus.refused(true, "trouble", ""));
    await(() -> api.asked.size() == 1);
    api.answer(200, Map.of()).answer(404, Map.of("message", "trouble"));
    bind(true);
    assertThat(end()).contains("trouble");
    assertThat(api.methods()).containsExactly(STATUS, STATUS, BINDING);
    assertThat(String.valueOf(api.asked.get(1).body())).contains("nominatedNodeName=n1");
    committer.say(POD, PodStatus.refused(true, "trouble", ""));
    await(() -> api.asked.size() == 4);
    assertThat(String.valueOf(api.asked.get(3).body())).contains("nominatedNodeName=null");
  }

  /** A more important pod gets its place: it is not deleted, but waits again. */
  @Test
  void aPodThatIsHeldBackIsNotBound() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    api.after(slow);
    bind(true);
    await(() -> api.asked.size() == 1);
    assertThat(preparation.holdBack("preempted")).isTrue();
    assertThat(preparation.holdBack("preempted")).as("whoever asks").isTrue();
    slow.countDown();
    assertThat(end()).contains("preempted");
    assertThat(api.methods()).containsExactly(STATUS);
  }

  @Test
  void whoseBindingWasSentIsNotHeldBack() throws Exception {
    bind();
    assertThat(end()).isEqualTo(DONE);
    assertThat(preparation.holdBack("preempted")).isFalse();
  }

  @Test
  void theConditionHasATimeThoughSomethingElseWasSaidBefore() throws Exception {
    api.answer(200, Map.of()).answer(404, Map.of("message", "trouble"));
    bind(true);
    assertThat(end()).contains("trouble");
    committer.say(POD, PodStatus.refused(true, "trouble", ""));
    await(() -> api.asked.size() == 3);
    assertThat(String.valueOf(api.asked.getLast().body())).contains("lastTransitionTime");
  }

  @Test
  void asksAgainUntilItHasAnAnswer() throws Exception {
    api.unreachable().answer(429, Map.of()).answer(500, Map.of()).answer(201, Map.of());
    bind();
    assertThat(end()).isEqualTo(DONE);
    assertThat(api.methods().subList(0, 4)).containsOnly(BINDING);
  }

  /** The first request got there, its answer did not. */
  @Test
  void anAttemptOfWhichNothingWasHeardMayHaveSucceeded() throws Exception {
    api.unreachable().answer(409, Map.of("message", "pod p is already assigned to node n1"));
    api.answer(200, podOn("uid-1", "n1"));
    bind();
    assertThat(end()).isEqualTo(DONE);
    assertThat(api.methods().subList(0, 3)).containsExactly(BINDING, BINDING, POD_ITSELF);
  }

  @Test
  void aPodThatSomebodyElseBoundOrMadeAnewDoesNotGo() throws Exception {
    for (Map<String, Object> now : List.of(podOn("uid-1", "n2"), podOn("uid-2", "n1"))) {
      api.answer(409, Map.of("message", "conflict")).answer(200, now);
      bind();
      assertThat(end()).isEqualTo("running Bind plugin \"DefaultBinder\": conflict");
    }
  }

  @Test
  void onceFencedNothingIsWritten() throws Exception {
    standing.set(Standing.LOST);
    bind();
    committer.say(POD, PodStatus.refused(false, "why", null));
    committer.tell(Notice.refused(POD, "why"));
    assertThat(ends.poll(200, TimeUnit.MILLISECONDS)).isNull();
    assertThat(api.asked).isEmpty();
  }

  @Test
  void whileNobodyKnowsWhoIsInChargeItWaits() throws Exception {
    standing.set(Standing.PAUSED);
    bind();
    assertThat(ends.poll(200, TimeUnit.MILLISECONDS)).isNull();
    assertThat(api.asked).isEmpty();
    standing.set(Standing.HELD);
    assertThat(end()).isEqualTo(DONE);
  }

  @Test
  void nothingIsSaidOfAPodAfterItIsBound() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    api.after(slow);
    committer.say(POD, PodStatus.refused(false, "first", null));
    await(() -> api.asked.size() == 1);
    committer.say(POD, PodStatus.refused(false, "second", null));
    bind();
    slow.countDown();
    assertThat(end()).isEqualTo(DONE);
    await(() -> api.methods().contains(EVENT));
    // Whether the second is written before depends on who is quicker.
    List<String> methods = api.methods();
    assertThat(methods).startsWith(STATUS).endsWith(BINDING, EVENT);
    assertThat(methods.lastIndexOf(STATUS)).isLessThan(methods.indexOf(BINDING));
  }

  @Test
  void saysTheLastOfManyThingsAndNothingTwice() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    api.after(slow);
    committer.say(POD, PodStatus.refused(false, "first", "n1"));
    await(() -> api.asked.size() == 1);
    committer.say(POD, PodStatus.refused(false, "second", null));
    committer.say(POD, PodStatus.refused(false, "third", null));
    slow.countDown();
    await(() -> api.asked.size() == 2);
    committer.say(POD, PodStatus.refused(false, "third", null));
    committer.say(POD, PodStatus.refused(false, "third", "n1"));
    committer.say(POD, PodStatus.waitsNoMore());
    await(() -> api.asked.size() == 3);
    assertThat(String.valueOf(api.asked.get(1).body().get("status")))
        .contains("third", "nominatedNodeName=n1");
    assertThat(String.valueOf(api.asked.get(2).body().get("status")))
        .contains("third", "nominatedNodeName=null");
  }

  @Test
  void victimsGoUnlessTheyLeftTheNode() throws Exception {
    api.answer(200, podOn("uid-v", "n1")).answer(200, Map.of()).answer(200, Map.of());
    committer.evict(
        List.of(victim("v")), Preemptor.of(POD, "n1"), trouble -> ends.add(trouble + ""));
    assertThat(end()).isEqualTo("null");
    await(() -> api.asked.size() == 4);
    String path = "/api/v1/namespaces/ns/pods/v";
    assertThat(api.methods())
        .containsExactly("GET " + path, "PATCH " + path + "/status", "DELETE " + path, EVENT);
    assertThat(api.asked.get(2).body()).containsEntry("preconditions", Map.of("uid", "uid-v"));
    api.asked.clear();
    api.answer(200, podOn("uid-v", "n2"))
        .answer(404, Map.of())
        .answer(403, Map.of("message", "no"));
    committer.evict(
        List.of(victim("v"), victim("w"), victim("x")), Preemptor.of(POD, "n1"), ends::add);
    assertThat(end()).isEqualTo("ns/x: no");
    assertThat(api.methods()).allMatch(asked -> asked.startsWith("GET"));
  }

  @Test
  void theSameEventIsWrittenOnce() throws Exception {
    committer.tell(Notice.refused(POD, "x".repeat(2000)));
    committer.tell(Notice.refused(POD, "x".repeat(2000)));
    committer.tell(Notice.refused(POD, "other"));
    await(() -> api.asked.size() == 2);
    assertThat(api.asked)
        .extracting(request -> request.body().get("note").toString().length())
        .containsExactlyInAnyOrder(1024, 5);
  }

  /** Thousands of pods that are alike leave room for others' Events. */
  @Test
  void theSameWordsAreNotToldOfVeryManyPodsAtOnce() throws Exception {
    int pods = 3 * EventShares.AT_ONCE;
    for (int i = 0; i < pods; i++) {
      PodRef pod = new PodRef("ns", "p" + i, "uid-" + i, "default-scheduler");
      committer.tell(Notice.refused(pod, "0/3 nodes are available"));
      int sent = i;
      await(() -> api.asked.size() + committer.droppedEvents() > sent);
    }
    assertThat(committer.droppedEvents()).isPositive();
    committer.tell(Notice.refused(POD, "other"));
    await(() -> api.asked.getLast().body().get("note").equals("other"));
  }

  @Test
  void sharesGrowAgain() {
    EventShares shares = new EventShares();
    Instant now = Instant.EPOCH;
    Notice notice = Notice.refused(POD, "0/3 nodes are available");
    for (int i = 0; i < EventShares.AT_ONCE; i++) {
      assertThat(shares.mayTell(notice, now)).isTrue();
    }
    assertThat(shares.mayTell(notice, now)).isFalse();
    assertThat(shares.mayTell(Notice.scheduled(POD, "n1"), now)).isTrue();
    Instant later = now.plusSeconds(1);
    for (int i = 0; i < EventShares.A_SECOND; i++) {
      assertThat(shares.mayTell(notice, later)).isTrue();
    }
    assertThat(shares.mayTell(notice, later)).isFalse();
  }

  private static Victim victim(String name) {
    return new Victim(new PodRef("ns", name, "", "default-scheduler"), "n1");
  }

  @Test
  void aVictimOnItsWayGoesToo() throws Exception {
    PodRef onItsWay = new PodRef("ns", "v", "uid-v", "default-scheduler");
    api.answer(200, Map.of("metadata", Map.of("uid", "uid-v"), "spec", Map.of()));
    committer.evict(
        List.of(new Victim(onItsWay, "n1")),
        Preemptor.of(POD, "n1"),
        trouble -> ends.add(trouble + ""));
    assertThat(end()).isEqualTo("null");
    assertThat(api.methods()).contains("DELETE /api/v1/namespaces/ns/pods/v");
  }

  @Test
  void aGroupsConditionIsWrittenOnceAndNeverTakenBack() throws Exception {
    String group = "/apis/scheduling.k8s.io/v1beta1/namespaces/ns/podgroups/red";
    PodGroup red = new PodGroup("ns", "red", "uid-red", 2, 0, false, null);
    api.answer(200, group(Map.of())).answer(200, Map.of());
    committer.say(red, GroupStatus.refused(false, "too few"));
    await(() -> api.asked.size() == 2);
    assertThat(api.methods()).containsExactly("GET " + group, "PATCH " + group + "/status");
    assertThat(String.valueOf(api.asked.getLast().body()))
        .contains("uid=uid-red", "status=False", "reason=Unschedulable", "message=too few")
        .contains("observedGeneration=7", "lastTransitionTime=");
    api.asked.clear();
    Map<String, Object> scheduled =
        Map.of("type", GroupStatus.TYPE, "status", "True", "reason", "Scheduled", "message", "");
    api.answer(200, group(scheduled)).answer(200, group(scheduled));
    committer.say(red, GroupStatus.scheduled());
    await(() -> api.asked.size() == 1);
    committer.say(red, GroupStatus.refused(true, "trouble"));
    await(() -> api.asked.size() == 2);
    assertThat(api.methods()).allMatch(asked -> asked.startsWith("GET"));
  }

  private static Map<String, Object> group(Map<String, Object> condition) {
    List<Object> conditions = condition.isEmpty() ? List.of() : List.of(condition);
    return Map.of(
        "metadata", Map.of("uid", "uid-red", "generation", 7L),
        "status", Map.of("conditions", conditions));
  }

  @Test
  void victimsOfAGroupGoFromSeveralNodes() throws Exception {
    PodGroup red = new PodGroup("ns", "red", "uid-red", 2, 0, false, null);
    api.answer(200, podOn("uid-v", "n1")).answer(200, Map.of()).answer(200, Map.of());
    api.answer(200, podOn("uid-w", "n2")).answer(200, Map.of()).answer(200, Map.of());
    Victim other = new Victim(new PodRef("ns", "w", "", "default-scheduler"), "n2");
    Preemptor by = Preemptor.of(red, "default-scheduler");
    committer.evict(List.of(victim("v"), other), by, trouble -> ends.add(trouble + ""));
    assertThat(end()).isEqualTo("null");
    await(() -> api.methods().stream().filter(EVENT::equals).count() == 2);
    assertThat(api.methods())
        .contains("DELETE /api/v1/namespaces/ns/pods/v", "DELETE /api/v1/namespaces/ns/pods/w");
    assertThat(api.asked.stream().map(asked -> String.valueOf(asked.body())).toList().toString())
        .contains("Preempted by podgroup uid-red on node cluster", "higher priority podgroup")
        .contains("kind=PodGroup");
  }

  /** As from a webhook that is down. */
  @Test
  void anErrorThatStaysIsTheServersLastWord() throws Exception {
    for (int i = 0; i < 6; i++) {
      api.answer(500, Map.of("message", "failed calling webhook"));
    }
    for (int i = 0; i < 6; i++) {
      api.answer(500, Map.of());
    }
    api.answer(200, podOn("uid-1", ""));
    bind();
    assertThat(end()).as("once the pod itself says so").contains("failed calling webhook");
  }

  @Test
  void whatWasRefusedIsSaidAgain() throws Exception {
    api.answer(403, Map.of("message", "forbidden"));
    committer.say(POD, PodStatus.refused(false, "why", null));
    await(() -> api.asked.size() == 1);
    await(
        () -> {
          committer.say(POD, PodStatus.refused(false, "why", null));
          return api.asked.size() == 2;
        });
  }

  private void bind() {
    bind(false);
  }

  private void bind(boolean tellsWhere) {
    preparation = new Preparation();
    Commitment commitment =
        new Commitment(
            POD,
            "n1",
            tellsWhere,
            preparation,
            ClaimPlan.NONE,
            made -> new CompletableFuture<>(),
            VolumePlan.NONE,
            CompletableFuture::new);
    committer.bind(commitment, end -> ends.add(end.isThere() ? DONE : end.trouble()));
  }

  private static Map<String, Object> podOn(String uid, String node) {
    return Map.of("metadata", Map.of("uid", uid), "spec", Map.of("nodeName", node));
  }

  private String end() throws InterruptedException {
    return ends.poll(30, TimeUnit.SECONDS);
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(1);
    }
  }
}
