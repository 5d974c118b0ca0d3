// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The operator's node-freeze.yaml before a real kube-controller-manager: no node is declared dead,
 * no pod deleted, and other controllers go on. The operator's NodeFreeze does what this does.
 */
@ExtendWith(ControlPlanes.Given.class)
@Execution(ExecutionMode.CONCURRENT)
class NodeFreezeProcessTest {
  private static final Path MANIFEST =
      Path.of("../../operator/src/main/resources/hosted/node-freeze.yaml");
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final String BINDING =
      POLICIES + "validatingadmissionpolicybindings/exaplane-node-freeze";
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";

  /** So long a busy machine may take for the renewal of a Lease, which comes each half second. */
  private static final int GRACE_S = 10;

  /** From the taint of the dead node on; the freeze begins in it. */
  private static final int TOLERATED_S = 30;

  private static final int RENEWALS = 4;
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> FLAGS =
      List.of(
          "--use-service-account-credentials=true",
          "--controllers=node-lifecycle-controller,taint-eviction-controller,replicaset-controller,"
              + "validatingadmissionpolicy-status-controller",
          "--node-monitor-period=500ms",
          "--node-monitor-grace-period=" + GRACE_S + "s",
          "--node-startup-grace-period=" + GRACE_S + "s",
          "--node-eviction-rate=10",
          "--secondary-node-eviction-rate=10",
          "--unhealthy-zone-threshold=1");

  private final Set<String> renewing = ConcurrentHashMap.newKeySet();
  private final HttpClient http = Http.clientAt(InetAddress.getLoopbackAddress());
  @TempDir private Path folder;
  private ControlPlane controlPlane;

  @Test
  void nothingHappensToNodesThatSeemDeadAndEverythingGoesOnAfter(ControlPlanes controlPlanes)
      throws Exception {
    Tuning tuning = Clusters.tuning(100);
    try (ControlPlane started =
            controlPlanes.startBeside(
                folder, tuning, "--disable-admission-plugins=ServiceAccount");
        ScheduledExecutorService kubelets = Executors.newSingleThreadScheduledExecutor()) {
      controlPlane = started;
      for (String node : List.of("dead", "cut", "well")) {
        addNode(node);
        renewing.add(node);
      }
      kubelets.scheduleWithFixedDelay(this::renew, 0, 500, TimeUnit.MILLISECONDS);
      addPod("of-dead", "dead", TOLERATED_S);
      addPod("of-cut", "cut", 0);
      Path log = folder.resolve("kube-controller-manager.log");
      controlPlane.startControllerManager(tuning, FLAGS);

      prepare();
      renewing.remove("dead");
      Await.until("a single dead node is treated as dead", () -> isEvicting("dead"));
      freeze();
      renewing.remove("cut");
      Await.until(
          "the eviction of the dead node's pod is refused",
          () -> says(log, "timed worker failed"),
          () -> Files.readString(log));
      Await.until(
          "the health of the node that is cut is refused",
          () -> says(log, "Skipping - no pods will be evicted"));
      othersGoOn();
      assertThat(isDeleted("of-dead")).isFalse();
      assertThat(condition(pod("of-dead"), "DisruptionTarget")).isEmpty();
      isUntouched("cut", "of-cut");
      isUntouched("well", null);

      renewing.add("cut");
      isSeen("cut");
      delete(BINDING);
      Await.until("the freeze has ended", () -> !isRefused());
      isUntouched("cut", "of-cut");
      assertThat(isDeleted("of-dead")).as("the controller does not try it again").isFalse();
      touch("dead");
      Await.until(
          "the eviction is done after all",
          () -> isDeleted("of-dead"),
          () -> Files.readString(log));

      renewing.remove("cut");
      Await.until("nodes are declared dead again", () -> isEvicting("cut"));
      Await.until("and their pods are evicted", () -> isDeleted("of-cut"));
      isUntouched("well", null);
    }
  }

  private void othersGoOn() throws Exception {
    create(
        "/apis/apps/v1/namespaces/default/replicasets",
        """
        {"metadata":{"name":"others"},"spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},
         "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}
        """);
    Await.until(
        "other controllers go on",
        () -> get(PODS + "?labelSelector=a%3Db").path("items").size() == 2);
  }

  private void isUntouched(String node, String pod) throws Exception {
    JsonNode found = get("/api/v1/nodes/" + node);
    assertThat(condition(found, "Ready")).isEqualTo("True");
    assertThat(found.path("spec").path("taints")).isEmpty();
    if (pod != null) {
      assertThat(condition(pod(pod), "Ready")).isEqualTo("True");
      assertThat(isDeleted(pod)).isFalse();
    }
  }

  private static boolean says(Path log, String words) throws Exception {
    return Files.readString(log).contains(words);
  }

  /** Until the controller, which looks twice a second, has had a node's Lease renewed to it. */
  private void isSeen(String node) throws Exception {
    Set<String> renewals = new HashSet<>();
    Await.until(
        node + " renews its Lease again",
        () -> {
          renewals.add(get(LEASES + node).at("/spec/renewTime").asText());
          return renewals.size() > RENEWALS;
        });
  }

