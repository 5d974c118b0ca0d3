// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the schema can't see shows in ConfigurationValid, and what runs is left as it was. */
@Order(32)
@Tag("api")
class BadInputE2E {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @TempDir Path folder;

  private static final List<Bad> BAD =
      List.of(
          new Bad("1.31.0", "maxNodes: 10", "UnsupportedVersion", "spec.version 1.31.0"),
          new Bad(
              "maxNodes: 10, storage: {stores: [{name: default}, {name: a}], routes: [{store: a, resources: [{group: apps, resource: deploymentz}]}]}",
              "UnknownResource",
              "apps/deploymentz"),
          new Bad(
              "maxNodes: 10, storage: {stores: [{name: default}, {name: a}], routes: [{store: a, resources: [{group: cert-manager.io, resource: certificates}]}]}",
              "UnroutableResource",
              "cert-manager.io/certificates"),
          new Bad(
              "maxNodes: 70000, network: {podCIDRs: ['fd00:1::/48']}",
              "ClusterTooLarge",
              "fd00:1::/48"),
          new Bad(
              "maxNodes: 10, endpoint: {type: NodePort, host: api.example}",
              "HostNotAnAddress",
              "api.example"),
          new Bad(
              "maxNodes: 10, apiServer: {extraArgs: [{name: feature-gates, value: 'WatchCacheInitializationPostStartHook=false'}]}",
              "LockedFeatureGate",
              "WatchCacheInitializationPostStartHook=false"),
          // 1.36 had it, locked.
          new Bad(
              "maxNodes: 10, apiServer: {extraArgs: [{name: feature-gates, value: 'BtreeWatchCache=true'}]}",
              "UnknownFeatureGate",
              "BtreeWatchCache"));

  /** A spec, and what ConfigurationValid says of it. */
  private record Bad(String version, String spec, String reason, String value) {
    Bad(String spec, String reason, String value) {
      this(Bed.VERSION, spec, reason, value);
    }

    String name() {
      return "bad-" + reason.toLowerCase(Locale.ROOT);
    }
  }

  /** Those that can't be made are looked at by the operator beside each other. */
  @BeforeAll
  static void up() {
    Demo.up();
    Bed.apply(
        BAD.stream()
            .map(
                bad ->
                    """
                    apiVersion: exaplane.io/v1alpha1
                    kind: ControlPlane
                    metadata: {name: %s}
                    spec: {version: %s, %s}
                    """
                        .formatted(bad.name(), bad.version(), bad.spec()))
            .collect(Collectors.joining("---\n")));
  }

  /** What was never made goes at once. */
  @AfterAll
  static void gone() {
    Bed.delete(Demo.NAMESPACE, BAD.stream().map(Bad::name).toList(), "--timeout=300s");
  }

  @TestFactory
  @Order(1)
  Stream<DynamicTest> aNewControlPlaneIsNotMade() {
    return BAD.stream().map(bad -> DynamicTest.dynamicTest(bad.reason(), () -> isNotMade(bad)));
  }

  private static void isNotMade(Bad bad) {
    awaitTold(
        bad.name(), ConditionType.ConfigurationValid, bad.reason(), "spec.", bad.value(), "; ");
    assertThat(Bed.kubectl("get", "deployments,statefulsets,services", "--output=name"))
        .doesNotContain(bad.name());
  }

