// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.SchedulerPoolStatus.Tree;
import io.exaplane.operator.lease.LeaseWatch;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PoolProbeTest {
  private static final Duration BETWEEN = Duration.ofSeconds(2);
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  private static Lease lease(String holder, int renewed) {
    return Serialization.unmarshal(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: kube-scheduler}
        spec: {holderIdentity: "%s", leaseDurationSeconds: 3, renewTime: "1999-01-01T00:00:0%d.000000Z"}
        """
            .formatted(holder, renewed),
        Lease.class);
  }

  @Test
  void aLeaseIsHeldAsLongAsItChanges() {
    Lease first = lease("p-root-0_1-2", 1);
    Lease renewed = lease("p-root-0_1-2", 2);
    LeaseWatch watch = LeaseWatch.next(null, first, NOON);
    assertThat(LeaseWatch.holder(first)).isEqualTo("p-root-0");
    assertThat(watch.isHeld(first, BETWEEN, NOON)).as("it may be an old one").isEmpty();
    watch = LeaseWatch.next(watch, renewed, NOON.plusSeconds(2));
    assertThat(watch.isHeld(renewed, BETWEEN, NOON.plusSeconds(2))).contains(true);
    watch = LeaseWatch.next(watch, renewed, NOON.plusSeconds(6));
    assertThat(watch.isHeld(renewed, BETWEEN, NOON.plusSeconds(6))).contains(true);
    assertThat(watch.isHeld(renewed, BETWEEN, NOON.plusSeconds(7))).contains(false);
  }

  @Test
  void aLeaseThatWasNeverSeenToChangeIsNobodysAfterItsTime() {
    Lease old = lease("p-root-0_1-2", 1);
    LeaseWatch watch = LeaseWatch.next(null, old, NOON);
    watch = LeaseWatch.next(watch, old, NOON.plusSeconds(4));
    assertThat(watch.isHeld(old, BETWEEN, NOON.plusSeconds(4))).isEmpty();
    assertThat(watch.isHeld(old, BETWEEN, NOON.plusSeconds(5))).contains(false);
    Lease given = lease("", 3);
    assertThat(LeaseWatch.next(watch, given, NOON).isHeld(given, BETWEEN, NOON)).contains(false);
    assertThat(LeaseWatch.next(null, null, NOON).isHeld(null, BETWEEN, NOON)).contains(false);
    Lease empty = new Lease();
    assertThat(LeaseWatch.next(null, empty, NOON).isHeld(empty, BETWEEN, NOON)).contains(false);
  }

  @Test
  void theTreesPageIsAddedUp() throws Exception {
    TreePages.Page page =
        TreePages.parse(
            """
            {"role": "in charge", "complete": true, "members": [{"kind": "relay", "nodes": 0},
              {"kind": "shard", "nodes": 7}, {"kind": "shard", "nodes": 5}]}
            """);
    assertThat(page.tree()).isEqualTo(new Tree(1, 2, 12, 5, 7, true));
    assertThat(page.standsBy()).isFalse();
    assertThat(TreePages.parse("{\"role\": \"stands by\"}"))
        .isEqualTo(new TreePages.Page("stands by", new Tree(0, 0, 0, 0, 0, false), List.of()));
  }

  @Test
  void whoIsSilentComesBeforeWhoIsSlow() throws Exception {
    TreePages.Page page =
        TreePages.parse(
            """
            {"role": "in charge", "members": [
              {"name": "relay-0", "kind": "relay", "silentMs": 90},
              {"name": "fast", "kind": "shard", "nodes": 7, "answerMicros": 300, "silentMs": 1900},
              {"name": "<b>", "kind": "shard", "nodes": 7, "answerMicros": 9000, "silentMs": 10},
              {"name": "gone", "kind": "shard", "nodes": 6, "answerMicros": 5, "silentMs": 2000}]}
            """);
    LiveTree tree = LiveTree.of(page.members(), NOON);
    assertThat(tree.slowest())
        .extracting(LiveTree.Member::name)
        .containsExactly("gone", "somebody whose name is no pod's", "fast", "relay-0");
    assertThat(tree.slowest().getFirst().isSilent()).isTrue();
    assertThat(LiveTree.of(Collections.nCopies(50, page.members().getFirst()), NOON).slowest())
        .hasSize(LiveTree.MOST);
  }

  private static PoolView view(Tree tree) {
    return new PoolView("", "1.36.3", "p-root-0", true, Optional.ofNullable(tree));
  }

  @Test
  void whatIsAwayForAMomentIsNotMissed() {
    PoolView whole = view(new Tree(1, 2, 12, 5, 7, true));
    PoolView less = view(new Tree(1, 1, 12, 12, 12, true));
    PoolView more = view(new Tree(1, 3, 12, 4, 4, true));
    SteadyView told = SteadyView.next(null, whole, NOON);
    told = SteadyView.next(told, less, NOON.plusSeconds(9));
    assertThat(told.view()).isEqualTo(whole);
    assertThat(SteadyView.next(told, more, NOON.plusSeconds(9)).view()).isEqualTo(more);
    assertThat(SteadyView.next(told, less, NOON.plusSeconds(10)).view()).isEqualTo(less);
    assertThat(SteadyView.next(told, view(null), NOON.plusSeconds(9)).view()).isEqualTo(whole);
    assertThat(SteadyView.next(told, view(null), NOON.plusSeconds(10)).view())
        .isEqualTo(view(null));
  }

  @Test
  void anAnswerThatIsMissedIsToldWhenMoreAre() {
    PoolView failed = PoolView.failed("no answer");
    SteadyView told = SteadyView.next(null, view(null), NOON);
    told = SteadyView.next(told, failed, NOON.plusSeconds(9));
    assertThat(told.view()).isEqualTo(view(null));
    assertThat(SteadyView.next(told, failed, NOON.plusSeconds(10)).view()).isEqualTo(failed);
    assertThat(SteadyView.next(null, failed, NOON).view()).isEqualTo(failed);
  }
}