  /** The part that takes its time, and has no effect alone. */
  private void prepare() throws Exception {
    apply(POLICIES + "validatingadmissionpolicies/exaplane-node-freeze", document(false));
    String policy = POLICIES + "validatingadmissionpolicies/exaplane-node-freeze";
    Await.until(
        "the policy's expressions are checked",
        () -> !get(policy).at("/status/observedGeneration").isMissingNode());
    assertThat(get(policy).at("/status/typeChecking/expressionWarnings").toString()).isEmpty();
  }

  private void freeze() throws Exception {
    apply(BINDING, document(true));
    Await.until("kube-apiserver refuses", this::isRefused);
  }

  private static String document(boolean isBinding) throws Exception {
    return Stream.of(Files.readString(MANIFEST).split("(?m)^---$"))
        .filter(each -> each.contains("kind: ValidatingAdmissionPolicyBinding") == isBinding)
        .filter(each -> each.contains("kind: "))
        .findFirst()
        .orElseThrow();
  }

  /** Asked in the name of the controller, and not carried out. */
  private boolean isRefused() throws Exception {
    HttpRequest request =
        request(PODS + "/of-dead?dryRun=All")
            .header("Impersonate-User", "system:serviceaccount:kube-system:node-controller")
            .header("Impersonate-Group", "system:masters")
            .DELETE()
            .build();
    return http.send(request, BodyHandlers.ofString()).statusCode() == 403;
  }

  /** As the operator does after a freeze. */
  private void touch(String node) throws Exception {
    JsonNode taints = get("/api/v1/nodes/" + node).path("spec").path("taints");
    assertThat(taints.toString()).as("taints of " + node).contains("NoExecute");
    for (int i = 0; i < taints.size(); i++) {
      if (taints.get(i).path("effect").asText().equals("NoExecute")) {
        String patch =
            """
            [{"op":"test","path":"/spec/taints/%1$d/effect","value":"NoExecute"},
             {"op":"add","path":"/spec/taints/%1$d/timeAdded","value":"%2$s"}]
            """
                .formatted(i, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        HttpRequest request =
            request("/api/v1/nodes/" + node)
                .header("Content-Type", "application/json-patch+json")
                .method("PATCH", BodyPublishers.ofString(patch))
                .build();
        assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      }
    }
  }

  private void renew() {
    try {
      for (String node : renewing) {
        apply(
            LEASES + node,
            """
            {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"%1$s"},
             "spec":{"holderIdentity":"%1$s","leaseDurationSeconds":40,"renewTime":"%2$s"}}
            """
                .formatted(node, Instant.now().truncatedTo(ChronoUnit.MICROS)));
      }
    } catch (Exception | AssertionError e) {
      // The next one may succeed. An error that leaves this method would end all of them.
    }
  }

  private void addNode(String name) throws Exception {
    create("/api/v1/nodes", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    status(
        "/api/v1/nodes/" + name,
        """
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"},"status":{"conditions":[
         {"type":"Ready","status":"True","reason":"KubeletReady","message":"m","lastHeartbeatTime":"%2$s","lastTransitionTime":"%2$s"}]}}
        """
            .formatted(name, Instant.now().truncatedTo(ChronoUnit.SECONDS)));
  }

  private void addPod(String name, String node, int toleratedSeconds) throws Exception {
    String toleration =
        """
        {"key":"node.kubernetes.io/%s","operator":"Exists","effect":"NoExecute","tolerationSeconds":%d}""";
    create(
        PODS,
        """
        {"metadata":{"name":"%s"},"spec":{"nodeName":"%s","terminationGracePeriodSeconds":60,
         "containers":[{"name":"c","image":"i"}],"tolerations":[%s,%s]}}
        """
            .formatted(
                name,
                node,
                toleration.formatted("unreachable", toleratedSeconds),
                toleration.formatted("not-ready", toleratedSeconds)));
    status(
        PODS + "/" + name,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},"status":{"phase":"Running","conditions":[
         {"type":"Ready","status":"True"}]}}
        """
            .formatted(name));
  }

  private boolean isEvicting(String node) throws Exception {
    return StreamSupport.stream(
            get("/api/v1/nodes/" + node).path("spec").path("taints").spliterator(), false)
        .anyMatch(taint -> taint.path("effect").asText().equals("NoExecute"));
  }

  private JsonNode pod(String name) throws Exception {
    return get(PODS + "/" + name);
  }

  private boolean isDeleted(String pod) throws Exception {
    return !pod(pod).at("/metadata/deletionTimestamp").isMissingNode();
  }

  /** The status of a condition; empty if there is none. */
  private static String condition(JsonNode object, String type) {
    return StreamSupport.stream(object.at("/status/conditions").spliterator(), false)
        .filter(each -> each.path("type").asText().equals(type))
        .map(each -> each.path("status").asText())
        .findFirst()
        .orElse("");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(controlPlane.uri(path))
        .header("Authorization", "Bearer " + Http.TOKEN);
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = Http.get(controlPlane.uri(path));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JSON.readTree(answer.body());
  }

  private void create(String path, String object) throws Exception {
    controlPlane.create(path, object);
  }

  private void status(String path, String object) throws Exception {
    apply(path + "/status", object);
  }

  private void apply(String path, String manifest) throws Exception {
    HttpResponse<String> answer =
        Http.apply(controlPlane.uri(path + "?fieldManager=test&force=true"), manifest);
    assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
  }

  private void delete(String path) throws Exception {
    assertThat(http.send(request(path).DELETE().build(), BodyHandlers.discarding()).statusCode())
        .isEqualTo(200);
  }
}
