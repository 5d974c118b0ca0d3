// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.controlplane.Fixtures;
import org.junit.jupiter.api.Test;

/** Line 10: who has a name from before goes on, and is told. */
class NameNoticeTest {
  @Test
  void whatIsReservedIsNamed() {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, storage: {stores: [{name: default}, {name: a-b}]}}");
    assertThat(NameNotice.of(controlPlane).orElseThrow().message())
        .startsWith("spec.storage.stores a-b: ")
        .contains("keeps it");
    controlPlane.getMetadata().setName("demo-store");
    assertThat(NameNotice.of(controlPlane).orElseThrow().message())
        .startsWith("metadata.name demo-store, spec.storage.stores a-b: ");
  }

  @Test
  void ofOthersNothingIsSaid() {
    assertThat(NameNotice.of(Fixtures.controlPlane("{version: 1.36.3, maxNodes: 10}"))).isEmpty();
  }
}
