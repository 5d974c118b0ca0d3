// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.AnsweringApi.Asked;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.upgrade.Drain;
import io.exaplane.operator.nodepool.upgrade.Turn;
import io.exaplane.operator.nodepool.upgrade.Turn.Phase;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct;
import io.exaplane.operator.nodepool.upgrade.UpgradeAct.Kind;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is asked of a hosted API while a node is drained, and what comes of its answers. */
class NodeTurnsTest {
  private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");
  private static final Turn TURN = new Turn("1.37.2", Phase.Draining, NOW, true);
  private static final NodeTurn NODE =
      new NodeTurn("n1", "u1", "7", "", true, "1.36.4", true, TURN.text(), "");
  private static final String STATUS =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":%d,\"message\":\"%s\"}";

  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private final List<String> pods = new ArrayList<>();
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final NodeTurns turns = new NodeTurns();
  private AnsweringApi api;

  @BeforeEach
  void begin() throws IOException {
    api = new AnsweringApi(this::answer);
  }

  @AfterEach
  void end() {
    api.close();
  }

  private Answer answer(Asked request) {
    asked.add(request);
    Answer told = answers.get(request.path());
    if (told != null) {
      return told;
    }
    return request.path().equals("/api/v1/pods")
        ? new Answer(
            200,
            "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[%s]}"
                .formatted(String.join(",", pods)))
        : new Answer(200, "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{}}");
  }

  private void refuse(String path, int code, String message) {
    answers.put(path, new Answer(code, STATUS.formatted(code, message)));
  }

  private void pod(String name, String metadata) {
    pods.add(
        "{\"metadata\":{\"name\":\"%1$s\",\"namespace\":\"ns\",\"uid\":\"uid-%1$s\"%2$s},\"spec\":{\"nodeName\":\"n1\"}}"
            .formatted(name, metadata));
  }

  private static String owned(String kind) {
    return ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"%s\",\"name\":\"o\",\"uid\":\"o\",\"controller\":true}]"
        .formatted(kind);
  }

  private static String eviction(String pod) {
    return "/api/v1/namespaces/ns/pods/" + pod + "/eviction";
  }

  private Optional<KubernetesClientException> does(Kind kind, Turn turn) {
    return turns.carryOut(List.of(new UpgradeAct(kind, NODE, turn)), NOW, api.client());
  }

  private Drain drain() {
    does(Kind.DRAIN, TURN);
    return turns.drains().get("n1");
  }

  private List<String> paths(String method) {
    return asked.stream()
        .filter(request -> request.method().equals(method))
        .map(Asked::path)
        .toList();
  }

  @Test
  void podsOfControllersAreEvictedAndOthersStay() {
    pod("web", owned("ReplicaSet"));
    pod("agent", owned("DaemonSet"));
    pod("static", ",\"annotations\":{\"kubernetes.io/config.mirror\":\"x\"}");
    pod("leaving", owned("ReplicaSet") + ",\"deletionTimestamp\":\"2026-11-28T11:59:00Z\"");
    assertThat(drain()).isEqualTo(new Drain(2, "Pod ns/leaving is being deleted.", false));
    assertThat(paths("POST")).containsExactly(eviction("web"));
    assertThat(asked.stream().filter(each -> each.method().equals("POST")))
        .singleElement()
        .satisfies(each -> assertThat(each.body()).contains("\"uid\":\"uid-web\""));
    assertThat(URLDecoder.decode(asked.getFirst().uri(), StandardCharsets.UTF_8))
        .contains("spec.nodeName=n1", "status.phase!=Succeeded", "status.phase!=Failed");
    assertThat(paths("PATCH")).as("pods are left").isEmpty();
  }

  private void drainMoving() {
    turns.carryOut(List.of(new UpgradeAct(Kind.DRAIN, NODE.moving(), TURN)), NOW, api.client());
  }

