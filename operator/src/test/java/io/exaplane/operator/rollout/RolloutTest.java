// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How far a Deployment is, from its status alone. */
class RolloutTest {
  private static final String LAST_ROLLOUT = "2026-11-27T10:00:00Z";

  @Test
  void theEndOfTheLastRolloutSaysNothingOfATemplateThatKubernetesHasNotSeen() {
    assertThat(Rollout.lastProgress(deployment(1, "True"))).contains(Instant.parse(LAST_ROLLOUT));
    Deployment written = deployment(2, "True");
    assertThat(Rollout.isReplacingPods(written)).isTrue();
    assertThat(Rollout.lastProgress(written)).isEmpty();
  }

  @Test
  void aTemplateWhosePodsMissedTheDeadlineHasWaitedForLong() {
    assertThat(Rollout.lastProgress(deployment(1, "False"))).contains(Instant.EPOCH);
  }

  @Test
  void aPodThatIsLostNowIsNotWhatTheLastRolloutWaitedForSince() {
    Deployment ended = deployment(1, "True");
    ended.getStatus().getConditions().getFirst().setReason("NewReplicaSetAvailable");
    assertThat(Rollout.lastProgress(ended)).contains(Instant.parse(LAST_ROLLOUT));
    ended.getStatus().setUpdatedReplicas(0);
    assertThat(Rollout.lastProgress(ended)).isEmpty();
    ended.getStatus().getConditions().getFirst().setReason("ReplicaSetUpdated");
    assertThat(Rollout.lastProgress(ended)).contains(Instant.parse(LAST_ROLLOUT));
  }

  /** All pods are of the newest template, and some have not settled. */
  @Test
  void whatIsHeldIsBeingReplacedUntilTheOperatorLetsGo() {
    Deployment made = deployment(1, "True");
    assertThat(Rollout.isReplacingPods(made)).isFalse();
    made.getSpec().setMinReadySeconds(Rollout.NEVER_SECONDS);
    assertThat(Rollout.isReplacingPods(made)).isTrue();
    assertThat(RolloutViews.hasNewest(made)).as("its pods are looked at").isTrue();
  }

  private static Deployment deployment(long generation, String progressing) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("demo-apiserver")
        .withGeneration(generation)
        .endMetadata()
        .withNewSpec()
        .withReplicas(1)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(1L)
        .withReplicas(1)
        .withUpdatedReplicas(1)
        .addNewCondition()
        .withType("Progressing")
        .withStatus(progressing)
        .withLastUpdateTime(LAST_ROLLOUT)
        .endCondition()
        .endStatus()
        .build();
  }

  @ParameterizedTest
  @CsvSource({
    "'a,b', 'a,b', true",
    "'a', 'a,b', true",
    "'a,b', 'a,c', false",
    "'a', 'c', false",
    "'', 'a', false",
  })
  void podsRunOnTheDataOfNowUnlessAStoreStartedEmpty(String before, String now, boolean on) {
    assertThat(Rollout.isOnData(before, now)).isEqualTo(on);
  }
}
