// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.AnsweringApi.Answer;
import io.exaplane.operator.AnsweringApi.Asked;
import io.exaplane.operator.hosted.HostedCalls;
import io.exaplane.operator.nodepool.address.NodeTurn;
import io.exaplane.operator.nodepool.hosted.NodeCalls;
import io.exaplane.operator.nodepool.upgrade.UpgradePlan;
import io.exaplane.operator.outcome.Outcomes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hosted API cordons a node for which no pass waits any more. */
@Timeout(60)
class LateUpgradeTest {
  private static final String WITHOUT = "maxNodes: 10, " + NodePools.ADDRESSES;
  private static final String TURN = "1.37.2;Draining;2026-01-01T00:00:00Z;Uncordon";

  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch answered = new CountDownLatch(1);
  private final AtomicInteger writes = new AtomicInteger();
  private volatile String annotation = "";
  private volatile boolean cordoned;
  private Passes passes;
  private AnsweringApi api;
  private NodeCalls calls;
  private UpgradeStep step;

  @BeforeEach
  void begin() throws IOException {
    passes = new Passes();
    passes.spec(WITHOUT + ", upgrade: {}");
    api = new AnsweringApi(this::answer);
    calls =
        new NodeCalls(
            _ -> Optional.of(api.client()),
            new HostedCalls(Duration.ofMillis(200), passes.clock),
            passes.clock);
    step = new UpgradeStep(calls, passes.events, passes.clock);
  }

  @AfterEach
  void end() throws InterruptedException {
    answered.countDown();
    api.close();
    passes.close();
  }

  private Answer answer(Asked asked) {
    String node =
        "{\"kind\":\"Node\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"n1\",\"uid\":\"u1\",\"resourceVersion\":\"7\",\"annotations\":{\"exaplane.io/upgrade\":\"%s\"}}}";
    if (asked.reads()) {
      return new Answer(
          200,
          "{\"kind\":\"NodeList\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[%s]}"
              .formatted(node.formatted(annotation)));
    }
    writes.incrementAndGet();
    cordoned = asked.body().contains("\"unschedulable\":true");
    if (cordoned) {
      arrived.countDown();
      hang();
    }
    annotation = cordoned ? TURN : "";
    return new Answer(200, node.formatted(annotation));
  }

  private void hang() {
    try {
      answered.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the watch shows the node, with what the operator wrote, or without. */
  private Optional<UpgradePlan> pass(String shown) {
    NodeTurn node = new NodeTurn("n1", "u1", "7", "", true, "1.36.4", !shown.isEmpty(), shown, "");
    return step.carryOut(passes.observe(), () -> Optional.of(List.of(node)), new Outcomes());
  }

  private void beginLate() throws InterruptedException {
    pass("");
    assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
    passes.spec(WITHOUT);
    assertThat(passes.pool.getStatus()).as("no status tells of it").isNull();
  }

  @Test
  void aNodeThatIsCordonedAfterTheFieldWasRemovedComesBack() throws InterruptedException {
    beginLate();
    assertThat(step.next(passes.pool, pass(""))).contains(Duration.ofSeconds(10));
    assertThat(writes).as("nothing beside the late call").hasValue(1);
    answered.countDown();
    while (calls.hasTurns(passes.pool)) {
      pass("");
    }
    assertThat(writes).hasValue(2);
    assertThat(annotation).isEmpty();
    assertThat(cordoned).isFalse();
    assertThat(pass("")).as("nothing is left to look for").isEmpty();
  }

  @Test
  void aPoolThatIsDeletedWaitsForTheLateCall() throws InterruptedException {
    beginLate();
    assertThat(step.leave(passes.observe(), Optional::empty)).isPresent();
    assertThat(writes).hasValue(1);
    answered.countDown();
    while (step.leave(passes.observe(), Optional::empty).isPresent()) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(writes).hasValue(2);
    assertThat(annotation).isEmpty();
    assertThat(cordoned).isFalse();
  }

  /** Of an operator that begins, for which no status tells of the turn. */
  @Test
  void theAnnotationCountsAndNotTheStatus() {
    passes.spec(WITHOUT);
    annotation = TURN;
    cordoned = true;
    pass(TURN);
    assertThat(annotation).isEmpty();
    assertThat(cordoned).isFalse();
    annotation = TURN;
    UpgradeStep other =
        new UpgradeStep(
            new NodeCalls(
                _ -> Optional.of(api.client()),
                new HostedCalls(Duration.ofSeconds(20), passes.clock),
                passes.clock),
            passes.events,
            passes.clock);
    NodeTurn node = new NodeTurn("n1", "u1", "7", "", true, "1.36.4", true, TURN, "");
    assertThat(other.leave(passes.observe(), () -> Optional.of(List.of(node)))).isEmpty();
    assertThat(annotation).isEmpty();
  }
}
