// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The graph of upgrades, as OLM reads it. */
class UpgradesTest {
  @Test
  void theFirstSnapshotReplacesNothing() throws IOException {
    Upgrades first = upgrades("0.1.0-SNAPSHOT");
    assertThat(first.before()).isEmpty();
    assertThat(first.skipRange()).isEmpty();
    assertThat(first.channels()).containsExactly("candidate");
    assertThat(first.defaultChannel()).isEqualTo("candidate");
    assertThat(first.in("stable")).isEmpty();
  }

  /** By the rules of versions, not of texts: 0.9.0 is before 0.10.0. */
  @Test
  void aReleaseReplacesTheOneBeforeIt() throws IOException {
    Upgrades third = upgrades("0.11.0", "0.10.0", "0.9.0", "0.12.0");
    assertThat(third.before()).contains("exaplane-operator.v0.10.0");
    assertThat(third.skipRange()).contains(">=0.9.0 <0.11.0");
    assertThat(third.channels()).containsExactly("stable", "candidate");
    assertThat(third.in("stable"))
        .extracting(Upgrades.Release::bundle)
        .containsExactly(
            "exaplane-operator.v0.9.0", "exaplane-operator.v0.10.0", "exaplane-operator.v0.11.0");
  }

  @Test
  void aSnapshotAfterAReleaseIsACandidateOnly() throws IOException {
    Upgrades next = upgrades("0.2.0-SNAPSHOT", "0.1.0");
    assertThat(next.channels()).containsExactly("candidate");
    assertThat(next.defaultChannel()).isEqualTo("stable");
    assertThat(next.in("stable"))
        .extracting(Upgrades.Release::bundle)
        .containsExactly("exaplane-operator.v0.1.0");
    assertThat(next.before()).contains("exaplane-operator.v0.1.0");
  }

  private static Upgrades upgrades(String version, String... released) throws IOException {
    List<JsonNode> bundles = new ArrayList<>();
    for (String each : released) {
      bundles.add(
          Deliverables.YAML.readTree(
              """
              schema: olm.bundle
              name: exaplane-operator.v%1$s
              properties:
              - {type: olm.gvk, value: {kind: ControlPlane}}
              - {type: olm.package, value: {packageName: exaplane, version: %1$s}}
              """
                  .formatted(each)));
    }
    return Upgrades.of(version, bundles);
  }
}