  /** Only the very Node that was seen, and only once no pod is left. */
  @Test
  void aNodeWhoseHostHasAnotherPrefixIsDeletedWhenItIsEmpty() {
    pod("web", owned("ReplicaSet"));
    drainMoving();
    assertThat(paths("DELETE")).isEmpty();
    pods.clear();
    refuse("/api/v1/nodes/n1", 409, "the object has been modified");
    drainMoving();
    assertThat(paths("DELETE")).containsExactly("/api/v1/nodes/n1");
    assertThat(turns.away(List.of(NODE), NOW)).as("somebody wrote it meanwhile").isEmpty();
    answers.clear();
    drainMoving();
    assertThat(turns.away(List.of(NODE), NOW))
        .as("the watch may be late")
        .containsOnly(Map.entry("n1", NOW));
    assertThat(asked.stream().filter(each -> each.method().equals("DELETE")).toList().getLast())
        .satisfies(each -> assertThat(each.body()).contains("\"resourceVersion\":\"7\""));
    assertThat(paths("PATCH")).isEmpty();
    assertThat(turns.away(List.of(), NOW.plus(UpgradePlan.AWAY))).as("a day later").isEmpty();
  }

  /** Whoever deletes it then, such as a person, is not waited for. */
  @Test
  void aNodeThatCameBackAndIsGoneAgainIsNotAway() {
    drainMoving();
    assertThat(turns.away(List.of(), NOW)).containsKey("n1");
    NodeTurn other = new NodeTurn("n1", "u2", "9", "", true, "1.36.4", false, "", "");
    assertThat(turns.away(List.of(other), NOW)).isEmpty();
    assertThat(turns.away(List.of(), NOW)).isEmpty();
  }

