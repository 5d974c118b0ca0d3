// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreEngine;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.storeshard.claim.ClaimGrowth;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 6 (g): the template of claims stays, and the quota follows when there is room. */
class VolumeGrowthTest {
  private static final Images IMAGES = new Images(new Fixtures.Config("operator:1"), null);

  @ParameterizedTest
  @ValueSource(strings = {"Memory", "Etcd"})
  void theQuotaFollowsTheVolume(String engine) {
    StatefulSet made = render(shard(engine, "4Gi"), Optional.empty());
    StoreShard larger = shard(engine, "6Gi");

    StatefulSet waits = render(usable(larger, made, "4Gi"), Optional.of(made));
    assertThat(waits.getSpec()).as("while the volume is as it was").isEqualTo(made.getSpec());

    StatefulSet grown = render(usable(larger, made, "6Gi"), Optional.of(made));
    assertThat(grown.getSpec().getVolumeClaimTemplates())
        .isEqualTo(made.getSpec().getVolumeClaimTemplates());
    assertThat(quota(grown)).isGreaterThan(quota(made));
    assertThat(grown.getSpec().getTemplate().getSpec().getInitContainers())
        .isEqualTo(made.getSpec().getTemplate().getSpec().getInitContainers());

    StatefulSet anew = render(larger, Optional.empty());
    assertThat(quota(grown)).isEqualTo(quota(anew));
  }

  private static StoreShard usable(StoreShard shard, StatefulSet set, String has) {
    PersistentVolumeClaim claim =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data-s-0, namespace: ns, uid: c}
            spec: {resources: {requests: {storage: 6Gi}}}
            status: {capacity: {storage: %s}}
            """
                .formatted(has),
            PersistentVolumeClaim.class);
    return ClaimGrowth.usable(shard, Optional.of(set), Optional.of(claim));
  }

  private static long quota(StatefulSet set) {
    var container = set.getSpec().getTemplate().getSpec().getContainers().getFirst();
    List<String> words =
        container.getArgs().isEmpty() ? container.getCommand() : container.getArgs();
    return words.stream()
        .filter(word -> word.startsWith("--quota-backend-bytes="))
        .map(word -> Long.valueOf(word.substring(word.indexOf('=') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static StatefulSet render(StoreShard shard, Optional<StatefulSet> existing) {
    return shard.getSpec().engine() == StoreEngine.Etcd
        ? EtcdStatefulSet.render(shard, IMAGES, existing, true)
        : MemoryStatefulSet.render(shard, IMAGES, existing, true);
  }

  private static StoreShard shard(String engine, String size) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: s, namespace: ns, uid: u}
        spec: {engine: %s, criticality: Critical, storage: {type: PersistentVolume, size: %s}, tls: {secretRef: {name: t}}}
        """
            .formatted(engine, size),
        StoreShard.class);
  }
}
