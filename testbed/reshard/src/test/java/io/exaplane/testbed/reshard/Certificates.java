// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

import io.exaplane.operator.hosted.PeerTls;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * What the stores and their clients show each other, issued by the operator's own CA.
 *
 * @param mover for who carries a move out
 */
record Certificates(Path ca, Pair server, Pair client, PeerTls.Peer mover) {
  private static final Duration VALIDITY = Duration.ofDays(30);
  private static final String MOVER = "exaplane:mover";

  /** A certificate and its key, as files in PEM. */
  record Pair(Path certificate, Path key) {}

  static Certificates make(Path folder) throws Exception {
    Clock clock = Clock.systemUTC();
    CertificateAuthority authority =
        new CertificateAuthority(CertificateAuthority.create("stores", clock), clock);
    KeyAndCertificate mover =
        authority.issue(Leaf.client(ControlPlaneNames.STORE_CLIENT, MOVER, VALIDITY));
    return new Certificates(
        Files.writeString(folder.resolve("ca.crt"), authority.ca().certificatePem()),
        write(folder, "server", authority.issue(Leaf.server("store", hosts(), VALIDITY))),
        write(
            folder,
            "client",
            authority.issue(Leaf.client(ControlPlaneNames.STORE_CLIENT, "", VALIDITY))),
        new PeerTls.Peer(mover, trust(authority.ca().certificate())));
  }

  /** The stores' own address, and that of the route. */
  private static List<String> hosts() {
    return List.of("127.0.0.1", "::1");
  }

  private static Pair write(Path folder, String name, KeyAndCertificate one) throws Exception {
    return new Pair(
        Files.writeString(folder.resolve(name + ".crt"), one.certificatePem()),
        Files.writeString(folder.resolve(name + ".key"), one.keyPem()));
  }

  private static X509ExtendedTrustManager trust(Certificate ca) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", ca);
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    factory.init(store);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }
}
