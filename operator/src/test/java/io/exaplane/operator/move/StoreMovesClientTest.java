// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.hosted.ProbeClient;
import io.exaplane.operator.move.StoreMoves.RefusedException;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.wait.PemTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pages of a store behind TLS, as the store asks for it. */
class StoreMovesClientTest {
  private static final MoveKey KEY = new MoveKey("task-1", "/registry/leases/");
  private static final CertificateAuthority CA =
      new CertificateAuthority(
          CertificateAuthority.create("store-ca", Clock.systemUTC()), Clock.systemUTC());

  /** Page and its answer. */
  private record Answer(int status, byte[] body, Map<String, String> headers) {}

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final StoreMovesClient client = new StoreMovesClient();
  private Answer answer = new Answer(200, new byte[0], Map.of());
  private volatile CountDownLatch silent = new CountDownLatch(0);
  private HttpsServer server;

  @BeforeEach
  void begin() throws Exception {
    serve("127.0.0.1", "10.0.0.7");
  }

  private void serve(String... names) throws Exception {
    KeyAndCertificate own =
        CA.issue(Leaf.server("demo-leases", List.of(names), Duration.ofHours(1)));
    SSLContext tls = PemTls.fromText(CA.ca().certificatePem(), own.certificatePem(), own.keyPem());
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(tls) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters wanted = tls.getDefaultSSLParameters();
            wanted.setNeedClientAuth(true);
            parameters.setSSLParameters(wanted);
          }
        });
    server.createContext("/", this::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    asked.add(
        "%s %s %d %s"
            .formatted(
                exchange.getRequestMethod(),
                exchange.getRequestURI(),
                body.length,
                ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName()));
    try {
      silent.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(
        answer.status(), answer.body().length == 0 ? -1 : answer.body().length);
    exchange.getResponseBody().write(answer.body());
    exchange.close();
  }

  @AfterEach
  void end() {
    client.close();
    server.stop(0);
  }

  private StoreMoves pages() {
    return pages(CA);
  }

  private StoreMoves pages(CertificateAuthority trusted) {
    PeerTls.Peer peer =
        new PeerTls.Peer(
            CA.issue(StoreTarget.LEAF), ProbeClient.trust(trusted.ca().certificatePem()));
    return client.of(
        () -> new StoreMovesClient.Target("127.0.0.1", server.getAddress().getPort(), peer));
  }

  private void says(int status, String body) {
    answer = new Answer(status, body.getBytes(StandardCharsets.UTF_8), Map.of());
  }

  @Test
  void theStoreSeesTheMoversCertificateAndTheContractsPages() throws Exception {
    says(200, "{\"revision\":7,\"keys\":3,\"sha256\":\"ab\"}");
    pages().arrive(KEY, 12, "");
    pages().arrive(KEY, 12, "task-0");
    pages().clear(KEY);
    pages().take(KEY, new byte[5]);
    assertThat(pages().freeze(KEY)).isEqualTo(7);
    assertThat(pages().sum(KEY, Duration.ofSeconds(5))).isEqualTo(new StoreMoves.Sum(3, "ab"));
    assertThat(pages().leave(KEY, 6)).isEqualTo(7);
    pages().finish(KEY, new StoreMoves.Sum(3, "ab"), 9);
    String who = " O=exaplane:mover";
    String which = "?id=task-1&prefix=%2Fregistry%2Fleases%2F";
    List<String> lines = new ArrayList<>(asked);
    lines.replaceAll(line -> line.replaceAll("CN=kube-apiserver-store-client, ?", ""));
    lines.replaceAll(line -> line.replaceAll(", ?CN=kube-apiserver-store-client", ""));
    assertThat(lines)
        .containsExactly(
            "POST /moves/arrive" + which + "&above=12 0" + who,
            "POST /moves/arrive" + which + "&above=12&finished=task-0 0" + who,
            "POST /moves/clear" + which + "&finished=task-1 0" + who,
            "POST /moves/take" + which + " 5" + who,
            "POST /moves/freeze" + which + " 0" + who,
            "GET /moves/sum?prefix=%2Fregistry%2Fleases%2F 0" + who,
            "POST /moves/leave" + which + "&revision=6 0" + who,
            "POST /moves/finish" + which + "&keys=3&sha256=ab&above=9 0" + who);
    assertThat(asked).allMatch(line -> line.contains("CN=kube-apiserver-store-client"));
  }

  @Test
  void statesAndPagesAreRead() throws Exception {
    says(
        200,
        "{\"revision\":9,\"clusterId\":\"a1\",\"moves\":[{\"prefix\":\"/registry/leases/\",\"id\":\"task-1\",\"state\":\"Frozen\",\"revision\":8}],\"durability\":[{\"prefix\":\"/a/\",\"durability\":\"memory\"}]}");
    StoreMoves.States states = pages().states();
    assertThat(states.durability().rules())
        .containsExactly(new PrefixDurability.Rule("/a/", StoreDurability.Memory));
    assertThat(states.clusterId()).isEqualTo("a1");
    assertThat(states.is(StoreMoves.Role.Frozen, KEY)).isTrue();
    assertThat(states.is(StoreMoves.Role.Frozen, new MoveKey("other", KEY.prefix()))).isFalse();
    answer =
        new Answer(
            200, new byte[] {1, 2}, Map.of("x-exaplane-next", "a-_b", "x-exaplane-keys", "5"));
    assertThat(pages().page(KEY, "").next()).isEqualTo("a-_b");
    assertThat(pages().page(KEY, "").keys()).hasValue(5);
    pages().page(KEY, "a-_b");
    assertThat(asked.getLast()).contains("&after=a-_b");
    answer = new Answer(200, new byte[0], Map.of("x-exaplane-revision", "33"));
    assertThat(pages().changes(KEY, 21, 0).upTo()).isEqualTo(33);
    assertThat(asked.getLast()).contains("after=21&waitMs=0");
  }

  @Test
  void aRefusalHasTheStoresWords() {
    says(410, "revision 3 is compacted;\n begin again");
    assertThatThrownBy(() -> pages().changes(KEY, 3, 0))
        .isInstanceOfSatisfying(
            RefusedException.class,
            refused -> {
              assertThat(refused.isCompacted()).isTrue();
              assertThat(refused.getMessage()).isEqualTo("revision 3 is compacted; begin again");
            });
    says(503, "");
    assertThatThrownBy(() -> pages().thaw(KEY))
        .isInstanceOfSatisfying(
            RefusedException.class, refused -> assertThat(refused.isPassing()).isTrue());
  }

  @Test
  void anAnswerThatIsTooLongOrNoneOfAStoreIsNoAnswer() {
    answer = new Answer(200, new byte[(int) StoreMovesClient.MOST_BYTES + 1], Map.of());
    assertThatThrownBy(() -> pages().page(KEY, ""))
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(RefusedException.class);
    says(200, "{}");
    assertThatThrownBy(() -> pages().freeze(KEY)).hasMessageContaining("no number revision");
    says(200, "{\"revision\":1,\"moves\":[{\"state\":\"Elsewhere\"}]}");
    assertThatThrownBy(() -> pages().states()).isInstanceOf(IOException.class);
  }

  /** While clients wait, nothing but the store decides how long a request takes. */
  @Test
  void aHeldStoreIsAskedWhereItWasAndNoLongerThanClientsWait() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    PeerTls.Peer peer =
        new PeerTls.Peer(CA.issue(StoreTarget.LEAF), ProbeClient.trust(CA.ca().certificatePem()));
    int port = server.getAddress().getPort();
    StoreMoves pages =
        client.of(
            () -> {
              looks.incrementAndGet();
              return new StoreMovesClient.Target("127.0.0.1", port, peer);
            });
    says(200, "{\"revision\":7}");
    StoreMoves held = pages.held(() -> Duration.ofSeconds(60));
    assertThat(held.freeze(KEY)).isEqualTo(7);
    held.thaw(KEY);
    assertThat(looks).hasValue(1);
    silent = new CountDownLatch(1);
    long begun = System.nanoTime();
    assertThatThrownBy(() -> pages.held(() -> Duration.ofMillis(100)).freeze(KEY))
        .hasMessageContaining("in time");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
    silent.countDown();
  }

  @Test
  void aServerOfAnotherCaOrForAnotherAddressIsNotAsked() throws Exception {
    CertificateAuthority other =
        new CertificateAuthority(
            CertificateAuthority.create("other-ca", Clock.systemUTC()), Clock.systemUTC());
    assertThatThrownBy(() -> pages(other).states())
        .isInstanceOfSatisfying(
            IOException.class,
            e -> assertThat(MoveCalls.words(e)).contains("certificate is not of the CA"));
    server.stop(0);
    serve("10.0.0.7");
    assertThatThrownBy(() -> pages().states()).isInstanceOf(IOException.class);
    assertThat(asked).isEmpty();
  }

  @Test
  void aCertificateIsJudgedByAnAddressThatDoesNotLeadToTheStoreYet() throws Exception {
    int port = server.getAddress().getPort();
    assertThat(RouteCertificates.objection("127.0.0.1", port, CA, "10.0.0.7")).isEmpty();
    assertThat(RouteCertificates.objection("127.0.0.1", port, CA, "10.0.0.8"))
        .contains("has no certificate for the address 10.0.0.8 yet");
    server.stop(0);
    assertThat(RouteCertificates.objection("127.0.0.1", port, CA, "10.0.0.7"))
        .contains("does not answer");
    serve("127.0.0.1");
    assertThat(
            RouteCertificates.objection("127.0.0.1", server.getAddress().getPort(), CA, "10.0.0.7"))
        .isPresent();
  }
}