  @Test
  void aBudgetKeepsAPodAndIsNamed() {
    pod("web", owned("ReplicaSet"));
    refuse(
        eviction("web"), 429, "Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(drain())
        .isEqualTo(
            new Drain(
                1,
                "Pod ns/web stays: Cannot evict pod as it would violate the pod's disruption budget."
                    + " Check the PodDisruptionBudgets of its namespace.",
                false));
  }

  @Test
  void severalBudgetsAreNamedAndAFaultOfTheApiPasses() {
    pod("web", owned("ReplicaSet"));
    refuse(
        eviction("web"),
        500,
        "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
    assertThat(drain().obstacle()).contains("does not support. Check the PodDisruptionBudgets");
    turns.carryOut(List.of(), NOW, api.client());
    refuse(eviction("web"), 500, "Internal error occurred: etcd is away");
    assertThat(drain()).as("asked again later").isNull();
    refuse(
        eviction("web"),
        500,
        "Internal error occurred: failed calling webhook \\\"w.example\\\": no endpoints available");
    assertThat(drain().obstacle())
        .contains("Webhook w.example", "no endpoints", "Repair the webhook")
        .doesNotContain("PodDisruptionBudgets");
  }

  /** Who has a webhook in the hosted cluster says what it likes. */
  @Test
  void wordsOfOthersAreShortAndPlain() {
    pod("web", owned("ReplicaSet"));
    String many = "\\u001b[31mred\\n" + "x".repeat(1_000_000);
    refuse(eviction("web"), 429, many);
    assertThat(drain().obstacle())
        .hasSizeLessThan(600)
        .startsWith("Pod ns/web stays: ?[31mred xxx")
        .endsWith("Check the PodDisruptionBudgets of its namespace.");
    refuse(eviction("web"), 429, "admission webhook \\\"w\\\" denied the request: " + many);
    assertThat(drain().obstacle())
        .hasSizeLessThan(700)
        .contains("Webhook w refuses", "?[31mred xxx", "Change what the webhook objects to");
    refuse(
        eviction("web"),
        429,
        "admission webhook \\\"" + "w".repeat(1_000_000) + "\\\" denied the request: no");
    assertThat(drain().obstacle()).hasSizeLessThan(1_100);
  }

  @Test
  void aPodThatNobodyWouldMakeAgainIsNotEvicted() {
    pod("alone", "");
    Drain found = drain();
    assertThat(found.needsPerson()).isTrue();
    assertThat(found.obstacle()).startsWith("Pod ns/alone has no controller");
    assertThat(paths("POST")).isEmpty();
  }

  @Test
  void aNodeWithoutPodsIsDrained() {
    pod("web", owned("ReplicaSet"));
    refuse(eviction("web"), 404, "pods \\\"web\\\" not found");
    assertThat(drain()).isEqualTo(new Drain(0, "", false));
    assertThat(asked.getLast().body())
        .contains(
            "\"uid\":\"u1\"",
            "\"resourceVersion\":\"7\"",
            "\"exaplane.io/upgrade\":\"1.37.2;Drained;2026-11-28T12:00:00Z;Uncordon\"")
        .doesNotContain("unschedulable");
  }

  @Test
  void aNodeIsCordonedAndComesBackAsItWas() {
    does(Kind.CORDON, TURN);
    assertThat(asked.getLast().body())
        .contains("\"unschedulable\":true", "1.37.2;Draining", "upgrade-failed\":null");
    does(Kind.RETURN, TURN);
    assertThat(turns.takeReturned()).containsExactly("n1");
    assertThat(turns.takeReturned()).as("once").isEmpty();
    assertThat(asked.getLast().body())
        .contains("\"unschedulable\":null", "\"exaplane.io/upgrade\":null");
    does(Kind.RETURN, new Turn("1.37.2", Phase.Drained, NOW, false));
    assertThat(asked.getLast().body()).doesNotContain("unschedulable");
  }

  @Test
  void aNodeThatSomebodyWroteMeanwhileIsLeftAndARefusalIsTold() {
    refuse("/api/v1/nodes/n1", 409, "the object has been modified");
    does(Kind.RETURN, TURN);
    assertThat(turns.takeReturned()).isEmpty();
    refuse("/api/v1/nodes/n1", 503, "later");
    assertThat(does(Kind.RETURN, TURN)).as("it passes by itself").isEmpty();
    refuse("/api/v1/nodes/n1", 403, "User \\\"x\\\" cannot patch resource \\\"nodes\\\"");
    assertThat(does(Kind.RETURN, TURN)).isPresent();
  }

  @Test
  void aLookAtANodeThatIsDrainedNoMoreIsForgotten() {
    pod("web", owned("ReplicaSet"));
    assertThat(drain()).isNotNull();
    does(Kind.RETURN, TURN);
    assertThat(turns.drains()).isEmpty();
  }

  @Test
  void aPoolThatGoesGivesItsNodesBack() {
    answers.put(
        "/api/v1/nodes",
        new Answer(
            200,
            """
            {"kind": "NodeList", "apiVersion": "v1", "metadata": {}, "items": [
              {"metadata": {"name": "n1", "uid": "u1", "resourceVersion": "7", "annotations": {"exaplane.io/upgrade": "%s"}}},
              {"metadata": {"name": "n2", "uid": "u2", "resourceVersion": "8"}}]}
            """
                .formatted(TURN.text())));
    assertThat(NodeTurns.giveBack("p", NOW, api.client())).isTrue();
    assertThat(paths("PATCH")).containsExactly("/api/v1/nodes/n1");
    assertThat(asked.getFirst().uri()).contains("exaplane.io");
    refuse("/api/v1/nodes/n1", 409, "the object has been modified");
    assertThat(NodeTurns.giveBack("p", NOW, api.client())).isFalse();
  }

  /** A pod that no API server sends, to provoke one. */
  @Test
  void aFaultOfTheOperatorIsNamedAtTheNode() {
    pods.add("{\"spec\":{\"nodeName\":\"n1\"}}");
    assertThat(does(Kind.DRAIN, TURN)).isEmpty();
    assertThat(turns.drains().get("n1").obstacle()).contains("by its own fault");
    assertThat(turns.drains().get("n1").left()).isEqualTo(1);
  }
}
