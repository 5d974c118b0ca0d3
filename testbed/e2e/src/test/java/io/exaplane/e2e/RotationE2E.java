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
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The CA and the key of tokens are replaced without a node, under requests all the time. */
@Tag("long")
@Order(131)
class RotationE2E {
  private static final Duration PHASE = Duration.ofMinutes(10);

  @Test
  @Timeout(value = 40, unit = TimeUnit.MINUTES)
  void nobodyIsRefusedBeforeCompleteAndTheOldCredentialsAreAfterwards() {
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
      try (KubernetesClient old = Hosted.newClient(scratch.name, scratch.namespace);
          Probe probe = new Probe(scratch.name, scratch.namespace)) {
        assertThat(
                DryRun.patch("ControlPlane", scratch.name, scratch.namespace, wish("Complete"))
                    .text())
            .contains("Complete needs the phase Prepared");
        ask(scratch, "Prepare");
        await(scratch, RotationPhase.Prepared);
        assertThat(old.namespaces().list().getItems()).as("an old credential").isNotEmpty();
        awaitCode(scratch, oldToken, HttpURLConnection.HTTP_OK);
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
        System.out.printf(
            "Prepare: %d requests, %d failed%n", probe.requests(), probe.failures().size());
        assertThat(probe.failures()).isEmpty();
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
