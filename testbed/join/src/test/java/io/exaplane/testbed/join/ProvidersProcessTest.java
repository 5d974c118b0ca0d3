// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.address.NodeCounts;
import io.exaplane.testbed.join.Pods.Question;
import io.exaplane.testbed.join.ProviderBed.Member;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes at three providers, each with a router of its own, are one cluster: by the script, with
 * real kubelets. {@code -Dhosts=2} has two nodes at each. Each test begins where the one before
 * ended.
 */
@Tag("providers")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ProvidersProcessTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String NODES = "/api/v1/nodes/";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static ProviderBed bed;
  private static Pods pods;

  @BeforeAll
  static void start() throws Exception {
    bed = ProviderBed.start(folder, Integer.getInteger("hosts", 1));
    pods = new Pods(bed.cluster());
  }

  @AfterAll
  static void end() throws Exception {
    if (bed != null) {
      bed.close();
    }
  }

  private static Member first(Provider.Shape shape) {
    return bed.members().stream().filter(each -> each.shape() == shape).findFirst().orElseThrow();
  }

  private static JsonNode node(Member member) throws Exception {
    return bed.cluster().got(NODES + member);
  }

  /** Joins a host, which must have its prefix then; returns what the script says. */
  private static String joins(Member member) throws Exception {
    long begin = System.nanoTime();
    Shell.Result run = bed.script(member);
    System.out.printf(
        "%s joined in %d ms%n%s%n",
        member, Duration.ofNanos(System.nanoTime() - begin).toMillis(), run.text());
    assertThat(run.exit()).as(run.text()).isZero();
    assertThat(node(member).path("spec").path("podCIDRs").path(0).asText())
        .isEqualTo(member.port().prefix());
    return run.text();
  }

  /** Two providers have the same script, and each host finds out how its prefix comes there. */
  private static void foundOut(Member member, String said) throws Exception {
    String line = "ok    delivery    " + member.port().prefix();
    String told =
        node(member).path("metadata").path("annotations").path("exaplane.io/delivery").asText();
    switch (member.shape()) {
      case ROUTED -> {
        assertThat(said).contains(line + " is routed to this host: nobody has to answer for pods");
        assertThat(told).isEqualTo("Routed");
      }
      case ON_LINK -> {
        assertThat(said).contains(line + " is on the link").contains("the kernel of this host");
        assertThat(told).isEqualTo("OnLink");
      }
      case DELEGATED -> {
        assertThat(said).contains(line + " is routed to this host\n");
        assertThat(told).as("the pool says that nobody answers").isEmpty();
      }
    }
  }

  @Test
  @Order(1)
  void aHostOfEachProviderJoins() throws Exception {
    for (Member member : bed.members()) {
      foundOut(member, joins(member));
      Image.pause(member.host());
      Image.tools(member.host());
      pods.make(member.toString());
    }
    for (Member member : bed.members()) {
      String address = pods.awaitReady(member.toString(), 0);
      assertThat(Shell.must("ip", "-6", "route", "get", address)).contains("via fd00:e:1::");
      assertThat(address).startsWith(member.port().prefix().replaceFirst("::/.*", ":"));
    }
    int hosts = bed.members().size() / Provider.Shape.values().length;
    Await.until(
        PATIENCE,
        "the pool that spans two providers counts what its hosts found",
        () ->
            bed.operator()
                .counts("edge-ab")
                .filter(all -> all.deliveries().equals(new NodeCounts.Deliveries(hosts, hosts)))
                .isPresent(),
        () -> bed.operator().counts("edge-ab"));
  }

  /** What a pod is told by all others when each sees its own address; by itself, at least that. */
  private static Map<Question, String> seenAsItself(Member from, boolean byService)
      throws Exception {
    String own = pods.address(from.toString());
    Map<Question, String> expected = new LinkedHashMap<>();
    for (Member to : bed.members()) {
      String name = to.toString();
      String address = byService ? pods.service(name) : pods.address(name);
      // A pod that asks itself by its Service is seen as the bridge.
      boolean circle = byService && to.equals(from);
      expected.put(Question.page(address), name + " answers [" + (circle ? "" : own + "]"));
    }
    return expected;
  }

  @Test
  @Order(2)
  void podsReachEachOtherAsThemselves() throws Exception {
    for (Member from : bed.members()) {
      pods.awaitAnswers(from.toString(), seenAsItself(from, false));
    }
  }

  @Test
  @Order(3)
  void servicesLeadToPodsOfAllProviders() throws Exception {
    for (Member from : bed.members()) {
      pods.awaitAnswers(from.toString(), seenAsItself(from, true));
    }
  }

  /** By its own address, and by a Service as in every cluster. */
  @Test
  @Order(4)
  void podsReachTheApi() throws Exception {
    Cluster cluster = bed.cluster();
    String service = "fd00:e:96::a71";
    cluster.made(
        "/api/v1/namespaces/default/services",
        """
        {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "api"},
         "spec": {"clusterIP": "%s", "ports": [{"name": "https", "port": 443}]}}
        """
            .formatted(service));
    cluster.made(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        """
        {"apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv6",
         "metadata": {"name": "api", "labels": {"kubernetes.io/service-name": "api"}},
         "endpoints": [{"addresses": ["%s"]}], "ports": [{"name": "https", "port": %d}]}
        """
            .formatted(Net.API, cluster.port()));
    for (Member from : bed.members()) {
      for (String server : List.of(cluster.server(), "https://[%s]:443".formatted(service))) {
        // The proxy of each node learns of the Service in its own time.
        String name = from.toString();
        Await.until(
            PATIENCE,
            "%s reaches the API at %s".formatted(from, server),
            () -> pods.askApi(name, server).text().contains("gitVersion"),
            () -> pods.askApi(name, server));
      }
    }
  }

  /** Nobody on the way gives a pod another address. */
  @Test
  @Order(5)
  void aServerElsewhereSeesTheAddressesOfPods() throws Exception {
    for (Member from : bed.members()) {
      String own = pods.address(from.toString());
      String asJavaWrites = InetAddress.getByName(own).getHostAddress();
      pods.awaitAnswers(from.toString(), Map.of(Question.of(Net.API, bed.witness()), asJavaWrites));
      assertThat(bed.witness().seen()).contains(asJavaWrites);
    }
  }

  /** By its name: pods ask the resolvers of the pool, which have DNS64. */
  @Test
  @Order(6)
  void podsReachAServerThatHasIPv4Alone() throws Exception {
    Question question = Question.page(Dns64.NAME);
    Set<String> seen = new HashSet<>();
    for (Member from : bed.members()) {
      String name = from.toString();
      String answer = Nat64.NAME + " answers " + Nat64.CLIENTS;
      seen.addAll(pods.awaitAnswers(name, Map.of(question, answer)).values());
    }
    assertThat(seen).as("an address for each pod").hasSameSizeAs(bed.members());
  }

  @Test
  @Order(7)
  void logsExecAndPortForwardWork() throws Exception {
    for (Member member : bed.members()) {
      String name = member.toString();
      String other = pods.address(bed.members().getFirst().toString());
      Await.until(
          PATIENCE,
          "the log has requests of another pod, " + other,
          () -> pods.logs(name).contains("[" + other + "]"),
          () -> pods.logs(name));
      Await.until(
          PATIENCE,
          "a command runs in the pod",
          () -> pods.exec(name, "cat", "/proc/1/cmdline").text().startsWith("httpd"),
          () -> pods.exec(name, "cat", "/proc/1/cmdline"));
      forwards(name);
    }
  }

  private static void forwards(String pod) throws Exception {
    int port = Machine.freePort();
    Path log = folder.resolve("forward-%s.log".formatted(pod));
    Process forward =
        pods.kubectl().start(log, "port-forward", "pod/" + pod, port + ":" + Pods.PORT);
    try {
      URI page = URI.create("http://127.0.0.1:%d%s".formatted(port, Image.PAGE));
      Await.until(
          PATIENCE,
          "port-forward to " + pod,
          () -> {
            try {
              return Http.get(page).body().startsWith(pod + " answers");
            } catch (IOException e) {
              return false;
            }
          },
          () -> Files.readString(log));
    } finally {
      forward.destroyForcibly().onExit().join();
    }
  }

  /**
   * Pods' packets left by the interface to which their prefix is routed, the others by the first.
   */
  @Test
  @Order(8)
  void nothingLeavesByAnotherMacOrAddress() throws Exception {
    Member member = first(Provider.Shape.DELEGATED);
    assertThat(member.port().dropped()).isZero();
    member
        .host()
        .inside(
            "sh",
            "-c",
            "ip -6 address add fd00:e:c:9::9/128 dev lo nodad;"
                + " busybox ping -6 -c 1 -W 1 -I fd00:e:c:9::9 \"$0\";"
                + " ip -6 address delete fd00:e:c:9::9/128 dev lo",
            Net.API);
    assertThat(member.port().dropped()).as("the router looks").isPositive();
  }

  /**
   * What the kernel forgets is made again: answers to solicitations, the way of packets, and pods'
   * addresses.
   */
  @Test
  @Order(9)
  void nodesThatBootAgainHeal() throws Exception {
    for (Provider.Shape shape : Provider.Shape.values()) {
      Member member = first(shape);
      member.host().reboot();
      joins(member);
    }
    for (Provider.Shape shape : Provider.Shape.values()) {
      pods.awaitReady(first(shape).toString(), 1);
    }
    for (Member from : bed.members()) {
      pods.awaitAnswers(from.toString(), seenAsItself(from, false));
      pods.awaitAnswers(from.toString(), seenAsItself(from, true));
    }
    assertThat(first(Provider.Shape.DELEGATED).port().dropped()).isZero();
  }

  @Test
  @Order(10)
  void aNodeThatBootsWithAnotherPrefixIsNamed() throws Exception {
    Member member = first(Provider.Shape.DELEGATED);
    String before = member.port().prefix();
    member.port().renumber();
    member.host().reboot();
    Shell.Result run = bed.script(member);
    assertThat(run.exit()).as(run.text()).isEqualTo(35);
    assertThat(run.text())
        .contains(before)
        .contains(member.port().prefix())
        .contains("kubectl delete node " + member);
    Await.until(
        PATIENCE,
        "the operator names the node",
        () -> conflicts(member).contains(Reason.PrefixMoved),
        () -> node(member));
    followsTheAdvice(member);
  }

  private static List<Reason> conflicts(Member member) {
    return bed.operator().counts(member.shape().pool()).stream()
        .flatMap(counts -> counts.conflicts().stream())
        .filter(each -> each.node().equals(member.toString()))
        .map(NodeCounts.Failure::reason)
        .toList();
  }

  private static void followsTheAdvice(Member member) throws Exception {
    Shell.Result undo = bed.script(member, "--undo");
    assertThat(undo.exit()).as(undo.text()).isZero();
    bed.cluster()
        .deleted("/api/v1/namespaces/default/pods/%s?gracePeriodSeconds=0".formatted(member));
    bed.cluster().deleted(NODES + member);
    joins(member);
    Await.until(
        PATIENCE, "nothing is left to name", () -> conflicts(member).isEmpty(), () -> node(member));
  }
}
