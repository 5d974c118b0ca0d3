// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The CA and the key of tokens are replaced without a node, under requests all the time. */
@Tag("long")
@Order(131)
class RotationE2E {
  private static final Duration PHASE = Duration.ofMinutes(10);

  @TempDir private Path folder;

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void nobodyIsRefusedBeforeCompleteAndTheOldCredentialsAreAfterwards() throws IOException {
    try (Scratch scratch =
        new Scratch("rotation", Bed.VERSION, "  pki: {adminKubeconfigValidity: 1h}")) {
      scratch.awaitSettled(Duration.ofMinutes(5));
      Bed.awaitCondition(
          scratch.name, scratch.namespace, ConditionType.Available, "True", Duration.ofMinutes(5));
      Bed.await(
          "the controllers made a service account",
          Duration.ofMinutes(5),
          () ->
              scratch.client().serviceAccounts().inNamespace("default").withName("default").get()
                  != null);
      String oldToken = token(scratch);
      Path oldCertificate;
      try (KubernetesClient old = Hosted.newClient(scratch.name, scratch.namespace);
          BusyClient client = BusyClient.following(scratch.name, scratch.namespace)) {
        oldCertificate = certificate(old.getConfiguration());
        assertThat(
                DryRun.patch("ControlPlane", scratch.name, scratch.namespace, wish("Complete"))
                    .text())
            .contains("Complete needs the phase Prepared");
        ask(scratch, "Prepare");
        await(scratch, RotationPhase.Prepared);
        assertThat(old.namespaces().list().getItems()).as("an old credential").isNotEmpty();
        awaitCode(scratch, oldToken, HttpURLConnection.HTTP_OK);
        awaitShown(scratch, oldCertificate, HttpURLConnection.HTTP_OK);
        Bed.await("both CAs are published", PHASE, () -> rootCas(scratch) == 2);
        awaitCode(scratch, token(scratch), HttpURLConnection.HTTP_OK);
        assertThat(
                DryRun.patch(
                        "ControlPlane",
                        scratch.name,
                        scratch.namespace,
                        "{\"spec\":{\"pki\":{\"rotation\":null}}}")
                    .text())
            .contains("must not be removed before the phase Completed");
        assertThat(client.report("a rotation is prepared").failures()).isEmpty();
      }
      String newToken = token(scratch);
      try (KubernetesClient prepared = Hosted.newClient(scratch.name, scratch.namespace)) {
        ask(scratch, "Complete");
        await(scratch, RotationPhase.Completed);
        assertThat(prepared.namespaces().list().getItems())
            .as("a credential that was fetched when the rotation was prepared")
            .isNotEmpty();
      }
      awaitCode(scratch, oldToken, HttpURLConnection.HTTP_UNAUTHORIZED);
      awaitShown(scratch, oldCertificate, HttpURLConnection.HTTP_UNAUTHORIZED);
      awaitCode(scratch, newToken, HttpURLConnection.HTTP_OK);
      Bed.await(
          "one CA in kube-root-ca.crt and for aggregated APIs",
          Duration.ofMinutes(3),
          () -> rootCas(scratch) == 1 && clientCas(scratch) == 1);
    }
  }

  private static String wish(String wish) {
    return "{\"spec\":{\"pki\":{\"rotation\":{\"ca\":\"%1$s\",\"serviceAccountKey\":\"%1$s\"}}}}"
        .formatted(wish);
  }

  private static void ask(Scratch scratch, String wish) {
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "patch",
        "controlplane",
        scratch.name,
        "--type=merge",
        "--patch=" + wish(wish));
  }

  private static void await(Scratch scratch, RotationPhase phase) {
    Bed.await(
        "both keys are " + phase,
        PHASE,
        () -> {
          RotationStatus rotation = rotation(scratch);
          return rotation != null
              && rotation.ca() != null
              && rotation.serviceAccountKey() != null
              && rotation.ca().phase() == phase
              && rotation.serviceAccountKey().phase() == phase;
        },
        () -> Objects.toString(rotation(scratch)));
  }

  private static RotationStatus rotation(Scratch scratch) {
    return Bed.controlPlane(scratch.name, scratch.namespace).getStatus().rotation();
  }

  private static String token(Scratch scratch) {
    return scratch
        .client()
        .serviceAccounts()
        .inNamespace("default")
        .withName("default")
        .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
        .getStatus()
        .getToken();
  }

  /** A server that does not answer says nothing of the token. */
  private static void awaitCode(Scratch scratch, String token, int wanted) {
    Bed.await("the answer " + wanted, PHASE, () -> code(scratch, token) == wanted);
  }

  /** What the API answers to a token: it may ask who it is. */
  private static int code(Scratch scratch, String token) {
    Config config =
        new ConfigBuilder(scratch.client().getConfiguration())
            .withClientCertData(null)
            .withClientKeyData(null)
            .withOauthToken(token)
            .withRequestRetryBackoffLimit(0)
            .build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
      client.raw("/api");
      return HttpURLConnection.HTTP_OK;
    } catch (KubernetesClientException refused) {
      return refused.getCode();
    }
  }

  /** A client's certificate and its key, as a file. */
  private Path certificate(Config config) throws IOException {
    return Files.writeString(
        folder.resolve("former-client.pem"),
        decoded(config.getClientCertData()) + "\n" + decoded(config.getClientKeyData()) + "\n");
  }

  private static String decoded(String data) {
    return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
  }

  private void awaitShown(Scratch scratch, Path certificate, int wanted) {
    Bed.await(
        "the answer %d to the former certificate".formatted(wanted),
        PHASE,
        () -> shown(scratch, certificate) == wanted);
  }

  /**
   * What the API answers to a certificate; 0 without an answer. curl shows the certificate also if
   * the API names other CAs, and Java would be anonymous then.
   */
  private int shown(Scratch scratch, Path certificate) {
    Config now = scratch.client().getConfiguration();
    Path trusted = folder.resolve("trusted.pem");
    try {
      Files.writeString(trusted, decoded(now.getCaCertData()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Bed.Run asked =
        Bed.run(
            List.of(
                "curl",
                "-q",
                "--silent",
                "--globoff",
                "--noproxy",
                "*",
                "--max-time",
                "20",
                "--cacert",
                trusted.toString(),
                "--cert",
                certificate.toString(),
                "--key",
                certificate.toString(),
                "--output",
                "/dev/null",
                "--write-out",
                "%{http_code}",
                URI.create(now.getMasterUrl()).resolve("/api").toString()));
    return asked.exit() == 0 ? Integer.parseInt(asked.output().strip()) : 0;
  }

  private static int rootCas(Scratch scratch) {
    return certificates(scratch, "kube-public", "kube-root-ca.crt", "ca.crt");
  }

  private static int clientCas(Scratch scratch) {
    return certificates(
        scratch, "kube-system", "extension-apiserver-authentication", "client-ca-file");
  }

  private static int certificates(
      Scratch scratch, String namespace, String configMap, String file) {
    String text =
        scratch
            .client()
            .configMaps()
            .inNamespace(namespace)
            .withName(configMap)
            .get()
            .getData()
            .get(file);
    return text.split("BEGIN CERTIFICATE").length - 1;
  }
}
