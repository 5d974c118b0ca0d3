// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.VolumeSpec;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 6 (g): a larger size reaches the store that is there; nothing else of its volume does. */
class StoreVolumeTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # asked                                    | has                                                          | is then
          {size: 20Gi}                               | {type: PersistentVolume, size: 10Gi, storageClassName: fast} | PersistentVolume 20Gi fast
          {size: 10Gi}                               | {type: PersistentVolume, size: 10Gi, storageClassName: fast} | PersistentVolume 10Gi fast
          {size: 5Gi}                                | {type: PersistentVolume, size: 10Gi}                         | PersistentVolume 10Gi null
          {size: 10241Mi}                            | {type: PersistentVolume, size: 10Gi}                         | PersistentVolume 10241Mi null
          {size: 20Gi, storageClassName: slow}       | {type: PersistentVolume, size: 10Gi, storageClassName: fast} | PersistentVolume 20Gi fast
          {type: EmptyDirLosesDataWithPod}           | {type: PersistentVolume, size: 10Gi}                         | PersistentVolume 10Gi null
          null                                       | {type: PersistentVolume, size: 10Gi}                         | PersistentVolume 10Gi null
          """)
  void growsAndNothingElse(String asked, String has, String then) {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 1, storage: {stores: [{name: default, storage: %s}]}}"
                .formatted(asked));
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default}
            spec: {engine: Memory, storage: %s, tls: {secretRef: {name: t}}}
            """
                .formatted(has),
            StoreShard.class);
    VolumeSpec volume =
        StoreVolume.of(
            StorageSpec.stores(controlPlane.getSpec().storage()).getFirst(), Optional.of(shard), 0);
    assertThat("%s %s %s".formatted(volume.type(), volume.size(), volume.storageClassName()))
        .isEqualTo(then);
  }
}
