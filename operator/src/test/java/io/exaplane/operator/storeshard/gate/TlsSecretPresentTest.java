// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Secret starts a store, whose image and Secret somebody names who may make StoreShards. */
class TlsSecretPresentTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // owner of the store | owner of the Secret | its labels | had it before | starts
        "ControlPlane/new, ControlPlane/new, exaplane.io/store=default,    false, true",
        "ControlPlane/new, ControlPlane/new, exaplane.io/store=other,      false, false",
        "ControlPlane/new, ControlPlane/new, -,                            false, false",
        "ControlPlane/new, ControlPlane/old, exaplane.io/store=default,    false, false",
        "ControlPlane/new, ControlPlane/old, exaplane.io/store=default,    true,  false",
        "-,                ControlPlane/old, exaplane.io/store=default,    true,  false",
        "-,                SchedulerPool/p,  exaplane.io/store-shard=s,    true,  false",
        "-,                StoreShard/x,     exaplane.io/store-shard=s,    false, false",
        "-,                -,                -,                            false, false",
        "-,                -,                -,                            true,  true",
        "-,                -,                exaplane.io/store-shard=s,    false, true",
        "-,                -,                exaplane.io/store-shard=s2,   false, false",
        "-,                -,                exaplane.io/store-shard=s2,   true,  false",
        "-,                -,                exaplane.io/control-plane=d,  true,  false",
        "-,                -,                exaplane.io/scheduler-pool=p, true,  false",
        "-,                Certificate/c,    exaplane.io/store-shard=s,    false, true",
        "-,                Certificate/c,    -,                            false, false",
        "ControlPlane/new, -,                exaplane.io/store-shard=s,    false, true",
      })
  void aStoreStartsWithItsOwn(
      String store, String secret, String label, boolean before, boolean starts) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(metadata(store));
    shard.getMetadata().setName("s");
    shard.getMetadata().setLabels(Map.of("exaplane.io/store", "default"));
    Secret found = new SecretBuilder().withMetadata(metadata(secret)).build();
    found.getMetadata().setName("tls");
    if (label != null) {
      found.getMetadata().setLabels(Map.of(label.split("=")[0], label.split("=")[1]));
    }
    assertThat(
            TlsSecretPresent.objection(
                shard, found, before ? Optional.of(set()) : Optional.empty()))
        .matches(objection -> objection.isEmpty() == starts);
  }

  /** One of a backup is not there yet: no store starts with it, and nobody is told to act. */
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // owner of the Secret | its control plane | its store | is to be taken over
        "-,                d,     default, true",
        "ControlPlane/old, d,     default, true",
        "ControlPlane/new, d,     default, false",
        "Certificate/c,    d,     default, false",
        "StoreShard/s,     d,     default, false",
        "-,                d,     other,   false",
        "-,                other, default, false",
        "-,                -,     default, false",
      })
  void aRestoredOneIsNotThereYet(
      String secret, String controlPlane, String store, boolean isToBeTakenOver) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(metadata("ControlPlane/new"));
    shard
        .getMetadata()
        .setLabels(Map.of("exaplane.io/store", "default", "exaplane.io/control-plane", "d"));
    Secret found = new SecretBuilder().withMetadata(metadata(secret)).build();
    found.getMetadata().setName("tls");
    found.getMetadata().setLabels(new HashMap<>(Map.of("exaplane.io/store", store)));
    if (controlPlane != null) {
      found.getMetadata().getLabels().put("exaplane.io/control-plane", controlPlane);
    }
    assertThat(TlsSecretPresent.isToBeTakenOver(shard, found)).isEqualTo(isToBeTakenOver);
    if (isToBeTakenOver) {
      assertThat(TlsSecretPresent.objection(shard, found, Optional.of(set()))).isEmpty();
    }
  }

  private static StatefulSet set() {
    return Serialization.unmarshal(
        "kind: StatefulSet\napiVersion: apps/v1\nspec: {template: {spec: {volumes: [{name: data}, {name: tls, secret: {secretName: tls}}]}}}",
        StatefulSet.class);
  }

  private static ObjectMeta metadata(String owner) {
    return new ObjectMetaBuilder()
        .withOwnerReferences(
            owner == null
                ? List.of()
                : List.of(
                    new OwnerReferenceBuilder()
                        .withApiVersion(
                            owner.startsWith("Certificate")
                                ? "cert-manager.io/v1"
                                : "exaplane.io/v1alpha1")
                        .withKind(owner.split("/")[0])
                        .withUid(owner.split("/")[1])
                        .withController(true)
                        .build()))
        .build();
  }
}
