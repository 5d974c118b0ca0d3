// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.operator.pki.NodeAuthorities;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The heartbeats' program and the CAs of the cluster, by real shells and a real openssl, on a host
 * whose API and kubelet are stand-ins.
 */
class FollowTextProcessTest {
  /** The API gives what the file says, and signs requests unless a file forbids that. */
  private static final String STAND_INS =
      """
      nap() { :; }
      ask() {
        echo "$1 $2 $6" >>"$HERE/asked"
        case "$1 $2" in
          POST*)
            printf '%s' "$6" | sed -n 's/.*"request": "\\([^"]*\\)".*/\\1/p' | base64 -d >"$HERE/csr"
            rm -f "$HERE/issued"
            [ -e "$HERE/unsigned" ] || openssl x509 -req -in "$HERE/csr" -CA "$HERE/signer.crt" -CAkey "$HERE/signer.key" -set_serial 7 -days 2 -out "$HERE/issued" 2>/dev/null
            ANSWER='{"metadata": {"name": "exaplane-x1", "generateName": "exaplane-"}}'
            ;;
          *requests/exaplane-x1)
            ANSWER='{}'
            [ ! -e "$HERE/issued" ] || ANSWER="{\\"status\\": {\\"certificate\\": \\"$(base64 -w 0 "$HERE/issued")\\"}}"
            ;;
          *) ANSWER=$(cat "$HERE/map") ;;
        esac
      }
      restart() {
        echo "$1" >>"$HERE/restarted"
        [ ! -e "$HERE/broken" ] || return 1
        [ "$1" != kubelet ] || [ -e "$SERVED" ] || cp "$HERE/next-served" "$SERVED"
      }
      """;

  private static final CertificateAuthority OLD = authority("old");
  private static final CertificateAuthority NEW = authority("new");

  @TempDir Path folder;
  private Path pki;
  private Path trusted;

  private static CertificateAuthority authority(String name) {
    Clock clock = Clock.systemUTC();
    return new CertificateAuthority(CertificateAuthority.create(name, clock), clock);
  }

  @BeforeEach
  void join() throws IOException {
    pki = Files.createDirectories(folder.resolve("pki"));
    Files.createDirectories(folder.resolve("state"));
    trusted = Files.writeString(folder.resolve("ca.crt"), OLD.ca().certificatePem());
    Files.writeString(folder.resolve("state/heartbeats"), "40-10-300\n");
    Path first = Files.writeString(pki.resolve("kubelet-client-1.pem"), node(OLD));
    Files.createSymbolicLink(pki.resolve("kubelet-client-current.pem"), first);
    Files.writeString(pki.resolve("kubelet-server-current.pem"), node(OLD));
    Files.writeString(folder.resolve("next-served"), node(NEW));
    Files.writeString(folder.resolve("signer.crt"), NEW.ca().certificatePem());
    Files.writeString(folder.resolve("signer.key"), NEW.ca().keyPem());
    Files.writeString(folder.resolve("restarted"), "");
    Files.writeString(folder.resolve("asked"), "");
  }

  private static String node(CertificateAuthority ca) {
    KeyAndCertificate own =
        ca.issue(Leaf.client("system:node:n", "system:nodes", Duration.ofHours(1)));
    return own.certificatePem() + own.keyPem();
  }

  private static NodeAuthorities told(Stage stage) {
    Map<String, String> former = files(OLD);
    RotatedKey key =
        new RotatedKey(
            stage, 2, Instant.EPOCH, files(NEW), stage == Stage.SINGLE ? Map.of() : former);
    return NodeAuthorities.of(key, RotationPhase.Prepared).orElseThrow();
  }

  private static Map<String, String> files(CertificateAuthority ca) {
    return Map.of(
        Authorities.CERTIFICATE_FILE,
        ca.ca().certificatePem(),
        Authorities.KEY_FILE,
        ca.ca().keyPem());
  }

  private void tell(NodeAuthorities told, String proof, String percent) throws IOException {
    Files.writeString(
        folder.resolve("map"),
        """
        {"kind": "ConfigMap", "metadata": {"managedFields": [{"f:authorities": {}}]},
         "data": {"authorities": "%s", "authoritiesReleasedPercent": "%s", "heartbeats": "40-10-300", "proof": "%s"}}
        """
            .formatted(told.text(), percent, proof));
  }

  private void tell(Stage stage) throws IOException {
    tell(told(stage), told(stage).proof(Optional.empty()), "100");
  }

