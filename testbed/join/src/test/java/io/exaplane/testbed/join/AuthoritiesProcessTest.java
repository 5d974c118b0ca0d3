// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.operator.hosted.FollowedServing;
import io.exaplane.operator.hosted.ServingRules;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Kubernetes;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two hosts follow a rotation of the CA and of the key of tokens by themselves, while a pod on each
 * asks the API once a second with its own token and CA. Each test begins where the one before
 * ended.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("authorities")
class AuthoritiesProcessTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final String CLIENT = "/var/lib/kubelet/pki/kubelet-client-current.pem";
  private static final String SERVING = "/var/lib/kubelet/pki/kubelet-server-current.pem";

  /** Asks as a program would that reads its token and its CA each time, and tries once again. */
  private static final String WORKLOAD =
      """
      account=/var/run/secrets/kubernetes.io/serviceaccount
      ask() { /kubernetes/kubectl get --raw=/api --request-timeout=10s --server="$0" --certificate-authority=$account/ca.crt --token="$(cat $account/token)" 2>&1; }
      while :; do
        if ask >/dev/null; then echo asked
        elif last=$(ask); then echo retried
        else echo "FAILED $last"
        fi
        /bin/busybox sleep 1
      done
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static final Deque<AutoCloseable> open = new ArrayDeque<>();
  private static final List<Host> hosts = new ArrayList<>();
  private static Cluster cluster;
  private static CaRotation rotation;
  private static TokenKeyRotation tokens;
  private static Path script;
  private static Path formerClient;
  private static Path formerAdministrator;
  private static String formerToken;

  @BeforeAll
  static void start() throws Exception {
    open.push(Net.make());
    cluster = Cluster.startTwo(folder);
    open.push(cluster);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    open.push(Hand.start(cluster));
    KubernetesClient client = cluster.client();
    open.push(client);
    open.push(
        FollowedServing.start(
            client,
            new ServingRules(
                Set.of(Net.API),
                "cluster.local",
                List.of(AddressRange.of(Cluster.SERVICES)),
                List.of())));
    HeartbeatMap.make(cluster, "40-10-300", "0");
    rotation = new CaRotation(cluster, folder.resolve("rotation"));
    tokens = new TokenKeyRotation(cluster);
    script = Files.writeString(folder.resolve("join.sh"), JoinScript.render(cluster.input(TOKEN)));
    for (int number = 11; number <= 12; number++) {
      Host host = Host.make("r" + number, number, folder);
      hosts.add(host);
      open.push(host);
    }
  }

  @AfterAll
  static void end() throws Exception {
    while (!open.isEmpty()) {
      open.pop().close();
    }
  }

  private static String annotation(Host host, String name) throws Exception {
    return cluster
        .got("/api/v1/nodes/" + host.name)
        .path("metadata")
        .path("annotations")
        .path("exaplane.io/" + name)
        .asText();
  }

  private static void awaitFollowing(String id) throws Exception {
    for (Host host : hosts) {
      Await.until(
          PATIENCE,
          host.name + " follows " + id,
          () -> annotation(host, "authorities").equals(id),
          () ->
              annotation(host, "authorities-failed")
                  + host.inside("tail", "-n", "20", "/var/log/exaplane/heartbeats.log")
                  + host.inside("tail", "-n", "20", "/var/log/exaplane/kubelet.log"));
    }
  }

  /** How often the kubelet has started. */
  private static long starts(Host host) throws IOException {
    return host.inside("cat", "/var/log/exaplane/kubelet.log")
        .lines()
        .filter(line -> line.contains("Client rotation is on"))
        .count();
  }

  private static boolean isReady(Host host) throws Exception {
    for (JsonNode condition :
        cluster.got("/api/v1/nodes/" + host.name).path("status").path("conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  private static void runWorkload(Host host) throws Exception {
    cluster.made(
        "/api/v1/namespaces/default/pods",
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%1$s"},
         "spec": {"nodeName": "%1$s", "dnsPolicy": "Default", "enableServiceLinks": false, "terminationGracePeriodSeconds": 1,
          "tolerations": [{"operator": "Exists"}],
          "containers": [{"name": "asks", "image": "%2$s", "imagePullPolicy": "Never", "command": ["sh", "-c", %3$s, "%4$s"],
            "volumeMounts": [{"name": "tools", "mountPath": "/kubernetes", "readOnly": true}]}],
          "volumes": [{"name": "tools", "hostPath": {"path": "%5$s"}}]}}
        """
            .formatted(
                host.name,
                Image.TOOLS,
                new ObjectMapper().writeValueAsString(WORKLOAD),
                cluster.server(),
                Path.of(Kubernetes.binary("kubectl")).getParent()));
  }

  /** What the pod of a host wrote, without the time that containerd puts before. */
  private static List<String> said(Host host) throws IOException {
    return host.inside("sh", "-c", "cat /var/log/pods/default_*/asks/*.log 2>/dev/null || true")
        .lines()
        .map(line -> line.replaceFirst("^\\S+ \\S+ \\S ", ""))
        .toList();
  }

  private static void awaitAnswers(int more) throws Exception {
    for (Host host : hosts) {
      int before = said(host).size();
      Await.until(
          PATIENCE,
          "the pod on %s asks %d times".formatted(host.name, more),
          () -> said(host).size() >= before + more,
          () -> said(host));
    }
  }

  private static void awaitCasInPods(int number) throws Exception {
    for (Host host : hosts) {
      Await.until(
          PATIENCE,
          "the pod on %s has %d CAs".formatted(host.name, number),
          () -> casInPod(host) == number,
          () -> casInPod(host));
    }
  }

  private static long casInPod(Host host) throws IOException {
    return host.inside(
            "sh",
            "-c",
            "cat /var/lib/kubelet/pods/*/volumes/kubernetes.io~projected/*/ca.crt 2>/dev/null || true")
        .lines()
        .filter(line -> line.contains("BEGIN CERTIFICATE"))
        .count();
  }

  private static String token(Host host) throws IOException {
    return host.inside(
        "sh", "-c", "cat /var/lib/kubelet/pods/*/volumes/kubernetes.io~projected/*/token");
  }

  /** Which key signed a token: its header. */
  private static String keyId(String token) {
    return token.substring(0, token.indexOf('.'));
  }

  @Test
  @Order(1)
  void twoHostsJoinAndAPodOnEachAsksTheApi() throws Exception {
    for (Host host : hosts) {
      Shell.Result run = host.script(script);
      assertThat(run.exit()).as(run.text()).isZero();
      Image.pause(host);
      Image.tools(host);
      Await.until(
          PATIENCE,
          host.name + " has a serving certificate",
          () -> host.inside("sh", "-c", "ls /var/lib/kubelet/pki").contains("server-current"),
          () -> host.inside("tail", "-n", "20", "/var/log/exaplane/kubelet.log"));
      runWorkload(host);
    }
    awaitAnswers(5);
    formerClient =
        Files.writeString(
            folder.resolve("former-client.pem"), hosts.getFirst().inside("cat", CLIENT) + "\n");
    formerAdministrator = rotation.administrator("former-administrator", cluster.authority());
    formerToken = token(hosts.getFirst());
    assertThat(tokens.api(formerToken)).isEqualTo("200");
  }

  @Test
  @Order(2)
  void bothHostsRenewTheirCertificatesWithOneRestart() throws Exception {
    tokens.prepare();
    rotation.prepare();
    awaitFollowing(rotation.tell(Stage.ISSUING));
    for (Host host : hosts) {
      for (String file : List.of(CLIENT, SERVING)) {
        assertThat(host.inside("openssl", "x509", "-noout", "-issuer", "-in", file))
            .as(file)
            .contains("hosted-2");
      }
      assertThat(starts(host)).isEqualTo(2);
      Await.until(PATIENCE, host.name + " is Ready", () -> isReady(host), () -> host.name);
    }
    awaitCasInPods(2);
    // A kubelet that begins has no tokens of before.
    Await.until(
        PATIENCE,
        "the pod on %s has another token".formatted(hosts.getFirst().name),
        () -> !token(hosts.getFirst()).equals(formerToken),
        () -> hosts.getFirst().inside("tail", "-n", "20", "/var/log/exaplane/kubelet.log"));
    assertThat(tokens.api(formerToken)).as("both keys are trusted still").isEqualTo("200");
    awaitAnswers(5);
    Kubectl kubectl = new Kubectl(cluster.kubeconfig());
    for (Host host : hosts) {
      Await.until(
          PATIENCE,
          "logs of a pod on " + host.name,
          () -> kubectl.run("logs", "--tail=1", host.name).text().contains("asked"),
          () -> kubectl.run("logs", "--tail=1", host.name).text());
    }
  }

  @Test
  @Order(3)
  void afterTheEndTheOldCaOpensNothing() throws Exception {
    for (Host host : hosts) {
      Await.until(
          PATIENCE,
          "a token of the new key on " + host.name,
          () -> !keyId(token(host)).equals(keyId(formerToken)),
          () -> keyId(token(host)));
    }
    rotation.complete();
    // Pods get their CA from there.
    cluster.restartControllers();
    tokens.complete();
    awaitFollowing(rotation.tell(Stage.SINGLE));
    awaitCasInPods(1);
    awaitAnswers(5);
    assertThat(rotation.api(formerClient)).isEqualTo("401");
    assertThat(rotation.api(formerAdministrator)).isEqualTo("401");
    assertThat(tokens.api(formerToken)).isEqualTo("401");
    assertThat(tokens.api(token(hosts.getFirst()))).isEqualTo("200");
    for (Host host : hosts) {
      String kubelet = "https://[%s]:10250/pods".formatted(host.address());
      Path bundle = rotation.bundle();
      Await.until(
          PATIENCE,
          "the kubelet refuses a certificate of the old CA",
          () -> CaRotation.code(formerAdministrator, bundle, kubelet).equals("401"),
          () -> CaRotation.code(formerAdministrator, bundle, kubelet));
      assertThat(starts(host)).as("starts of the kubelet").isEqualTo(2);
      Await.until(PATIENCE, host.name + " is Ready", () -> isReady(host), () -> host.name);
    }
  }

  @Test
  @Order(4)
  void noRequestOfAPodFailedBeyondOneRetry() throws Exception {
    for (Host host : hosts) {
      List<String> said = said(host);
      System.out.printf(
          "%s: %d requests, %d of them twice%n",
          host.name, said.size(), said.stream().filter("retried"::equals).count());
      assertThat(said).filteredOn(line -> line.startsWith("FAILED")).isEmpty();
    }
  }
}
