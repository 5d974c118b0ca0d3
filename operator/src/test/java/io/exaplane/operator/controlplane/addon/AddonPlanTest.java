// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A removal goes on when the status no longer has the inventory of the source: no event tells of
 * that status, so the pass that writes it must ask for another one.
 */
class AddonPlanTest {
  @ParameterizedTest
  @CsvSource({
    // in the spec, inventory in the status, inventory in what is told now; another pass
    "false, kube-system/addon-a, , true",
    "false, kube-system/addon-a, kube-system/addon-a, false",
    "false, , , false",
    "true, kube-system/addon-a, , false",
  })
  void aPassThatUnsaysAnInventoryAsksForAnother(
      boolean wanted, String noted, String told, boolean another) {
    AddonPlan plan = plan(wanted, noted);
    assertThat(plan.losesInventories(AddonReport.of(plan(wanted, told), Map.of())))
        .isEqualTo(another);
  }

  private static AddonPlan plan(boolean wanted, String inventory) {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.37.2, maxNodes: 10, addons: [%s]}"
                .formatted(wanted ? "{name: a, inline: ''}" : ""));
    controlPlane.setStatus(
        Serialization.unmarshal(
                """
                apiVersion: exaplane.io/v1alpha1
                kind: ControlPlane
                status:
                  addons:
                  - {name: a, ready: false, reason: AddonsApplying, message: m, prune: Delete, inventory: %s}
                """
                    .formatted(inventory),
                ControlPlane.class)
            .getStatus());
    return AddonPlan.of(controlPlane, Map.of());
  }
}
