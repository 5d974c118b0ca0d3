// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A rotation of the CA of a cluster: what the operator does about the processes, and what it tells
 * hosts. One thread.
 */
final class CaRotation {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Cluster cluster;
  private final Path folder;

  CaRotation(Cluster cluster, Path folder) throws IOException {
    this.cluster = cluster;
    this.folder = Files.createDirectories(folder);
  }

  /** Everybody trusts both CAs, and certificates come from the new one. */
  void prepare() throws Exception {
    cluster.trust(cluster.caPem() + cluster.next().ca().certificatePem());
    Path administrator = administrator("next", cluster.next());
    Await.until(
        PATIENCE,
        "the API trusts the new CA",
        () -> api(administrator).equals("200"),
        () -> api(administrator));
    cluster.sign(cluster.next());
    cluster.restartControllers();
  }

  /** The API shows a certificate of the new CA, and then trusts that CA alone. */
  void complete() throws Exception {
    Path administrator = administrator("next", cluster.next());
    Path bundle =
        Files.writeString(folder.resolve("new.crt"), cluster.next().ca().certificatePem());
    cluster.serve(cluster.next());
    Await.until(
        PATIENCE,
        "the API shows a certificate of the new CA",
        () -> code(administrator, bundle, cluster.server() + "/api").equals("200"),
        () -> code(administrator, bundle, cluster.server() + "/api"));
    cluster.trust(cluster.next().ca().certificatePem());
    Path former = administrator("former", cluster.authority());
    Await.until(
        PATIENCE,
        "the API refuses certificates of the old CA",
        () -> api(former).equals("401"),
        () -> api(former));
  }

  /** What the operator tells hosts at a stage. */
  NodeAuthorities told(Stage stage) {
    Map<String, String> former = files(cluster.authority().ca());
    Map<String, String> later = files(cluster.next().ca());
    return NodeAuthorities.of(
            new RotatedKey(
                stage, 1, Instant.EPOCH, later, stage == Stage.SINGLE ? Map.of() : former),
            RotationPhase.Prepared)
        .orElseThrow();
  }

  /** Tells the hosts; the short name that they say when they follow. */
  String tell(Stage stage) throws Exception {
    NodeAuthorities told = told(stage);
    HeartbeatMap.trust(cluster, told.text(), told.proof(Optional.empty()));
    return told.id();
  }

  private static Map<String, String> files(KeyAndCertificate ca) {
    return Map.of(
        Authorities.CERTIFICATE_FILE, ca.certificatePem(), Authorities.KEY_FILE, ca.keyPem());
  }

  /** A file with an administrator's certificate of a CA, and its key. */
  Path administrator(String name, CertificateAuthority ca) throws IOException {
    KeyAndCertificate own =
        ca.issue(Leaf.client("administrator", "system:masters", Duration.ofHours(1)));
    return Files.writeString(folder.resolve(name + ".pem"), own.certificatePem() + own.keyPem());
  }

  /** The API's answer to a file with certificate and key. */
  String api(Path client) throws IOException {
    return code(client, bundle(), cluster.server() + "/api");
  }

  /** Both CAs. */
  Path bundle() throws IOException {
    return Files.writeString(
        folder.resolve("both.crt"), cluster.caPem() + cluster.next().ca().certificatePem());
  }

  /** The status of an answer, or why there is none. */
  static String code(Path client, Path bundle, String url) throws IOException {
    return Shell.run(
            List.of(
                "curl",
                "-q",
                "--silent",
                "--show-error",
                "--globoff",
                "--noproxy",
                "*",
                "--max-time",
                "20",
                "--cacert",
                bundle.toString(),
                "--cert",
                client.toString(),
                "--key",
                client.toString(),
                "--output",
                "/dev/null",
                "--write-out",
                "%{http_code}",
                url),
            Map.of())
        .text();
  }
}
