// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.Model;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigurationCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version: 1.36.3, maxNodes: 1",
        "version: 1.35.0, maxNodes: 1000000",
        "version: 1.37.2, maxNodes: 1000000",
        "version: 1.36.3, maxNodes: 65536, network: {podCIDRs: ['fd00:1::/48']}",
        "version: 1.36.3, maxNodes: 1, storage: {routes: [{store: events, resources: [{group:"
            + " coordination.k8s.io, resource: leases}]}]}",
        "version: 1.37.2, maxNodes: 1, storage: {routes: [{store: events, resources: [{group:"
            + " resource.k8s.io, resource: devicetaintrules}]}]}",
        "version: 1.36.3, maxNodes: 1, endpoint: {type: NodePort, host: 'fd00::1'}",
        "version: 1.36.3, maxNodes: 1, pausedUntil: '2026-01-01T00:00:00+02:00'"
      })
  void goodSpecs(String spec) {
    assertThat(
            ConfigurationCheck.check(
                Fixtures.controlPlane("{" + spec + "}").getSpec(), new Model()))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version: 1.29.0, maxNodes: 1 | UnsupportedVersion",
        "version: 1.36.3, maxNodes: 1, network: {serviceCIDRs: ['fd00:1::10/112']} | HostBitsSet",
        "version: 1.36.3, maxNodes: 65537, network: {podCIDRs: ['fd00:1::/48']} | ClusterTooLarge",
        "version: 1.36.3, maxNodes: 1, storage: {routes: [{store: events, resources: [{group: '',"
            + " resource: leases}]}]} | UnknownResource",
        "version: 1.36.3, maxNodes: 1, storage: {routes: [{store: events, resources: [{group:"
            + " apiextensions.k8s.io, resource: customresourcedefinitions}]}]} |"
            + " UnroutableResource",
        "version: 1.36.3, maxNodes: 1, endpoint: {type: NodePort, host: a.example} |"
            + " HostNotAnAddress",
        "version: 1.36.3, maxNodes: 1, network: {serviceCIDRs: ['fd00:96::/126']} | InvalidCIDR",
        "version: 1.36.3, maxNodes: 1, network: {podCIDRs: ['fd00:1::/80']} | InvalidCIDR",
        "version: 1.36.3, maxNodes: 1, network: {serviceCIDRs: ['fd00:96::/125']}, addons: [{name:"
            + " dns, builtIn: CoreDNS}] | InvalidCIDR",
        "version: 1.36.3, maxNodes: 1, sizing: {podsPerNode: 5000} | InvalidSizing",
        "version: 1.36.3, maxNodes: 1, scheduler: {extraArgs: [{name: port, value: '1'}]} |"
            + " UnknownFlag",
        "version: 1.36.3, maxNodes: 1, pausedUntil: '2026-13-01T00:00:00Z' | InvalidPausedUntil"
      })
  void badSpecsNameFieldValueAndNextAction(String spec, Reason reason) {
    assertThat(
            ConfigurationCheck.check(
                Fixtures.controlPlane("{" + spec + "}").getSpec(), new Model()))
        .hasValueSatisfying(
            problem -> {
              assertThat(problem.reason()).isEqualTo(reason);
              assertThat(problem.message()).startsWith("spec.").matches("(?s).*; [a-z]+ .*");
            });
  }
}