  /** Runs the program for some looks, as a process of its own; what it said. */
  private String look(String shell, int looks, String before) throws IOException {
    String part;
    try (InputStream in = getClass().getResourceAsStream("/nodepool/join/heartbeat.sh")) {
      part = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    String program =
        part.substring(part.indexOf("<<'PROGRAM'\n") + 12, part.indexOf("\nWAIT=5\n"))
            .replace("/etc/kubernetes/pki/exaplane-ca.crt", trusted.toString())
            .replace("/etc/kubernetes/exaplane", folder.resolve("state").toString())
            .replace("/run/exaplane-join.lock", folder.resolve("lock").toString());
    Path file =
        Files.writeString(
            folder.resolve("program.sh"),
            "HERE=%s\nset -- https://api n edge %s/kubelet-client-current.pem %s/dropin kubelet kube-proxy\n"
                    .formatted(folder, pki, folder)
                + program
                + "\n"
                + STAND_INS
                + before
                + "\nwhile [ $LOOKS -lt %d ]; do\nlook\nLOOKS=$((LOOKS + 1))\ndone\n"
                    .formatted(looks));
    List<String> words = new ArrayList<>(List.of(shell.split(" ")));
    words.add(file.toString());
    return Shell.run(words, Map.of()).text();
  }

  private List<String> restarted() throws IOException {
    return Files.readAllLines(folder.resolve("restarted"));
  }

  private long asked(String words) throws IOException {
    return Files.readAllLines(folder.resolve("asked")).stream()
        .filter(line -> line.contains(words))
        .count();
  }

  private String issuer(String file) throws IOException {
    return Shell.must("openssl", "x509", "-noout", "-issuer", "-in", pki.resolve(file).toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "bash --posix", "busybox sh"})
  void aHostFollowsWithOneRestartAndForgetsTheOldCaWithoutOne(String shell) throws Exception {
    tell(Stage.ISSUING);
    String said = look(shell, 3, "");
    assertThat(restarted()).as(said).containsExactly("kubelet", "kube-proxy");
    assertThat(issuer("kubelet-client-current.pem")).contains("new");
    assertThat(issuer("kubelet-server-current.pem")).contains("new");
    Path current = pki.resolve("kubelet-client-current.pem");
    assertThat(Files.readSymbolicLink(current).getFileName().toString())
        .matches("kubelet-client-[0-9-]{19}\\.pem");
    assertThat(Files.getPosixFilePermissions(current.toRealPath())).hasSize(2);
    assertThat(Files.readString(trusted))
        .isEqualTo(NEW.ca().certificatePem() + OLD.ca().certificatePem());
    assertThat(asked("\"exaplane.io/authorities\": \"" + told(Stage.ISSUING).id() + "\""))
        .isEqualTo(1);
    tell(Stage.SINGLE);
    look(shell, 3, "");
    assertThat(restarted()).hasSize(2);
    assertThat(Files.readString(trusted)).isEqualTo(NEW.ca().certificatePem());
    assertThat(asked("\"exaplane.io/authorities\": \"" + told(Stage.SINGLE).id() + "\""))
        .isEqualTo(1);
  }

  /** Whoever may write the ConfigMap has the key of no CA that the host trusts. */
  @Test
  void aBundleOfSomebodyElseIsNotTaken() throws Exception {
    CertificateAuthority evil = authority("evil");
    NodeAuthorities signedByEvil =
        NodeAuthorities.of(
                new RotatedKey(Stage.ISSUING, 2, Instant.EPOCH, files(NEW), files(evil)),
                RotationPhase.Prepared)
            .orElseThrow();
    for (String proof : List.of("", "AAAA", signedByEvil.proof(Optional.empty()))) {
      tell(told(Stage.ISSUING), proof, "100");
      look("dash", 2, "");
    }
    tell(signedByEvil, signedByEvil.proof(Optional.empty()), "100");
    assertThat(look("dash", 2, "")).contains("no CA that this host trusts has signed the bundle");
    assertThat(Files.readString(trusted)).isEqualTo(OLD.ca().certificatePem());
    assertThat(restarted()).isEmpty();
    assertThat(asked("POST")).isZero();
  }

  @Test
  void aHostWaitsForItsShare() throws Exception {
    tell(told(Stage.ISSUING), told(Stage.ISSUING).proof(Optional.empty()), "0");
    look("dash", 3, "");
    assertThat(restarted()).isEmpty();
    assertThat(Files.readString(trusted)).isEqualTo(OLD.ca().certificatePem());
  }

  /** Nothing has changed on the host before the certificate is there. */
  @Test
  void withoutACertificateNothingChangesAndTheHostAsksAgainLater() throws Exception {
    Files.createFile(folder.resolve("unsigned"));
    tell(Stage.ISSUING);
    assertThat(look("dash", 10, "")).contains("no client certificate of the new CA");
    assertThat(asked("POST")).isEqualTo(1);
    assertThat(restarted()).isEmpty();
    assertThat(Files.readString(trusted)).isEqualTo(OLD.ca().certificatePem());
    assertThat(issuer("kubelet-client-current.pem")).contains("old");
    look("dash", 11, "");
    assertThat(asked("POST")).as("by the next process, and after ten looks").isEqualTo(3);
    Files.delete(folder.resolve("unsigned"));
    look("dash", 1, "");
    assertThat(restarted()).containsExactly("kubelet", "kube-proxy");
  }

  /** What ended between the new files and the restart is done by the next process. */
  @Test
  void aRestartThatWasCutOffIsMadeUpFor() throws Exception {
    tell(Stage.ISSUING);
    look("dash", 1, "restart() { exit 9; }");
    assertThat(issuer("kubelet-client-current.pem")).contains("new");
    assertThat(restarted()).isEmpty();
    look("dash", 2, "");
    assertThat(restarted()).containsExactly("kubelet", "kube-proxy");
    assertThat(asked("POST")).isEqualTo(1);
    assertThat(asked("\"exaplane.io/authorities\": \"")).isEqualTo(1);
  }

  @Test
  void aKubeletThatDoesNotStartAndAMissingOpensslAreTold() throws Exception {
    tell(Stage.ISSUING);
    assertThat(look("dash", 2, "openssl() { return 127; }"))
        .containsOnlyOnce("openssl is missing on the host");
    assertThat(restarted()).isEmpty();
    Files.createFile(folder.resolve("broken"));
    assertThat(look("dash", 3, "")).containsOnlyOnce("the kubelet did not start");
    assertThat(restarted()).containsExactly("kubelet", "kubelet");
    assertThat(asked("\"exaplane.io/authorities\": \"")).isZero();
  }
}
