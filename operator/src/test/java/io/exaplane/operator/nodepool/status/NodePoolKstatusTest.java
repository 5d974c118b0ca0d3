// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.status.ConditionSet;
import io.exaplane.operator.status.Kstatus;
import io.exaplane.operator.status.KstatusSamples;
import io.exaplane.operator.status.Phase;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each phase of a pool, and what tools that go by kstatus' rules take it for. */
class NodePoolKstatusTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final long GENERATION = 3;
  private static final KstatusSamples SAMPLES = new KstatusSamples("NodePool");

  @AfterAll
  static void theRealLibraryGetsTheSame() throws IOException {
    SAMPLES.check();
  }

  @ParameterizedTest
  @CsvSource({
    "'', Current",
    "JoinMaterialReady=False/WaitingForControlPlane, InProgress",
    "JoinMaterialReady=False/WaitingForCertificates, InProgress",
    "JoinMaterialReady=False/WaitingForAPIServer, InProgress",
    "JoinMaterialReady=False/Creating, InProgress",
    "JoinMaterialReady=False/SecretOfAnother, Failed",
    "JoinMaterialReady=False/WriteRefused, Failed",
    "JoinMaterialReady=False/Paused, InProgress",
    "JoinMaterialReady=False/ReconcileFailed, InProgress",
    "ConfigurationValid=False/NodesExceeded JoinMaterialReady=False/NodesExceeded, Failed",
    "NodesReady=False/NodesJoining, InProgress",
    "NodesReady=False/NodesNotReady, InProgress",
    "AddressesAssigned=False/PrefixTaken, InProgress",
    "AgentsUpToDate=False/AgentsRestarting, InProgress",
    "AgentsUpToDate=False/WaveNotReady, InProgress",
    "AgentPolicyInForce=False/WriteRefused, InProgress"
  })
  void eachPhase(String differences, Kstatus verdict) {
    ConditionSet set = new ConditionSet(null, GENERATION, CLOCK);
    for (NodePoolCondition type : NodePoolCondition.values()) {
      boolean good =
          !List.of(NodePoolCondition.Reconciling, NodePoolCondition.Stalled).contains(type);
      set.set(type, good, Reason.AsExpected, "well");
    }
    Phase.set(set, NodePoolCondition.class, differences);
    PoolToolConditions.derive(set);
    List<Condition> conditions = set.build();
    SAMPLES.add(differences, GENERATION, conditions, verdict);
    assertThat(Kstatus.of(false, GENERATION, GENERATION, conditions)).isEqualTo(verdict);
    assertThat(Kstatus.of(true, GENERATION, GENERATION, conditions)).isEqualTo(Kstatus.Terminating);
    assertThat(conditions)
        .allSatisfy(each -> assertThat(each.observedGeneration()).isEqualTo(GENERATION));
  }
}
