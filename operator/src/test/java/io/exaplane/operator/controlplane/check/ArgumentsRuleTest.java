// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags and gates that would keep a component from starting are refused before it is tried. */
class ArgumentsRuleTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1.36.3 | apiServer         | insecure-port            | 8080                   | UnknownFlag         | kube-apiserver 1.36 has no such flag
          1.35.4 | apiServer         | tls-curve-preferences    | 4588                   | UnknownFlag         | spec.apiServer.extraArgs tls-curve-preferences
          1.36.3 | controllerManager | kube-api-kps             | 20                     | UnknownFlag         | kube-controller-manager 1.36
          1.36.3 | apiServer         | feature-gates            | BtreeWatchCache=false  | LockedFeatureGate   | locks the gate to true
          1.36.3 | scheduler         | feature-gates            | NoSuchGate=true        | UnknownFeatureGate  | kube-scheduler 1.36 has no such gate
          1.36.3 | apiServer         | feature-gates            | WatchList              | InvalidFeatureGates | must be Name=true or Name=false
          """)
  void refuses(
      String version, String component, String name, String value, Reason reason, String part) {
    Optional<Problem> problem = check(version, component, name, value);
    assertThat(problem).isPresent();
    assertThat(problem.get().reason()).isEqualTo(reason);
    assertThat(problem.get().message()).contains(part, "; ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1.36.3 | apiServer         | event-ttl                | 2h
          1.36.3 | apiServer         | v                        | 4
          1.36.3 | apiServer         | feature-gates            | BtreeWatchCache=true,kube:WatchList=false,AllAlpha=true
          1.35.4 | scheduler         | feature-gates            | SchedulerAsyncAPICalls=true
          """)
  void takes(String version, String component, String name, String value) {
    assertThat(check(version, component, name, value)).isEmpty();
  }

  @Test
  void gatesOfAnEmulatedVersionAreThatVersionsBusiness() {
    assertThat(
            new ArgumentsRule()
                .check(
                    Fixtures.controlPlane(
                            "{version: 1.36.3, maxNodes: 1, apiServer: {extraArgs: [{name: emulated-version, value: '1.33'}, {name: feature-gates, value: 'ListFromCacheSnapshot=true'}]}}")
                        .getSpec()))
        .isEmpty();
  }

  private static Optional<Problem> check(
      String version, String component, String name, String value) {
    return new ArgumentsRule()
        .check(
            Fixtures.controlPlane(
                    "{version: %s, maxNodes: 1, %s: {extraArgs: [{name: %s, value: '%s'}]}}"
                        .formatted(version, component, name, value))
                .getSpec());
  }
}
