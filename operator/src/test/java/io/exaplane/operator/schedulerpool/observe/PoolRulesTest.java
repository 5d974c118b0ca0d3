// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SchedulerPoolSpec;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.schedulerpool.Pools;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget;
import io.exaplane.operator.schedulerpool.hosted.PoolTarget.Missing;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolRulesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          maxNodes: 5                                                         | - | -                  | -
          pausedUntil: '2026-13-01T00:00:00Z'                                 | - | InvalidPausedUntil | spec.pausedUntil
          'shards: {resources: {requests: {cpu: 2}, limits: {cpu: 1}}}'       | - | InvalidResources   | lower the request or raise the limit
          maxNodes: 5                                                         | Secret s is not labelled | PullSecretRefused | Secret s is not labelled.
          """)
  void eachRuleNamesFieldAndNextAction(
      String spec, String pullSecret, Reason reason, String words) {
    Optional<Missing> broken =
        PoolRules.broken(
            Pools.pool(spec.replace("''", "'")),
            Optional.empty(),
            () -> Optional.ofNullable(pullSecret),
            Stream::empty);
    assertThat(broken.map(Missing::reason).orElse(null)).isEqualTo(reason);
    broken.ifPresent(
        missing -> {
          assertThat(missing.invalid()).isTrue();
          assertThat(missing.message()).contains(words);
        });
  }

  @Test
  void aBundleThatNobodyRendersComesFirst() {
    assertThat(
            PoolRules.broken(
                Pools.pool("pausedUntil: nonsense"),
                Optional.of(new Problem(Reason.UnsupportedBundle, "spec.rollout.bundle b")),
                Optional::empty,
                Stream::empty))
        .contains(new Missing(Reason.UnsupportedBundle, "spec.rollout.bundle b", true));
  }

  /** The older of two keeps the Lease; of two that are equally old one still has to give way. */
  @ParameterizedTest
  @CsvSource({
    // the other pool: name, seconds younger, its name of the scheduler, and whether this one is
    // refused
    "o, -1, default-scheduler, true",
    "o,  0, default-scheduler, true",
    "q,  0, default-scheduler, false",
    "o,  1, default-scheduler, false",
    "o, -1, batch,             false",
    "p,  0, default-scheduler, false",
  })
  void twoPoolsOfOneSchedulerName(String name, int younger, String scheduler, boolean refused) {
    SchedulerPool other = Pools.pool("schedulerName: " + scheduler);
    other.getMetadata().setName(name);
    other
        .getMetadata()
        .setCreationTimestamp(
            java.time.Instant.parse("2026-01-01T00:00:00Z").plusSeconds(younger).toString());
    Optional<Missing> broken =
        PoolRules.broken(Pools.pool(""), Optional.empty(), Optional::empty, () -> Stream.of(other));
    assertThat(broken.map(Missing::reason))
        .isEqualTo(refused ? Optional.of(Reason.DuplicateSchedulerName) : Optional.empty());
    broken.ifPresent(missing -> assertThat(missing.message()).contains("SchedulerPool " + name));
  }

  @Test
  void aKubeconfigThatNamesFilesOrHoldsBrokenKeysIsRefused() {
    SchedulerPool pool = Pools.pool("");
    pool.setSpec(
        Serialization.unmarshal(
            "kubeconfigSecretRef: {name: k}\nmaxNodes: 7\n", SchedulerPoolSpec.class));
    String kubeconfig =
        """
        clusters: [{name: c, cluster: {server: "https://[fd00::1]:1"}}]
        users: [{name: u, user: {tokenFile: /t}}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        current-context: c
        """;
    PoolTarget target =
        new PoolTarget("k", "e", kubeconfig, Optional.empty(), Optional.empty(), 7, 210);
    assertThat(PoolRules.brokenKubeconfig(pool, target))
        .hasValueSatisfying(
            missing -> {
              assertThat(missing.reason()).isEqualTo(Reason.InvalidKubeconfig);
              assertThat(missing.message()).contains("spec.kubeconfigSecretRef k", "tokenFile");
            });
    assertThat(PoolRules.brokenKubeconfig(Pools.pool(""), target))
        .as("that of a ControlPlane is the operator's")
        .isEmpty();
    assertThat(PoolRules.unusableKeys(pool).message()).contains("Write a kubeconfig");
  }
}
