// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.hosted.LeaderProbe.Component;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Leases tell who leads, by the flags of the components that take them. */
class LeaderProbeTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        // component | extraArgs of kube-scheduler | the Lease
        "SCHEDULER | [] | kube-system/kube-scheduler",
        "SCHEDULER | [{name: v, value: '4'}] | kube-system/kube-scheduler",
        "SCHEDULER | [{name: leader-elect-resource-name, value: mine}] | kube-system/mine",
        "SCHEDULER | [{name: leader-elect-resource-namespace, value: n}] | n/kube-scheduler",
        "SCHEDULER | [{name: leader-elect-resource-namespace, value: n}, {name: leader-elect-resource-name, value: a}, {name: leader-elect-resource-name, value: b}] | n/b",
        "CONTROLLER_MANAGER | [{name: leader-elect-resource-name, value: mine}] | kube-system/kube-controller-manager",
      })
  void aLeaseIsWhereTheFlagsPutIt(Component component, String extraArgs, String lease) {
    var spec =
        Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, scheduler: {extraArgs: %s}}".formatted(extraArgs))
            .getSpec();
    var name = component.leaseName(spec);
    assertThat(name.namespace() + "/" + name.name()).isEqualTo(lease);
  }
}
