// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.StoreCondition;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.api.v1alpha1.StoreShardStatus;
import io.exaplane.operator.config.OperatorBundle;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.install.Installed;
import io.exaplane.operator.standby.HeldObjects;
import io.exaplane.operator.storeshard.dependent.StorePins;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoreShardRehearsalTest {
  private final Fixtures.Config config = new Fixtures.Config("quay.io/exaplane/operator:1");
  private final Clock clock = Clock.systemUTC();
  private final StoreShardRehearsal rehearsal =
      new StoreShardRehearsal(
          new StorePins(config, new OperatorBundle(config), new Installed(), clock), config, clock);

  @Test
  void itMakesTheStatusOfAPass() {
    StoreShard shard =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: StoreShard
            metadata: {name: demo-default, namespace: ns, uid: s, generation: 1}
            spec: {engine: Memory, criticality: Critical, storage: {type: PersistentVolume}, tls: {secretRef: {name: t}}}
            """,
            StoreShard.class);
    StatefulSet set =
        Serialization.unmarshal(
            """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata:
              name: demo-default
              namespace: ns
              uid: t
              ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: StoreShard, name: demo-default, uid: s}]
            spec: {template: {spec: {containers: [{name: store, image: i}]}}}
            """,
            StatefulSet.class);
    Context<StoreShard> context = HeldObjects.context(shard, List.of(set), "storeshard");
    StoreShardStatus status = rehearsal.status(shard, context);
    assertThat(status.conditions().stream().map(condition -> condition.type()))
        .contains(StoreCondition.Ready.name(), StoreCondition.ConfigurationValid.name());
    assertThat(rehearsal.controller()).isEqualTo(StoreShardReconciler.NAME);
  }
}