  /** Waits until a condition is false for this reason, and says these words. */
  private static void awaitTold(String name, ConditionType type, String reason, String... words) {
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          Condition condition =
              Bed.condition(Bed.controlPlane(name, Demo.NAMESPACE), type).orElseThrow();
          assertThat(condition.status()).as("%s", condition).isEqualTo(Condition.FALSE);
          assertThat(condition.reason()).as("%s", condition).isEqualTo(reason);
          assertThat(List.of(words))
              .allSatisfy(word -> assertThat(condition.message()).contains(word));
        });
  }

  /** A probe that a busy machine answers late may say otherwise for a moment. */
  private static void awaitTrue(ConditionType type) {
    Bed.awaitCondition(Demo.NAME, Demo.NAMESPACE, type, Condition.TRUE, PATIENCE);
  }

  @Test
  @Order(2)
  void aRunningControlPlaneIsLeftAsItWas() {
    Map<String, Long> before = generations();
    Demo.patch("{\"spec\":{\"version\":\"" + Bed.version(1, 0) + "\"}}");
    awaitTold(Demo.NAME, ConditionType.ConfigurationValid, "UnsupportedVersion");
    assertThat(generations()).isEqualTo(before);
    awaitTrue(ConditionType.Available);
    // It can be taken back, since nothing was started with it.
    Demo.patch("{\"spec\":{\"version\":\"" + Bed.VERSION + "\"}}");
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.ConfigurationValid, "True", PATIENCE);
    assertThat(generations()).isEqualTo(before);
  }

  @Test
  @Order(3)
  void aPausedControlPlaneIsNotChanged() {
    Demo.patch("{\"spec\":{\"pausedUntil\":\"true\",\"scheduler\":{\"replicas\":1}}}");
    Condition paused =
        Bed.awaitCondition(
            Demo.NAME, Demo.NAMESPACE, ConditionType.ReconciliationActive, "False", PATIENCE);
    assertThat(paused.reason()).isEqualTo("Paused");
    assertThat(replicas("demo-scheduler")).isEqualTo(2);
    Demo.patch("{\"spec\":{\"pausedUntil\":null}}");
    Bed.await("the change is carried out", PATIENCE, () -> replicas("demo-scheduler") == 1);
    Demo.patch("{\"spec\":{\"scheduler\":null}}");
  }

  @Test
  @Order(4)
  void aLostCaIsNeverReplaced() throws Exception {
    Bed.kubectl("delete", "secret", "demo-ca");
    awaitTold(
        Demo.NAME,
        ConditionType.CertificatesValid,
        "CASecretMissing",
        "demo-ca",
        "Restore the Secret");
    awaitTrue(ConditionType.Available);
    // The way that the message names: the controller manager's Secret still holds both.
    var kept =
        Bed.CLIENT
            .secrets()
            .inNamespace(Demo.NAMESPACE)
            .withName("demo-controller-manager-pki")
            .get()
            .getData();
    Path certificate = Files.write(folder.resolve("ca.crt"), decode(kept.get("ca.crt")));
    Path key = Files.write(folder.resolve("ca.key"), decode(kept.get("ca.key")));
    Bed.kubectl("create", "secret", "tls", "demo-ca", "--cert=" + certificate, "--key=" + key);
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.CertificatesValid, "True", PATIENCE);
  }

  @Test
  @Order(5)
  void anotherCaInItsPlaceIsReportedAndNothingIsIssuedFromIt() {
    var secrets = Bed.CLIENT.secrets().inNamespace(Demo.NAMESPACE);
    Map<String, String> own = secrets.withName("demo-ca").get().getData();
    Map<String, String> foreign = secrets.withName("demo-front-proxy-ca").get().getData();
    Map<String, String> leaves = secrets.withName("demo-scheduler-pki").get().getData();
    replaceCa(foreign);
    awaitTold(
        Demo.NAME,
        ConditionType.CertificatesValid,
        "CASecretInvalid",
        "demo-ca",
        "holds another CA");
    awaitTrue(ConditionType.Available);
    awaitTrue(ConditionType.KubeconfigReady);
    replaceCa(own);
    Bed.awaitCondition(
        Demo.NAME, Demo.NAMESPACE, ConditionType.CertificatesValid, "True", PATIENCE);
    assertThat(secrets.withName("demo-scheduler-pki").get().getData()).isEqualTo(leaves);
    Demo.settled(PATIENCE);
  }

  /** Again when the operator writes it at the same time. */
  private static void replaceCa(Map<String, String> data) {
    Bed.await(
        "the CA is replaced",
        PATIENCE,
        () ->
            Bed.CLIENT
                    .secrets()
                    .inNamespace(Demo.NAMESPACE)
                    .withName("demo-ca")
                    .edit(
                        secret -> {
                          secret.setData(data);
                          return secret;
                        })
                != null);
  }

  private static byte[] decode(String base64) {
    return java.util.Base64.getDecoder().decode(base64);
  }

  private static int replicas(String deployment) {
    return Bed.CLIENT
        .apps()
        .deployments()
        .inNamespace(Demo.NAMESPACE)
        .withName(deployment)
        .get()
        .getSpec()
        .getReplicas();
  }

  private static Map<String, Long> generations() {
    List<Deployment> deployments =
        Bed.CLIENT
            .apps()
            .deployments()
            .inNamespace(Demo.NAMESPACE)
            .withLabel("exaplane.io/control-plane", Demo.NAME)
            .list()
            .getItems();
    return deployments.stream()
        .collect(
            Collectors.toMap(d -> d.getMetadata().getName(), d -> d.getMetadata().getGeneration()));
  }
}
