// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.e2e.chaos.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator replaces the CA and the key of tokens of a control plane with two nodes, while a pod
 * on each node asks the API all the time. The hosts joined a NodePool by its script, and follow by
 * themselves: kubelets of './exa host add' do not, since they belong to no pool (docs:
 * certificates.md, other nodes). One of the hosts is slow, so that Complete has to wait for it.
 *
 * <p>A kubelet that starts may say for a moment that it is not ready. That is allowed once for each
 * node, for the one restart that a rotation takes; that a node is silent is not.
 */
@Tag("long")
@Order(132)
class NodeRotationE2E {
  private static final String NAME = "followed";
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration PHASE = Duration.ofMinutes(20);

  /** A host looks once a minute, and its share may be released a minute later. */
  private static final Duration FOLLOW = Duration.ofMinutes(10);

  /** The kubelet renews the token of a pod here after eight minutes if nothing else does. */
  private static final Duration TOKEN = Duration.ofMinutes(15);

  private static final String SPEC =
      "  controllerManager: {replicas: 1}\n  scheduler: {replicas: 1}";

  private static final String BEHIND = "1 of 2 nodes of NodePool " + JoinedPool.NAME;
  private static final int ANSWERS = 25;

  /** Nothing of a rotation makes one of these False. */
  private static final Set<ConditionType> ALWAYS =
      Set.of(
          ConditionType.Available,
          ConditionType.CertificatesValid,
          ConditionType.StoresReady,
          ConditionType.KubeconfigReady,
          ConditionType.NodeEvictionsAllowed);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private final NodeHistory nodes = new NodeHistory();
  private Scratch scratch;
  private JoinedPool pool;
  private JoinedHost first;
  private JoinedHost slow;
  private KeptCredentials kept;
  private List<AskingPod> pods;
  private List<String> containers;
  private List<Integer> starts;

  /** Short name of the bundle of both CAs. */
  private String bothCas;

  @Test
  @Timeout(value = 100, unit = TimeUnit.MINUTES)
  void noRequestOfAPodFailsTwiceAndOldCredentialsAreRefusedAfterComplete() throws Exception {
    try (Scratch made = new Scratch(NAME, Bed.VERSION, SPEC)) {
      scratch = made;
      scratch.awaitSettled(Duration.ofMinutes(10));
      try (JoinedPool joined = JoinedPool.make(scratch, 2, folder);
          NodeHistory _ = nodes;
          ConditionHistory conditions = new ConditionHistory(NAME, scratch.namespace)) {
        pool = joined;
        begin();
        prepare();
        theSlowHostHoldsComplete();
        complete();
        theOldIsRefused();
        nobodyWasDisturbed();
        conditionsWereAsDocumented(conditions);
      }
    }
  }

  private void begin() throws IOException {
    first = pool.hosts().getFirst();
    slow = pool.hosts().getLast();
    nodes.follow(Hosted.newClient(NAME, scratch.namespace));
    Bed.await(
        "the controllers made a service account, and gave it a CA",
        PATIENCE,
        () ->
            scratch.client().serviceAccounts().inNamespace("default").withName("default").get()
                    != null
                && scratch
                        .client()
                        .configMaps()
                        .inNamespace("default")
                        .withName("kube-root-ca.crt")
                        .get()
                    != null);
    pods = AskingPod.start(scratch, pool.hosts(), folder);
    containers = pods.stream().map(AskingPod::container).toList();
    starts = pool.hosts().stream().map(JoinedHost::kubeletStarts).toList();
    kept = new KeptCredentials(scratch, first, folder);
    kept.awaitAnswers(KeptCredentials.ACCEPTED, pool.hosts());
    kept.awaitOldCa(true);
    pool.awaitFollowing(2, FOLLOW);
  }

