// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Store;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.check.ConfigurationCheck;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.sizing.Model;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.PkiResult;
import io.exaplane.operator.status.Verdict;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a control plane is doing, from its first look to a rollout that stopped. */
class ProgressingConditionTest {
  private static final Endpoint ENDPOINT = new Endpoint("fd00::1", 6443);

  private static Observed observed(
      Optional<Endpoint> endpoint, Optional<Problem> pki, List<Deployment> deployments) {
    return new Observed(
        Fixtures.sized(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}")),
        List.of(),
        Optional.empty(),
        endpoint,
        Optional.empty(),
        new PkiResult(
            Optional.empty(), pki, List.of(), Set.of(), List.of(), Map.of(), Optional.empty()),
        Optional.empty(),
        deployments,
        List.of(),
        new Scheduling(Optional.empty(), Optional.empty(), false));
  }

  private static Deployment deployment(String component, int updated, int ready) {
    return Serialization.unmarshal(
        """
        apiVersion: apps/v1
        kind: Deployment
        metadata: {name: demo-%s, namespace: ns, generation: 1}
        spec: {replicas: 2}
        status: {observedGeneration: 1, replicas: 2, updatedReplicas: %d, readyReplicas: %d, availableReplicas: %d}
        """
            .formatted(component, updated, ready, ready),
        Deployment.class);
  }

  private static List<Store> stores(boolean ready) {
    return List.of(new Store("default", "demo-default", Criticality.Critical, ready, "d", null));
  }

  /** Each step of a creation, an upgrade and a change, in their order. */
  @ParameterizedTest
  @CsvSource({
    // version, stores, endpoint, updated and ready apiservers, True, reason, words
    ", false, false, -1, 0, true, WaitingForStores, stores are starting",
    ", true,  false, -1, 0, true, WaitingForEndpoint, see EndpointReady",
    ", true,  true,  -1, 0, true, WaitingForAPIServer, first kube-apiserver",
    ", true,  true,   2, 0, true, WaitingForAPIServer, first kube-apiserver",
    ", true,  true,   2, 1, true, Creating, components are starting",
    "1.35.4, true, true, 1, 2, true, Upgrading, from 1.35.4 to 1.36.3; now demo-apiserver.",
    "1.35.4, true, true, 2, 2, true, Upgrading, now the next component",
    "1.36.3, true, true, 1, 2, true, RollingOut, Replacing pods of demo-apiserver",
    "1.36.3, true, true, 2, 2, false, AsExpected, Everything matches",
  })
  void eachStepHasItsReason(
      String version,
      boolean stores,
      boolean endpoint,
      int updated,
      int ready,
      boolean met,
      Reason reason,
      String words) {
    Verdict verdict =
        ProgressingCondition.of(
                observed(
                    endpoint ? Optional.of(ENDPOINT) : Optional.empty(),
                    Optional.empty(),
                    updated < 0 ? List.of() : List.of(deployment("apiserver", updated, ready))),
                stores(stores),
                Optional.empty(),
                Optional.empty(),
                version)
            .verdict();
    assertThat(verdict.met()).isEqualTo(met);
    assertThat(verdict.reason()).isEqualTo(reason);
    assertThat(verdict.message()).contains(words);
  }

  @Test
  void aRefusedSpecAndKeysThatAreMissingStopAllSteps() {
    Optional<Problem> broken =
        ConfigurationCheck.check(
            Fixtures.controlPlane("{version: 1.29.0, maxNodes: 10}").getSpec(), new Model());
    assertThat(
            ProgressingCondition.of(
                    observed(Optional.of(ENDPOINT), Optional.empty(), List.of()),
                    stores(true),
                    broken,
                    Optional.empty(),
                    "1.36.3")
                .verdict())
        .extracting(Verdict::met, Verdict::reason)
        .containsExactly(false, Reason.UnsupportedVersion);
    assertThat(
            ProgressingCondition.of(
                    observed(
                        Optional.of(ENDPOINT),
                        Optional.of(new Problem(Reason.CASecretMissing, "gone")),
                        List.of()),
                    stores(true),
                    Optional.empty(),
                    Optional.empty(),
                    "1.36.3")
                .verdict())
        .extracting(Verdict::met, Verdict::reason)
        .containsExactly(false, Reason.WaitingForCertificates);
  }

  /** Both name the last words and the two ways on; only one says that the template went back. */
  @ParameterizedTest
  @CsvSource({"false, stopped at 1 of 2 pods replaced", "true, rolled back to the last settled"})
  void aRolloutThatStoppedSaysWhereAndWhy(boolean rolledBack, String words) {
    RolloutStatus rollout =
        new RolloutStatus(
            "apiserver",
            "t2",
            "1 of 2 pods replaced",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:00:00Z",
            "2026-01-01T00:10:00Z",
            "unknown flag: --x",
            new ArrayList<>(),
            null,
            null,
            rolledBack ? "t1" : null,
            null);
    Verdict verdict =
        ProgressingCondition.of(
                observed(
                    Optional.of(ENDPOINT),
                    Optional.empty(),
                    List.of(deployment("apiserver", 1, 2))),
                stores(true),
                Optional.empty(),
                Optional.of(rollout),
                "1.36.3")
            .verdict();
    assertThat(verdict.met()).isFalse();
    assertThat(verdict.reason()).isEqualTo(Reason.ProgressDeadlineExceeded);
    assertThat(verdict.message())
        .contains(words, "unknown flag: --x", "Correct the spec", "add ProgressDeadline");
  }
}
