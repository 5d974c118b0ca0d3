// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.exaplane.operator.controlplane.rollout.ServerLoad;
import io.exaplane.operator.controlplane.sizing.MemoryPressure;
import io.exaplane.operator.guard.GateReading;
import io.exaplane.operator.guard.LeaseLook;
import io.exaplane.operator.hosted.PeerTls.Peer;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.nodepool.NodePools.SetClock;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.wait.PemTls;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers that ask for a client's certificate, at addresses that theirs does not have. */
class MemoryProbeTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Clock CLOCK = Clock.systemUTC();
  private static final String API_NAME = "kubernetes.default.svc";
  private static final Quantity LIMIT = new Quantity("1Gi");
  private static final long MIB = 1 << 20;

  private final KeyAndCertificate ca = CertificateAuthority.create("one", CLOCK);
  private final ServerPodClient client = new ServerPodClient();
  private final MemoryProbe probe = new MemoryProbe(null, client, CLOCK);
  private volatile String page = "";
  private volatile int status = 200;
  private volatile String asker = "";

  @AfterEach
  void close() {
    client.close();
  }

  private Peer peer(KeyAndCertificate authority) {
    return new Peer(
        new CertificateAuthority(authority, CLOCK)
            .issue(Leaf.client("exaplane-operator", "system:masters", LONG)),
        ProbeClient.trust(authority.certificatePem()));
  }

  private static String page(long residentMib, long liveMib) {
    return """
    # HELP go_gc_heap_live_bytes Heap memory occupied by live objects.
    go_gc_heap_live_bytes %s
    go_gc_heap_live_bytes_other 1
    process_resident_memory_bytes %s
    %s\
    """
        .formatted(
            (double) liveMib * MIB, residentMib * MIB, "x_bucket{le=\"1\"} 7\n".repeat(20_000));
  }

  @Test
  void listsAreKeptWhileSomebodyLooks() throws Exception {
    HttpsServer server = server(API_NAME);
    try {
      probe.watch("u", List.of(at("127.0.0.1", server), at("127.0.0.1", server)));
      page = page(500, 300) + LiveListsTest.lists("pods", 100, 400);
      probe.look("u", peer(ca));
      assertThat(probe.lists("u")).as("nobody looks").isEmpty();
      probe.keepLists();
      probe.look("u", peer(ca));
      LiveLists kept = probe.lists("u").orElseThrow();
      assertThat(kept.resources().getFirst().lists().storeFetched()).as("of both").isEqualTo(200);
      status = 503;
      probe.look("u", peer(ca));
      assertThat(probe.lists("u")).as("silent").contains(kept);
    } finally {
      server.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1"})
  void memoryThatFillsUpIsToldUntilItFallsWellBelow(String address) throws Exception {
    HttpsServer server = server(API_NAME);
    try {
      probe.watch("u", List.of(at(address, server)));
      page = page(500, 300);
      assertThat(probe.look("u", peer(ca)).pressures()).isEmpty();
      assertThat(asker).contains("CN=exaplane-operator");
      page = page(900, 700);
      List<MemoryPressure> full = probe.look("u", peer(ca)).pressures();
      assertThat(full)
          .containsExactly(new MemoryPressure("p", Optional.of(LIMIT), 900 * MIB, 700 * MIB));
      page = page(860, 600);
      assertThat(probe.look("u", peer(ca)).pressures()).isEqualTo(full);
      status = 503;
      assertThat(probe.look("u", peer(ca)).pressures()).as("silent").isEqualTo(full);
      status = 200;
      page = "process_resident_memory_bytes much\n";
      assertThat(probe.look("u", peer(ca)).pressures()).as("no number").isEqualTo(full);
      page = page(860, 500);
      assertThat(probe.look("u", peer(ca)).pressures()).isEmpty();
      page = page(900, 700);
      assertThat(probe.look("u", peer(ca)).pressures()).isNotEmpty();
      probe.watch("u", List.<MemoryProbe.Server>of());
      assertThat(probe.look("u", peer(ca)).pressures()).as("the pod has gone").isEmpty();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void whatAServerServesIsToldUntilItChanges() throws Exception {
    HttpsServer server = server(API_NAME);
    try {
      probe.watch("u", List.of(at("127.0.0.1", server)));
      page = page(500, 300);
      assertThat(probe.look("u", peer(ca)).definitions()).as("the page has none").isEmpty();
      page = page(500, 300) + served(300, 93);
      assertThat(probe.look("u", peer(ca)).definitions())
          .contains(new DefinitionsSeen(300, 93, 300 * MIB));
      page = page(500, 360) + served(300, 93);
      assertThat(probe.look("u", peer(ca)).definitions())
          .as("a heap that breathes")
          .contains(new DefinitionsSeen(300, 93, 300 * MIB));
      page = page(500, 380) + served(300, 93);
      assertThat(probe.look("u", peer(ca)).definitions())
          .contains(new DefinitionsSeen(300, 93, 380 * MIB));
      page = page(500, 380) + served(301, 93);
      probe.watch("u", List.of(at("127.0.0.1", server)));
      assertThat(probe.look("u", peer(ca)).definitions())
          .contains(new DefinitionsSeen(301, 93, 380 * MIB));
      status = 503;
      assertThat(probe.look("u", peer(ca)).definitions())
          .as("silent")
          .contains(new DefinitionsSeen(301, 93, 380 * MIB));
    } finally {
      server.stop(0);
    }
  }

  private static String served(int definitions, int groupVersions) {
    return """

    apiserver_resource_objects{group="apiextensions.k8s.io",resource="customresourcedefinitions"} %d
    apiserver_resource_objects{group="apiregistration.k8s.io",resource="apiservices"} %d
    apiserver_resource_objects{group="",resource="pods"} 12
    """
        .formatted(definitions, groupVersions);
  }

  /** A gate goes by all servers, or by none. */
  @Test
  void aGateThatCannotReadAServerKnowsNothing() throws Exception {
    HttpsServer server = server(API_NAME);
    try {
      SetClock clock = new SetClock();
      AgentGateProbe gate = new AgentGateProbe(null, client, null, null, clock);
      SettleProbe.Server one =
          new SettleProbe.Server("one", "u1", "127.0.0.1", server.getAddress().getPort(), 0);
      gate.watch("u", List.<SettleProbe.Server>of(), Optional.empty());
      assertThat(gate.read("u", peer(ca), LeaseLook.NOT_COUNTED).problem()).contains("no kube-api");
      gate.watch("u", List.of(one), Optional.empty());
      page = throttled(10);
      assertThat(gate.read("u", peer(ca), LeaseLook.NOT_COUNTED).problem()).contains("only once");
      clock.go(Duration.ofSeconds(5));
      page = throttled(21);
      GateReading reading = gate.read("u", peer(ca), LeaseLook.counted(97, 3, 5));
      assertThat(reading).isEqualTo(new GateReading(clock.instant(), "", 0, 3, OptionalInt.of(97)));
      clock.go(Duration.ofSeconds(5));
      assertThat(gate.read("u", peer(ca), LeaseLook.UNREACHABLE).problem())
          .isEqualTo("the store of node Leases does not answer");
      gate.watch(
          "u",
          List.of(one, new SettleProbe.Server("two", "u2", "127.0.0.1", 1, 0)),
          Optional.empty());
      clock.go(Duration.ofSeconds(5));
      assertThat(gate.read("u", peer(ca), LeaseLook.NOT_COUNTED).problem())
          .isEqualTo("the metrics of pod two cannot be read");
    } finally {
      server.stop(0);
    }
  }

  private static String throttled(int answers) {
    return """
    apiserver_current_inflight_requests{request_kind="readOnly"} 1
    apiserver_request_total{code="429",verb="GET"} %d
    """
        .formatted(answers);
  }

  /** The load of a new server, which is that of the time between two looks. */
  @Test
  void theLoadOfANewServerIsThatBetweenTwoLooks() throws Exception {
    HttpsServer server = server(API_NAME);
    try {
      Instant[] now = {Instant.EPOCH};
      SettleProbe settle =
          new SettleProbe(
              null,
              client,
              new Clock() {
                @Override
                public ZoneId getZone() {
                  return ZoneOffset.UTC;
                }

                @Override
                public Clock withZone(ZoneId zone) {
                  return this;
                }

                @Override
                public Instant instant() {
                  return now[0];
                }
              });
      assertThat(settle.look("u", peer(ca))).as("nobody is asked").isEmpty();
      settle.watch(
          "u",
          List.of(
              new SettleProbe.Server("p", "pu", "127.0.0.1", server.getAddress().getPort(), 600)));
      page = load(10, 0);
      assertThat(loads(settle)).as("one look tells of no second").isEmpty();
      now[0] = now[0].plusSeconds(1);
      assertThat(loads(settle)).as("nor do two within one").isEmpty();
      now[0] = now[0].plusSeconds(4);
      page = load(60, 300);
      assertThat(loads(settle)).isEqualTo(Map.of("pu", new ServerLoad(0, 0, 0, 50, 10)));
      now[0] = now[0].plusSeconds(5);
      page = load(3, 0);
      assertThat(loads(settle)).as("another process").isEmpty();
      now[0] = now[0].plusSeconds(5);
      page = load(3, 0);
      assertThat(loads(settle)).isEqualTo(Map.of("pu", new ServerLoad(0, 0, 0, 0, 0)));
      status = 503;
      assertThat(loads(settle)).as("silent").isEmpty();
      settle.watch("u", List.<SettleProbe.Server>of());
      assertThat(settle.look("u", peer(ca))).isEmpty();
    } finally {
      server.stop(0);
    }
  }

  private Map<String, ServerLoad> loads(SettleProbe settle) {
    return settle.look("u", peer(ca)).iterator().next().loads();
  }

  private static String load(int lists, int inflight) {
    return """
    apiserver_request_total{resource="pods",verb="LIST"} %d
    apiserver_current_inflight_requests{request_kind="readOnly"} %d
    """
        .formatted(lists, inflight);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kube-apiserver | 600",
        "kube-apiserver, --max-requests-inflight=1000 | 1200",
        "kube-apiserver, --max-requests-inflight=5, --max-requests-inflight=0,"
            + " --max-mutating-requests-inflight=0 | 0",
        "kube-apiserver, --max-requests-inflight=many | 600",
      })
  void whatAServerTakesAtOnceIsInItsFlags(String command, int most) {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p, uid: pu}
            spec: {containers: [{name: kube-apiserver, command: [%s]}]}
            status: {podIP: 'fd00::7'}
            """
                .formatted(command),
            Pod.class);
    assertThat(SettleProbe.Server.of(pod))
        .contains(new SettleProbe.Server("p", "pu", "fd00::7", 6443, most));
  }

  /** A node's certificate is of the same CA, and a pod's address may be another's by now. */
  @Test
  void nobodyElseIsBelieved() throws Exception {
    page = page(900, 700);
    HttpsServer node = server("node-1");
    HttpsServer other = server(API_NAME);
    try {
      probe.watch("u", List.of(at("127.0.0.1", node)));
      assertThat(probe.look("u", peer(ca)).pressures()).isEmpty();
      probe.watch("u", List.of(at("127.0.0.1", other)));
      KeyAndCertificate stranger = CertificateAuthority.create("stranger", CLOCK);
      assertThat(probe.look("u", peer(stranger)).pressures()).isEmpty();
      assertThat(asker).as("no request was sent").isEmpty();
      assertThat(probe.look("u", peer(ca)).pressures()).hasSize(1);
    } finally {
      node.stop(0);
      other.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "podIP: fd00::7 | resources: {limits: {memory: 1Gi}} | true",
        "phase: Pending | resources: {limits: {memory: 1Gi}} | false",
        "podIP: fd00::7 | resources: {limits: {cpu: 1}} | false",
        "podIP: fd00::7 | image: i | false",
      })
  void aPodWithAnAddressAndALimitIsAsked(String status, String container, boolean is) {
    Pod pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: p}
            spec: {containers: [{name: kube-apiserver, %s}]}
            status: {%s}
            """
                .formatted(container, status),
            Pod.class);
    assertThat(MemoryProbe.Server.of(pod))
        .isEqualTo(
            is
                ? Optional.of(new MemoryProbe.Server("p", "fd00::7", 6443, LIMIT))
                : Optional.empty());
  }

  private static MemoryProbe.Server at(String address, HttpsServer server) {
    return new MemoryProbe.Server("p", address, server.getAddress().getPort(), LIMIT);
  }

  private HttpsServer server(String name) throws Exception {
    KeyAndCertificate own =
        new CertificateAuthority(ca, CLOCK)
            .issue(Leaf.server("kube-apiserver", List.of(name, "10.0.0.1"), LONG));
    SSLContext tls = PemTls.fromText(ca.certificatePem(), own.certificatePem(), own.keyPem());
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("::"), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asked = tls.getDefaultSSLParameters();
            asked.setNeedClientAuth(true);
            parameters.setSSLParameters(asked);
          }
        });
    server.createContext(
        "/metrics",
        exchange -> {
          asker = ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
          byte[] body = page.getBytes(StandardCharsets.US_ASCII);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }
}
