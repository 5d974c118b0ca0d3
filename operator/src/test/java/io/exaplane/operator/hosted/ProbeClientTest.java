// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.probe.BoundedGet;
import io.exaplane.operator.wait.PemTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers of two control planes, at addresses in their different spellings. */
class ProbeClientTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Clock CLOCK = Clock.systemUTC();
  private final KeyAndCertificate ca = CertificateAuthority.create("one", CLOCK);
  private final KeyAndCertificate other = CertificateAuthority.create("other", CLOCK);

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "0::0:1"})
  void trustsAtAnAddressTheCaOfItsControlPlaneAlone(String host) throws Exception {
    HttpsServer server = server();
    ProbeClient client = new ProbeClient();
    try {
      Endpoint endpoint = new Endpoint(host, server.getAddress().getPort());
      URI page =
          URI.create("https://" + IpAddresses.urlHost(host) + ":" + endpoint.port() + "/livez");
      HttpClient http = client.trusting(ProbeClient.trust(ca.certificatePem()), endpoint);
      assertThat(BoundedGet.of(http, page, LONG, 100).statusCode()).isEqualTo(200);
    } finally {
      client.close();
      server.stop(0);
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "::1"})
  void trustsNobodyElse(String host) throws Exception {
    HttpsServer server = server();
    ProbeClient client = new ProbeClient();
    try {
      Endpoint endpoint = new Endpoint(host, server.getAddress().getPort());
      URI page =
          URI.create("https://" + IpAddresses.urlHost(host) + ":" + endpoint.port() + "/livez");
      HttpClient http = client.trusting(ProbeClient.trust(other.certificatePem()), endpoint);
      assertThatThrownBy(() -> BoundedGet.of(http, page, LONG, 100))
          .isInstanceOf(IOException.class);
    } finally {
      client.close();
      server.stop(0);
    }
  }

  private HttpsServer server() throws Exception {
    KeyAndCertificate own =
        new CertificateAuthority(ca, CLOCK)
            .issue(Leaf.server("kube-apiserver", List.of("127.0.0.1", "::1"), LONG));
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("::"), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            PemTls.fromText(ca.certificatePem(), own.certificatePem(), own.keyPem())));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    return server;
  }
}
