// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Secret starts a store. */
class TlsSecretPresentTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        // owner of the store | owner of the Secret | its files | starts
        "ControlPlane/new, ControlPlane/new, tls.crt tls.key ca.crt, true",
        "ControlPlane/new, ControlPlane/old, tls.crt tls.key ca.crt, false",
        "-,                ControlPlane/old, tls.crt tls.key ca.crt, false",
        "ControlPlane/new, ControlPlane/new, tls.crt tls.key,        false",
        "-,                -,                tls.crt tls.key ca.crt, true",
        "-,                Certificate/c,    tls.crt tls.key ca.crt, true",
        "ControlPlane/new, -,                tls.crt tls.key ca.crt, true",
      })
  void aStoreStartsWithItsOwn(String store, String secret, String files, boolean starts) {
    StoreShard shard = new StoreShard();
    shard.setMetadata(metadata(store));
    Secret found =
        new SecretBuilder()
            .withMetadata(metadata(secret))
            .withData(
                Arrays.stream(files.split(" "))
                    .collect(Collectors.toMap(file -> file, _ -> "eA==")))
            .build();
    assertThat(TlsSecretPresent.serves(shard, found)).isEqualTo(starts);
  }

  private static ObjectMeta metadata(String owner) {
    return new ObjectMetaBuilder()
        .withOwnerReferences(
            owner == null
                ? List.of()
                : List.of(
                    new OwnerReferenceBuilder()
                        .withApiVersion(
                            owner.startsWith("Control")
                                ? "exaplane.io/v1alpha1"
                                : "cert-manager.io/v1")
                        .withKind(owner.split("/")[0])
                        .withUid(owner.split("/")[1])
                        .withController(true)
                        .build()))
        .build();
  }
}