  /** Whoever has old credentials notices nothing; the host that looks follows. */
  private void prepare() {
    slow.holdFollower();
    ask("{\"ca\":\"Prepare\",\"serviceAccountKey\":\"Prepare\"}");
    Bed.await(
        "both keys are prepared",
        PHASE,
        () -> ca().phase() == RotationPhase.Prepared && key().phase() == RotationPhase.Prepared,
        this::describe);
    nodes.follow(Hosted.newClient(NAME, scratch.namespace));
    pool.awaitFollowing(1, FOLLOW);
    isOfTheNewCa(first);
    awaitRotation("RotationPrepared", BEHIND);
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(pool.authorities().nodes())
              .extracting(NodePoolStatus.LateNode::node)
              .containsExactly(slow.name);
          assertThat(ca().remaining()).containsExactly(BEHIND);
        });
    bothCas = pool.authorities().id();
    awaitAuthoritiesOfPods(2);
    kept.awaitAnswers(KeptCredentials.ACCEPTED, pool.hosts());
    kept.awaitOldCa(true);
    pods.forEach(pod -> pod.awaitAnswers(ANSWERS));
  }

  /** Only the CA: pods on the slow host may have tokens of the old key still. */
  private void theSlowHostHoldsComplete() {
    ask("{\"ca\":\"Complete\"}");
    Condition held = awaitRotation("RotationHeld", BEHIND);
    assertThat(held.message()).contains("exaplane.io/rotation-override=" + bothCas);
    assertThat(ca().phase()).isEqualTo(RotationPhase.Prepared);
    kept.awaitAnswers(KeptCredentials.ACCEPTED, pool.hosts());
    pods.forEach(pod -> pod.awaitAnswers(ANSWERS));
    slow.releaseFollower();
    Bed.await(
        "the slow host holds Complete no longer",
        PHASE,
        () -> ca().phase() != RotationPhase.Prepared,
        this::describe);
    isOfTheNewCa(slow);
  }

  private void complete() {
    for (AskingPod pod : pods) {
      Bed.await(
          "the pod on %s has a token of the new key".formatted(pod.name()),
          TOKEN,
          () -> !kept.hasKeyOf(pod.token()));
    }
    ask("{\"serviceAccountKey\":\"Complete\"}");
    Bed.await(
        "both keys are completed",
        PHASE,
        () -> ca().phase() == RotationPhase.Completed && key().phase() == RotationPhase.Completed,
        this::describe);
    Bed.awaitCondition(
        NAME, scratch.namespace, ConditionType.RotationComplete, Condition.TRUE, PATIENCE);
  }

  /** Hosts and pods forget the old CA in their own time. */
  private void theOldIsRefused() {
    Bed.await(
        "the pool's nodes are to trust the new CA alone",
        PATIENCE,
        () -> !pool.authorities().id().equals(bothCas));
    pool.awaitFollowing(2, FOLLOW);
    awaitAuthoritiesOfPods(1);
    kept.awaitAnswers(KeptCredentials.REFUSED, pool.hosts());
    kept.awaitOldCa(false);
    Bed.awaitHolds(
        PATIENCE, () -> assertThat(scratch.client().namespaces().list().getItems()).isNotEmpty());
    for (AskingPod pod : pods) {
      Bed.await(
          "the kubelet of %s shows the API its logs".formatted(pod.name()),
          PATIENCE,
          () -> scratch.hosted("logs", "--tail=1", pod.name()).contains("asked"),
          () -> scratch.hosted("get", "csr"));
    }
    pods.forEach(pod -> pod.awaitAnswers(ANSWERS));
  }

  private void nobodyWasDisturbed() {
    nodes.look(scratch.client());
    System.out.println("Nodes: " + nodes);
    for (AskingPod pod : pods) {
      AskingPod.Report report = pod.report();
      System.out.printf(
          "%s: %d requests, %d of them twice, %d failed, longest gap %d ms; %s%n",
          pod.name(),
          report.requests(),
          report.retried().size(),
          report.failed().size(),
          report.longestGapMs(),
          report.retried());
      assertThat(report.failed()).as("requests that failed twice on %s", pod.name()).isEmpty();
    }
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(pods.stream().map(AskingPod::container).toList())
                .as("the containers that ran before")
                .isEqualTo(containers));
    for (int i = 0; i < pool.hosts().size(); i++) {
      JoinedHost host = pool.hosts().get(i);
      assertThat(host.kubeletStarts() - starts.get(i))
          .as("restarts of the kubelet of %s", host.name)
          .isEqualTo(1);
      assertThat(nodes.of(host.name))
          .as("what %s said of Ready", host.name)
          .isNotEmpty()
          .allMatch(
              said -> said.status().equals("True") || said.reason().equals("KubeletNotReady"));
      assertThat(nodes.returns(host.name))
          .as("returns of %s, which said %s", host.name, nodes.of(host.name))
          .isLessThanOrEqualTo(1);
    }
  }

  private void conditionsWereAsDocumented(ConditionHistory conditions) {
    Bed.await(
        "the history is complete",
        PATIENCE,
        () -> conditions.has(Bed.controlPlane(NAME, scratch.namespace)));
    List<String> rotation =
        conditions.all().stream()
            .filter(told -> told.type() == ConditionType.RotationComplete)
            .map(Told::reason)
            .toList();
    assertThat(rotation)
        .startsWith("AsExpected", "RotationPreparing", "RotationPrepared", "RotationHeld")
        .contains("RotationCompleting")
        .endsWith("AsExpected")
        .doesNotContain("RotationNotPrepared");
    assertThat(conditions.all())
        .filteredOn(told -> ALWAYS.contains(told.type()))
        .allMatch(told -> !told.status().equals(Condition.FALSE));
  }

  private void ask(String wishes) {
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "patch",
        "controlplane",
        NAME,
        "--type=merge",
        "--patch={\"spec\":{\"pki\":{\"rotation\":" + wishes + "}}}");
  }

  private RotationStatus rotation() {
    return Bed.controlPlane(NAME, scratch.namespace).getStatus().rotation();
  }

  private RotationStatus.Key ca() {
    return rotation().ca();
  }

  private RotationStatus.Key key() {
    return rotation().serviceAccountKey();
  }

  private String describe() {
    return Objects.toString(rotation())
        + "\n"
        + Bed.describe(NAME, scratch.namespace)
        + pool.authorities();
  }

  /** Waits until RotationComplete is False for a reason, with these words, and returns it. */
  private Condition awaitRotation(String reason, String words) {
    Bed.await(
        reason + " with the words " + words,
        PATIENCE,
        () ->
            condition().reason().equals(reason)
                && condition().status().equals(Condition.FALSE)
                && condition().message().contains(words),
        this::describe);
    return condition();
  }

  private Condition condition() {
    return Bed.condition(Bed.controlPlane(NAME, scratch.namespace), ConditionType.RotationComplete)
        .orElseThrow();
  }

  private void awaitAuthoritiesOfPods(int number) {
    for (AskingPod pod : pods) {
      Bed.await(
          "the pod on %s has %d CAs".formatted(pod.name(), number),
          PATIENCE,
          () -> pod.authorities() == number,
          () -> Long.toString(pod.authorities()));
    }
  }

  private static void isOfTheNewCa(JoinedHost host) {
    for (String side : List.of("client", "server")) {
      String file = "/var/lib/kubelet/pki/kubelet-%s-current.pem".formatted(side);
      assertThat(host.inside("openssl", "x509", "-noout", "-issuer", "-in", file))
          .as("%s of %s", file, host.name)
          .contains(NAME + "-ca-2");
    }
  }
}
