// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.StorePlan;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.outcome.Problem;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a new control plane takes over, and what it must not. */
class TakeoverTest {
  private static final String TWO_VOLUMES =
      "stores: [{name: default, storage: {type: PersistentVolume}}, {name: pods, storage: {type: PersistentVolume}}], routes: [{store: pods, resources: [{resource: pods}]}]";
  private static final List<String> ALL = new ControlPlaneNames("demo").longLivedSecrets();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // claims of the one before | Secrets of the one before | what is wrong
        "                    |                                                                |",
        "default pods        | demo-ca demo-front-proxy-ca demo-store-ca demo-service-account |",
        "default pods        |                                                                | DataWithoutCertificates",
        "default pods        | demo-ca demo-front-proxy-ca demo-store-ca                      | DataWithoutCertificates",
        "                    | demo-ca demo-front-proxy-ca demo-store-ca demo-service-account | CertificatesWithoutData",
        "                    | demo-service-account                                           | CertificatesWithoutData",
        "default             | demo-ca demo-front-proxy-ca demo-store-ca demo-service-account | DataOfOtherStores",
        "default pods leases | demo-ca demo-front-proxy-ca demo-store-ca demo-service-account | DataOfOtherStores",
      })
  void allOfItOrNothing(String claims, String secrets, Reason reason) {
    Optional<Problem> problem =
        problem(controlPlane(TWO_VOLUMES), claims(claims), secrets(secrets));
    assertThat(problem.map(Problem::reason)).isEqualTo(Optional.ofNullable(reason));
    problem.ifPresent(
        p ->
            assertThat(p.message())
                .contains(
                    "with UID before", "kubectl -n ns delete secret --ignore-not-found demo-ca")
                .doesNotContain("null"));
  }

  @Test
  void aMessageNamesWhatIsMissing() {
    Problem keys =
        problem(controlPlane(TWO_VOLUMES), claims("default pods"), secrets("demo-ca"))
            .orElseThrow();
    assertThat(keys.message())
        .contains(
            "data-demo-default-0, data-demo-pods-0",
            "Secret demo-front-proxy-ca, demo-service-account, demo-store-ca is missing",
            "kubectl -n ns delete pvc -l exaplane.io/control-plane=demo && ");
    assertThat(
            problem(controlPlane(TWO_VOLUMES), claims("default"), secrets(all()))
                .orElseThrow()
                .message())
        .contains("data-demo-pods-0 is missing");
  }

  /**
   * After spec.encryption was removed, objects may need the key; a new manifest lacks the field.
   */
  @Test
  void theKeyOfEncryptionIsNamedWhileItIsThere() {
    ControlPlane plain = controlPlane(TWO_VOLUMES);
    String command = "delete secret --ignore-not-found " + String.join(" ", ALL);
    for (String secrets : List.of(all(), all() + " demo-encryption")) {
      String rest = secrets.substring(all().length());
      assertThat(problem(plain, List.of(), secrets(secrets)).orElseThrow().message())
          .contains(command + rest + "'");
      assertThat(Retention.left(plain, List.of("data-demo-default-0"), secrets(secrets)))
          .contains(String.join(", ", ALL) + (rest.isEmpty() ? "" : ", demo-encryption") + ". A")
          .contains(command + rest + "'");
    }
  }

  /** Nobody knows whether the key is lost, or never was. */
  @Test
  void dataIsNotTakenOverWithoutTheKeyOfEncryption() {
    ControlPlane encrypts = controlPlane(TWO_VOLUMES);
    assertThat(problem(encrypts, claims("default pods"), secrets(all()))).isEmpty();
    ControlPlane asks =
        Serialization.unmarshal(
            Serialization.asYaml(encrypts).replace("spec:", "spec:\n  encryption: {}"),
            ControlPlane.class);
    Problem lost = problem(asks, claims("default pods"), secrets(all())).orElseThrow();
    assertThat(lost.reason()).isEqualTo(Reason.DataWithoutCertificates);
    assertThat(lost.message())
        .contains("Secret demo-encryption is missing", "remove spec.encryption");
    assertThat(problem(asks, claims("default pods"), secrets(all() + " demo-encryption")))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: default, storage: {type: PersistentVolume}}                                    | DataOfOtherStores",
        "{name: default, storage: {type: EmptyDirLosesDataWithPod}}, {name: pods}              | DataOfOtherStores",
        "{name: default}, {name: pods}                                                         |",
        "{name: pods, storage: {type: PersistentVolume, size: 20Gi}}, {name: default, storage: {type: PersistentVolume}} |",
      })
  void itsStoresAreThoseThatWereThere(String stores, Reason reason) {
    boolean routed = stores.contains("name: pods");
    String spec =
        "stores: [%s]%s"
            .formatted(
                stores,
                routed
                    ? ", routes: [{store: pods, resources: [{group: '', resource: pods}]}]"
                    : "");
    assertThat(
            problem(controlPlane(spec), claims("default pods"), secrets(all()))
                .map(Problem::reason))
        .isEqualTo(Optional.ofNullable(reason));
  }

  @Test
  void kindsThatLiveElsewhereNowWouldVanish() {
    String other = TWO_VOLUMES.replace("resource: pods", "resource: nodes");
    Problem problem =
        problem(controlPlane(other), claims("default pods"), secrets(all())).orElseThrow();
    assertThat(problem.reason()).isEqualTo(Reason.DataOfOtherStores);
    assertThat(problem.message()).contains("spec.storage.routes", "exaplane.io/routes");
  }

  @Test
  void whatIsItsOwnOrGoesIsNoObstacle() {
    List<PersistentVolumeClaim> own = claims("default pods");
    own.forEach(
        c -> c.getMetadata().getAnnotations().put(ControlPlaneNames.CONTROL_PLANE_UID, "u"));
    assertThat(problem(controlPlane(TWO_VOLUMES), own, List.of())).isEmpty();
    List<PersistentVolumeClaim> going = claims("default pods");
    going.forEach(claim -> claim.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z"));
    assertThat(problem(controlPlane(TWO_VOLUMES), going, List.of())).isEmpty();
    List<Secret> deleted = secrets("demo-ca");
    deleted.forEach(
        secret ->
            secret
                .getMetadata()
                .setOwnerReferences(
                    List.of(
                        new OwnerReferenceBuilder()
                            .withController(true)
                            .withUid("before")
                            .build())));
    assertThat(problem(controlPlane(TWO_VOLUMES), List.of(), deleted))
        .as("they are waited out")
        .isEmpty();
  }

  /** A person brings CAs of their own, or restores them from a backup without our annotations. */
  @Test
  void secretsWithoutARecordAreSomebodysOwn() {
    List<Secret> bare = secrets(all());
    bare.forEach(secret -> secret.getMetadata().setAnnotations(null));
    assertThat(problem(controlPlane(TWO_VOLUMES), List.of(), bare)).isEmpty();
    assertThat(problem(controlPlane(TWO_VOLUMES), claims("default pods"), bare)).isEmpty();
  }

  @Test
  void keysAreKeptWhereDataIs() {
    assertThat(isKept(TWO_VOLUMES)).isTrue();
    assertThat(isKept(TWO_VOLUMES + ", deletion: Delete")).isFalse();
    assertThat(isKept("stores: [{name: default}]")).isTrue();
    assertThat(
            isKept(
                "stores: [{name: default, storage: {type: EmptyDirLosesDataWithPod}}], deletion: Retain"))
        .isFalse();
  }

  private static boolean isKept(String storage) {
    return RetainedData.isKept(controlPlane(storage).getSpec().storage());
  }

  private static Optional<Problem> problem(
      ControlPlane controlPlane, List<PersistentVolumeClaim> claims, List<Secret> secrets) {
    return new Takeover(Fixtures.sized(controlPlane).controlPlane(), claims, secrets).problem();
  }

  private static ControlPlane controlPlane(String storage) {
    return Fixtures.controlPlane(
        "{version: 1.36.3, maxNodes: 100, storage: {%s}}".formatted(storage));
  }

  private static String all() {
    return String.join(" ", ALL);
  }

  private static List<PersistentVolumeClaim> claims(String stores) {
    String routes = StorePlan.text(controlPlane(TWO_VOLUMES).getSpec().storage());
    return words(stores).stream()
        .map(
            store ->
                new PersistentVolumeClaimBuilder()
                    .withNewMetadata()
                    .withName("data-demo-" + store + "-0")
                    .addToAnnotations(ControlPlaneNames.CONTROL_PLANE_UID, "before")
                    .addToAnnotations(StoreNames.ROUTES_ANNOTATION, routes)
                    .endMetadata()
                    .build())
        .toList();
  }

  private static List<Secret> secrets(String names) {
    return words(names).stream()
        .map(
            name ->
                new SecretBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .addToAnnotations(ControlPlaneNames.CONTROL_PLANE_UID, "before")
                    .endMetadata()
                    .build())
        .toList();
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : new ArrayList<>(Arrays.asList(text.trim().split(" +")));
  }
}
