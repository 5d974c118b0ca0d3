// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreShard;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is told that a store is not Guaranteed. */
class StoreQualityTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "Critical,   Guaranteed, EmptyDir,         -",
        "Critical,   Burstable,  EmptyDir,         'Pod s-0 is Burstable, so a "
            + "node|spec.resources|with its data'",
        "Critical,   BestEffort, PersistentVolume, 'Pod s-0 is BestEffort, so a node|replaced "
            + "once'",
        "BestEffort, Burstable,  EmptyDir,         -",
        "Critical,   -,          EmptyDir,         -",
      })
  void ofACriticalOne(String criticality, String quality, String volume, String words) {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: s, namespace: ns}
            spec: {criticality: %s, storage: {type: %s}}
            """
                .formatted(criticality, volume),
            StoreShard.class);
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("s-0")
            .endMetadata()
            .withNewStatus()
            .withQosClass(quality)
            .endStatus()
            .build();
    if (words == null) {
      assertThat(StoreQuality.remark(shard, pod)).isEmpty();
    } else {
      assertThat(StoreQuality.remark(shard, pod).orElseThrow()).contains(words.split("[|]"));
    }
  }
}
