// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An operator that is killed again and again while it makes a control plane makes one, with one CA.
 */
@Tag("long")
@Order(140)
class KilledOperatorE2E {
  private static final int KILLS = 10;
  private static final int MOST_MS = 4_000;

  @Test
  @Timeout(value = 25, unit = TimeUnit.MINUTES)
  void tenKillsDuringCreationEndWithOneCa() throws Exception {
    long seed = Long.getLong("exa.seed", System.nanoTime());
    System.out.println("seed " + seed + " (replay with -Dexa.seed=" + seed + ")");
    Random random = new Random(seed);
    Set<String> authorities = new TreeSet<>();
    try (Scratch scratch = new Scratch("killed", Bed.VERSION, "")) {
      for (int kill = 0; kill < KILLS; kill++) {
        Bed.awaitLeader(Duration.ofMinutes(7));
        Instant moment = Instant.now().plusMillis(random.nextInt(MOST_MS));
        Bed.await(
            "a random moment",
            Duration.ofMinutes(2),
            () -> {
              note(scratch, authorities);
              return Instant.now().isAfter(moment);
            });
        operator().forEach(ProcessHandle::destroyForcibly);
        restartWithoutBackOff();
      }
      scratch.awaitSettled(Duration.ofMinutes(6));
      note(scratch, authorities);
      assertThat(authorities).as("CAs ever seen").hasSize(1);
      everyLeafIsOfTheCa(scratch);
    }
  }

  private static java.util.stream.Stream<ProcessHandle> operator() {
    return ProcessHandle.allProcesses()
        .filter(p -> p.info().commandLine().orElse("").contains("-jar /app/quarkus-run.jar"));
  }

  /** A new pod starts at once, where the kubelet would hold a restarted container back. */
  private static void restartWithoutBackOff() {
    Bed.kubectl(
        "--namespace=" + Bed.OPERATOR_NAMESPACE,
        "delete",
        "pods",
        "--all",
        "--force",
        "--grace-period=0");
  }

  private static void note(Scratch scratch, Set<String> authorities) {
    Secret secret = Bed.CLIENT.secrets().inNamespace(scratch.namespace).withName("killed-ca").get();
    if (secret != null) {
      authorities.add(secret.getData().get("tls.crt"));
    }
  }

  private static void everyLeafIsOfTheCa(Scratch scratch) throws Exception {
    List<Certificate> certificates =
        Bed.controlPlane(scratch.name, scratch.namespace).getStatus().certificates();
    assertThat(certificates).extracting(Certificate::name).doesNotHaveDuplicates();
    X509Certificate ca = read(scratch, "killed-ca", "tls.crt");
    for (String secret : List.of("killed-controller-manager-pki", "killed-scheduler-pki")) {
      read(scratch, secret, "client.crt").verify(ca.getPublicKey());
      read(scratch, secret, "server.crt").verify(ca.getPublicKey());
    }
    read(scratch, "killed-apiserver-pki", "apiserver.crt").verify(ca.getPublicKey());
  }

  private static X509Certificate read(Scratch scratch, String secret, String file)
      throws Exception {
    byte[] pem =
        Base64.getDecoder()
            .decode(
                Bed.CLIENT
                    .secrets()
                    .inNamespace(scratch.namespace)
                    .withName(secret)
                    .get()
                    .getData()
                    .get(file));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem));
  }
}
