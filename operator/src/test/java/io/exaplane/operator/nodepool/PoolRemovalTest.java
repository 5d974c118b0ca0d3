// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePoolCondition;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.nodepool.PoolRemoval.Wait;
import io.exaplane.operator.nodepool.status.NodePoolStatusReporter;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pool takes its tokens with it, and waits for that a while. */
class PoolRemovalTest {
  private Passes passes;
  private PoolRemoval removal;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
    removal = new PoolRemoval(passes.tokens, passes.events, passes.clock);
    passes.pass();
    passes.pool.getMetadata().setDeletionTimestamp(passes.clock.instant().toString());
  }

  @AfterEach
  void end() throws InterruptedException {
    passes.close();
  }

  private Optional<Wait> look() {
    return removal.wait(
        passes.pool, passes.observe().controlPlane(), Optional.empty(), Optional.empty());
  }

  @Test
  void theTokensAreDeletedAndNodesStay() throws InterruptedException {
    assertThat(look()).isEmpty();
    assertThat(passes.hosted.below(Passes.TOKENS)).isEmpty();
    assertThat(passes.hosted.below(Passes.PROXIER)).as("nodes need it").hasSize(1);
    assertThat(passes.told())
        .singleElement()
        .satisfies(
            event ->
                assertThat(event)
                    .startsWith("Normal Removing")
                    .contains(
                        "Nodes that joined stay",
                        "kubectl delete nodes -l exaplane.io/pool=workers"));
  }

  @Test
  void aPausedControlPlaneHoldsNothingUp() {
    passes.controlPlane("pausedUntil: 'true'", "{version: {current: 1.37.2}}");
    assertThat(look()).isEmpty();
    assertThat(passes.hosted.below(Passes.TOKENS)).isEmpty();
  }

  @Test
  void anApiThatDoesNotAnswerIsWaitedForThreeMinutes() throws InterruptedException {
    passes.isConnected = false;
    Wait wait = look().orElseThrow();
    assertThat(wait.why().reason()).isEqualTo(Reason.Removing);
    assertThat(wait.why().message())
        .contains("waits until 2026-01-01T00:03:00Z", "API of ControlPlane demo does not answer");
    NodePoolStatusReporter reporter = new NodePoolStatusReporter(passes.pool, passes.clock);
    passes.pool.setStatus(reporter.removing(wait.why()));
    assertThat(passes.condition(NodePoolCondition.JoinMaterialReady)).isEqualTo("False/Removing");
    assertThat(new NodePoolStatusReporter(passes.pool, passes.clock).removing(wait.why()))
        .as("the same again writes nothing")
        .isEqualTo(passes.pool.getStatus());
    passes.clock.go(Duration.ofMinutes(3).minusSeconds(1));
    assertThat(look()).isPresent();
    passes.clock.go(Duration.ofSeconds(1));
    assertThat(look()).isEmpty();
    assertThat(passes.told())
        .singleElement()
        .satisfies(
            event ->
                assertThat(event)
                    .startsWith("Warning Removing")
                    .contains(
                        "The last one works until 2026-01-02T00:00:00Z",
                        "kubectl -n kube-system delete secrets -l"
                            + " exaplane.io/node-pool-uid=uid-workers"));
  }

  @Test
  void anOperatorThatBeginsLaterWaitsAsLong() {
    passes.clock.go(Duration.ofHours(1));
    passes.isConnected = false;
    removal = new PoolRemoval(passes.tokens, passes.events, passes.clock);
    assertThat(look()).isPresent();
    passes.isConnected = true;
    assertThat(look()).isEmpty();
    assertThat(passes.hosted.below(Passes.TOKENS)).isEmpty();
  }

  @Test
  void anApiThatRefusesIsNamed() {
    passes.hosted.refuse(403);
    assertThat(look().orElseThrow().why().message()).contains("answered 403");
  }

  @Test
  void withoutAControlPlaneThereIsNothingToWaitFor() {
    passes.controlPlane = Optional.empty();
    passes.isConnected = false;
    assertThat(look()).isEmpty();
  }
}
