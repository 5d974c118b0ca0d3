// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.sizing.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SupportedVersionsTest {
  @ParameterizedTest
  @MethodSource("io.exaplane.operator.controlplane.check.SupportedVersions#minors")
  void everyMinorHasAPlanAndItsResources(String minor) {
    String spec = "{version: %s.0, maxNodes: 1000}".formatted(minor);
    assertThat(ConfigurationCheck.check(Fixtures.controlPlane(spec).getSpec(), new Model()))
        .isEmpty();
    assertThat(SupportedVersions.resources(minor)).contains("/pods", "coordination.k8s.io/leases");
  }

  /** The other columns of that table are a test's of exactl. */
  @Test
  void theTableForUsersHasTheseMinors() throws IOException {
    List<String> minors =
        Pattern.compile("(?m)^\\| (1\\.\\d+) \\| yes \\|")
            .matcher(Files.readString(Path.of("../docs/versions.md")))
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(minors).containsExactlyInAnyOrderElementsOf(SupportedVersions.minors());
  }

  /** Whoever upgrades finds every resource again that a route may name. */
  @Test
  void noMinorLosesAResourceOfTheOneBefore() {
    String before = null;
    for (String minor : SupportedVersions.minors()) {
      if (before != null) {
        assertThat(SupportedVersions.resources(minor))
            .containsAll(SupportedVersions.resources(before));
      }
      before = minor;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.34.4", "1.38.0", "1.3.7", "1.100.0"})
  void anotherVersionIsRefusedAndTheMessageNamesThose(String version) {
    String spec = "{version: %s, maxNodes: 1}".formatted(version);
    assertThat(ConfigurationCheck.check(Fixtures.controlPlane(spec).getSpec(), new Model()))
        .hasValueSatisfying(
            problem -> {
              assertThat(problem.reason()).isEqualTo(Reason.UnsupportedVersion);
              assertThat(problem.message())
                  .isEqualTo(
                      "spec.version %s: this operator runs Kubernetes 1.35, 1.36 and 1.37; set one"
                          + " of these versions, or upgrade the operator.",
                      version);
            });
  }

  @Test
  void resourcesComeAndGoWithTheirMinor() {
    String spec =
        "{version: %s, maxNodes: 1, storage: {routes: [{store: events, resources: [{group:"
            + " storagemigration.k8s.io, resource: storageversionmigrations}]}]}}";
    assertThat(
            ConfigurationCheck.check(
                Fixtures.controlPlane(spec.formatted("1.36.3")).getSpec(), new Model()))
        .hasValueSatisfying(
            problem -> assertThat(problem.reason()).isEqualTo(Reason.UnroutableResource));
    assertThat(
            ConfigurationCheck.check(
                Fixtures.controlPlane(spec.formatted("1.37.2")).getSpec(), new Model()))
        .isEmpty();
  }
}
