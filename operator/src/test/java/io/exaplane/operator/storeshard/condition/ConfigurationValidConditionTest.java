// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Line 10: a store that a person made before a name was reserved goes on, and is told. */
class ConfigurationValidConditionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a-apiserver",
        "a-controller-manager",
        "a-scheduler",
        "a-root",
        "a-relay-0",
        "a-shard-12"
      })
  void aReservedNameIsTold(String name) {
    Verdict told =
        ConfigurationValidCondition.of(shard(name, ""), Optional.empty(), Optional::empty);
    assertThat(told.status()).isEqualTo("True");
    assertThat(told.reason()).isEqualTo(Reason.NameReserved);
    assertThat(told.message()).startsWith("metadata.name " + name + ": ").contains("namespace ns");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "a-default", "scheduler", "a-shard-x", "apiserver-a"})
  void ofOthersNothingIsSaid(String name) {
    Verdict told =
        ConfigurationValidCondition.of(shard(name, ""), Optional.empty(), Optional::empty);
    assertThat(told).isEqualTo(Verdict.yes(Reason.AsExpected, "The spec is valid."));
  }

  /** It has the name that the ControlPlane gave it, which is told of its own. */
  @Test
  void aControlPlanesStoreIsToldNothing() {
    StoreShard shard =
        shard(
            "demo-root",
            "ownerReferences: [{apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: demo, uid: c, controller: true}]");
    assertThat(
            ConfigurationValidCondition.of(shard, Optional.empty(), () -> fail("asked")).reason())
        .isEqualTo(Reason.AsExpected);
  }

  private static StoreShard shard(String name, String metadata) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata: {name: %s, namespace: ns, uid: u, %s}
        spec: {engine: Memory, criticality: BestEffort, tls: {secretRef: {name: t}}}
        """
            .formatted(name, metadata),
        StoreShard.class);
  }
}
