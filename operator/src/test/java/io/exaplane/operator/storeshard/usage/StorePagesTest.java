// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.wait.PemTls;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which stores are asked in the clear, which by TLS, and whom the operator believes. */
class StorePagesTest {
  private static final String NAME = "demo-default";
  private static final String POD = "127.0.0.1";
  private static final Duration MOST = Duration.ofSeconds(20);
  private static final CertificateAuthority CA = authority();
  private static final CertificateAuthority ANOTHER = authority();

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer clear;
  private HttpsServer secured;
  private StorePages pages;

  private static CertificateAuthority authority() {
    return new CertificateAuthority(
        CertificateAuthority.create("store-ca", Clock.systemUTC()), Clock.systemUTC());
  }

  /** A certificate of a store has the address of its Service, and none of a pod. */
  private static Leaf server(String name) {
    return Leaf.server(name, List.of("10.0.0.7"), Duration.ofHours(1));
  }

  @BeforeEach
  void begin() throws Exception {
    clear = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    clear.createContext("/", exchange -> answer(exchange, "in the clear"));
    clear.start();
    serve(CA.issue(server(NAME)));
  }

  private void serve(KeyAndCertificate own) throws Exception {
    end(secured);
    SSLContext tls = PemTls.fromText(CA.ca().certificatePem(), own.certificatePem(), own.keyPem());
    secured = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    secured.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = tls.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    secured.createContext(
        "/",
        exchange ->
            answer(
                exchange, ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName()));
    secured.start();
    pages =
        new StorePages(
            Clock.systemUTC(), secured.getAddress().getPort(), clear.getAddress().getPort());
  }

  private void answer(HttpExchange exchange, String who) throws IOException {
    asked.add(exchange.getRequestURI() + " " + who);
    byte[] page = StoreHostsTest.STALLED.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, page.length);
    exchange.getResponseBody().write(page);
    exchange.close();
  }

  @AfterEach
  void end() {
    end(clear);
    end(secured);
  }

  private void end(HttpServer server) {
    if (server != null) {
      server.stop(0);
    }
    if (pages != null) {
      pages.close();
      pages = null;
    }
  }

  private static Function<String, Optional<Secret>> knows(Secret secret) {
    return name ->
        Optional.ofNullable(secret).filter(known -> known.getMetadata().getName().equals(name));
  }

  private Optional<String> page(String path) throws InterruptedException {
    return pages.get("u", POD, path, MOST, 1 << 20);
  }

  @Test
  void aStoreThatLimitsItsClearPagesIsReadWithACertificate() throws Exception {
    StoreProbe probe = new StoreProbe(Clock.systemUTC(), pages);
    assertThat(
            probe.ask(
                LimitedStore.shard(NAME),
                List.of(LimitedStore.pod(NAME)),
                knows(LimitedStore.ca(CA))))
        .singleElement()
        .matches(StoreUsage::stalled);
    assertThat(page("/ages?prefix=/registry/leases/")).as("for the guard").isPresent();
    assertThat(asked)
        .extracting(line -> line.split(" ")[0])
        .containsExactly("/metrics", "/ages?prefix=/registry/leases/");
    assertThat(asked)
        .allMatch(line -> line.contains("CN=kube-apiserver-store-client"))
        .allMatch(line -> line.contains("O=exaplane:operator"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"earlier bundle", "no control plane"})
  void anyOtherStoreIsReadInTheClear(String what) throws Exception {
    StoreShard shard = LimitedStore.shard(NAME);
    Pod pod = LimitedStore.pod(NAME);
    if (what.equals("earlier bundle")) {
      pod = LimitedStore.pod(NAME, "image: i");
    } else {
      shard.getMetadata().setOwnerReferences(List.of());
    }
    pages.learn(shard, List.of(pod), knows(LimitedStore.ca(CA)));
    assertThat(page("/metrics")).isPresent();
    assertThat(asked).containsExactly("/metrics in the clear");
    assertThat(pages.isKnown("u")).isTrue();
  }

  /** The guard may ask before anybody has looked at the store: an operator that has just begun. */
  @ParameterizedTest
  @ValueSource(strings = {"just begun", "no pod", "no Secret", "Secret of another"})
  void nobodyIsAskedBeforeTheOperatorKnowsHow(String what) throws Exception {
    StoreShard shard = LimitedStore.shard(NAME);
    List<Pod> pods = List.of(LimitedStore.pod(NAME));
    switch (what) {
      case "no pod" -> pages.learn(shard, List.of(LimitedStore.pod("demo-events")), knows(null));
      case "no Secret" -> pages.learn(shard, pods, knows(null));
      case "Secret of another" ->
          pages.learn(shard, pods, knows(LimitedStore.ca(CA, "another-uid", "1")));
      default -> assertThat(what).isEqualTo("just begun");
    }
    assertThat(page("/ages")).isEmpty();
    assertThat(asked).as("in the clear").isEmpty();
    assertThat(pages.isKnown("u")).isEqualTo(what.contains("Secret"));
    pages.learn(shard, pods, knows(LimitedStore.ca(CA)));
    assertThat(page("/ages")).isPresent();
    assertThat(asked).singleElement().asString().contains("CN=kube-apiserver-store-client");
  }

  @ParameterizedTest
  @ValueSource(strings = {"another store", "another CA", "a client"})
  void whoIsNotTheStoreIsNotBelieved(String who) throws Exception {
    serve(
        switch (who) {
          case "another store" -> CA.issue(server("demo-events"));
          case "another CA" -> ANOTHER.issue(server(NAME));
          default -> CA.issue(Leaf.client(NAME, "", Duration.ofHours(1)));
        });
    pages.learn(
        LimitedStore.shard(NAME), List.of(LimitedStore.pod(NAME)), knows(LimitedStore.ca(CA)));
    assertThat(page("/metrics")).isEmpty();
    assertThat(asked).as("also in the clear").isEmpty();
  }

  @Test
  void theCertificateIsRenewedInTimeAndFollowsTheCa() {
    Instant begun = Instant.now();
    Instant[] now = {begun};
    InstantSource time = () -> now[0];
    StorePages known = new StorePages(time.withZone(ZoneOffset.UTC), 1, 1);
    try {
      PeerTls.Peer first = learned(known, LimitedStore.ca(CA)).orElseThrow();
      now[0] = begun.plus(Duration.ofMinutes(50));
      assertThat(learned(known, LimitedStore.ca(CA))).containsSame(first);
      for (int look = 1; look < 40; look++) {
        now[0] = now[0].plus(Duration.ofMinutes(50));
        PeerTls.Peer shown = learned(known, LimitedStore.ca(CA)).orElseThrow();
        assertThat(shown.own().notAfter()).as("look %d", look).isAfter(now[0]);
      }
      PeerTls.Peer renewed = known.peer("u").orElseThrow();
      assertThat(renewed).isNotEqualTo(first);
      PeerTls.Peer other = learned(known, LimitedStore.ca(ANOTHER, "demo-uid", "2")).orElseThrow();
      assertThat(ANOTHER.issued(other.own())).isTrue();
      assertThat(learned(known, null)).as("a Secret that is not seen").containsSame(other);
      known.learn(LimitedStore.shard(NAME), List.of(), knows(null));
      assertThat(known.peer("u")).as("a pod that is replaced").containsSame(other);
    } finally {
      known.close();
    }
  }

  private static Optional<PeerTls.Peer> learned(StorePages known, Secret secret) {
    known.learn(LimitedStore.shard(NAME), List.of(LimitedStore.pod(NAME)), knows(secret));
    return known.peer("u");
  }
}
