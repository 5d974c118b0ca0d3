// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A control plane that is deleted leaves its data, and the next of its name opens it again. */
@Order(67)
@Tag("own")
class RetainedDataE2E {
  private static final String NAME = "kept";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final List<String> KEYS =
      List.of("kept-ca", "kept-front-proxy-ca", "kept-store-ca", "kept-service-account");
  private static final String CLAIM = "data-kept-default-0";

  /** Whatever a test that failed left. */
  @AfterAll
  static void gone() {
    if (Bed.controlPlane(NAME, Demo.NAMESPACE) != null) {
      Demo.patch(NAME, Demo.NAMESPACE, "{\"spec\":{\"storage\":{\"deletion\":\"Delete\"}}}");
      delete();
    }
    startAnew();
  }

  @Test
  @Order(1)
  void theSameNameHasTheSameObjectsAndTheSameCa() {
    up();
    Bed.awaitSettled(NAME, Demo.NAMESPACE, PATIENCE);
    Hosted.createConfigMap(NAME, Demo.NAMESPACE, "kept");
    ConfigMap before = read("kept");
    String ca = secret("kept-ca").getData().get("tls.crt");
    String uid = Bed.controlPlane(NAME, Demo.NAMESPACE).getMetadata().getUid();
    // The garbage collector takes dependents at once, so none of this may be one.
    delete("--cascade=foreground");
    assertThat(KEYS)
        .allSatisfy(
            key -> {
              assertThat(secret(key).getMetadata().getOwnerReferences()).isEmpty();
              assertThat(secret(key).getMetadata().getLabels())
                  .containsEntry("exaplane.io/retained", "true");
            });
    assertThat(claims()).containsExactly(CLAIM);
    Bed.awaitHolds(
        PATIENCE,
        () ->
            assertThat(events("DataRetained"))
                .contains(CLAIM, "kept-ca", "kubectl -n " + Demo.NAMESPACE + " delete pvc"));
    up();
    Bed.awaitSettled(NAME, Demo.NAMESPACE, PATIENCE);
    assertThat(read("kept").getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
    assertThat(secret("kept-ca").getData().get("tls.crt")).isEqualTo(ca);
    assertThat(secret("kept-ca").getMetadata().getLabels())
        .doesNotContainKey("exaplane.io/retained");
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(events("DataTakenOver")).contains(uid);
          assertThat(valid().message()).contains("Took over the data and certificates", uid);
        });
  }

  @Test
  @Order(2)
  void dataWithoutItsKeysIsNotTakenOverAndTheMessageSaysHowToGoOn() {
    delete();
    Secret ca = secret("kept-ca");
    Bed.kubectl("delete", "secret", "kept-ca");
    up();
    Bed.awaitCondition(NAME, Demo.NAMESPACE, ConditionType.CertificatesValid, "False", PATIENCE);
    Bed.awaitHolds(
        PATIENCE,
        () -> {
          assertThat(valid().reason()).isEqualTo("DataWithoutCertificates");
          assertThat(valid().message()).contains(CLAIM, "Secret kept-ca is missing");
        });
    assertThat(Bed.CLIENT.secrets().inNamespace(Demo.NAMESPACE).withName("kept-ca").get())
        .as("no new CA beside old data")
        .isNull();
    ca.getMetadata().setResourceVersion(null);
    ca.getMetadata().setUid(null);
    Bed.CLIENT.resource(ca).create();
    Bed.awaitSettled(NAME, Demo.NAMESPACE, PATIENCE);
    assertThat(read("kept")).isNotNull();
  }

  @Test
  @Order(3)
  void aClaimOfSomebodyElsesIsLeftAlone() {
    Bed.apply(
        """
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: data-taken-default-0}
        spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
        """);
    Bed.apply(Scratch.oneOfEach("taken"));
    try {
      Bed.await(
          "the store says whose claim it is",
          PATIENCE,
          () ->
              Bed.condition(Bed.controlPlane("taken", Demo.NAMESPACE), ConditionType.StoresReady)
                  .filter(c -> c.message().contains("existed before the store"))
                  .isPresent(),
          () -> Bed.describe("taken", Demo.NAMESPACE));
      assertThat(
              Bed.CLIENT
                  .apps()
                  .statefulSets()
                  .inNamespace(Demo.NAMESPACE)
                  .withName("taken-default")
                  .get())
          .isNull();
    } finally {
      Bed.delete(Demo.NAMESPACE, List.of("taken"), "--timeout=300s");
      Bed.kubectl("delete", "pvc", "data-taken-default-0");
    }
  }

  /** Also when the spec says so only a moment before. */
  @Test
  @Order(4)
  void withDeleteItAllGoes() {
    Demo.patch(NAME, Demo.NAMESPACE, "{\"spec\":{\"storage\":{\"deletion\":\"Delete\"}}}");
    delete();
    Scratch.awaitNothingIsLeft(NAME);
  }

  private static void up() {
    Bed.apply(Scratch.oneOfEach(NAME));
  }

  private static void delete(String... options) {
    String[] all = Arrays.copyOf(options, options.length + 1);
    all[options.length] = "--timeout=300s";
    Bed.delete(Demo.NAMESPACE, List.of(NAME), all);
  }

  private static void startAnew() {
    Bed.kubectl("delete", "pvc", "--selector=exaplane.io/control-plane=" + NAME);
    Bed.kubectl(
        Stream.concat(Stream.of("delete", "secret", "--ignore-not-found"), KEYS.stream())
            .toArray(String[]::new));
  }

  private static Condition valid() {
    return Bed.condition(Bed.controlPlane(NAME, Demo.NAMESPACE), ConditionType.CertificatesValid)
        .orElseThrow();
  }

  private static ConfigMap read(String name) {
    return Hosted.client(NAME, Demo.NAMESPACE)
        .configMaps()
        .inNamespace("default")
        .withName(name)
        .get();
  }

  private static Secret secret(String name) {
    return Bed.CLIENT.secrets().inNamespace(Demo.NAMESPACE).withName(name).get();
  }

  private static List<String> claims() {
    return Bed.CLIENT
        .persistentVolumeClaims()
        .inNamespace(Demo.NAMESPACE)
        .withLabel("exaplane.io/control-plane", NAME)
        .list()
        .getItems()
        .stream()
        .map(claim -> claim.getMetadata().getName())
        .toList();
  }

  private static String events(String reason) {
    return Bed.kubectl(
        "get",
        "events",
        "--field-selector=involvedObject.kind=ControlPlane,involvedObject.name="
            + NAME
            + ",reason="
            + reason,
        "--output=jsonpath={.items[*].message}");
  }
}
