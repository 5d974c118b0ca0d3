// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Input;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PatchVersionTest {
  @ParameterizedTest
  @CsvSource({
    "1.36, 1.36",
    "v1.36, 1.36",
    "1.36.3, 1.36.3",
    "v1.36.3, 1.36.3",
    "Kubernetes v1.36.3, 1.36.3",
    "v1.30.14-eks-5e0fdde, 1.30.14",
    "1.30-eks-1, 1.30",
    "1.36.3-gke.1234000, 1.36.3",
    "v1.36.3-gke.1234000, 1.36.3",
    "v1.31.6+k3s1, 1.31.6",
    "1.29.10+rke2r1, 1.29.10",
    "v1.31.6+7d1cb3d, 1.31.6",
    "v1.31.6+vmware.1-fips.1, 1.31.6",
    "v1.30.4-aliyun.1, 1.30.4",
    "v1.30.0-tke.14, 1.30.0",
    "v1.32.1-do.0, 1.32.1",
    "1.31.2-00, 1.31.2",
    "1.31.2-1.1, 1.31.2",
    "v1.33.0-rancher1-1, 1.33.0",
    "1.35+, 1.35",
    "1.35.x, 1.35",
    "v1.34.1-3+0a1b2c3d4e5f6a-dirty, 1.34.1",
    "1.36.0-alpha.3, 1.36.0",
    "v1.34.2-rc.0, 1.34.1",
    "' 1.36.3 ', 1.36.3",
    "V1.36.3, 1.36.3",
    "Server Version: v1.36.3, 1.36.3",
    "v1.33.4+k0s.0, 1.33.4",
    "v1.30.14+IKS, 1.30.14",
    "v1.28.2-r0-28.0.4, 1.28.2",
    "v1.32.5+2d0e8f4, 1.32.5",
    "v1.30.2-mirantis-1, 1.30.2",
    "v1.33.5-eks-113cf36, 1.33.5",
    "v1.34.1-gke.2909000, 1.34.1",
    "v1.31.9-vke.3, 1.31.9",
    "v1.35.2-rke2r1, 1.35.2",
    "v1.31.4+vmware.1-fips, 1.31.4",
    "\"v1.34.2\", 1.34.2",
    "gitVersion: v1.34.2, 1.34.2",
    "'\"gitVersion\": \"v1.34.2-gke.1\",', 1.34.2",
    "k3s version v1.34.2+k3s1 (b8f4e3a7), 1.34.2",
    "rke2 version v1.34.2+rke2r1 (b8f4e3a712), 1.34.2",
  })
  void vendorsWriteMoreAndMeanTheSame(String text, String version) {
    assertThat(PatchVersion.parse(text)).hasToString(version);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1.",
        "2.0",
        "36",
        "Client Version: v1.36.3",
        "x1.36",
        "1.36.3 beta",
        "latest",
        "v",
        "1.36/3",
        "1.99999"
      })
  void whatIsNoVersionIsRefused(String text) {
    assertThatThrownBy(() -> PatchVersion.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("must be a version such as 1.36");
  }

  /** Each bug is told up to the patch before, and never again. */
  @Test
  void bugsAreToldUntilThePatchThatFixedThem() {
    for (PatchedBugs.Bug bug : PatchedBugs.all()) {
      bug.fixed()
          .forEach(
              (minor, patch) -> {
                assertThat(patch).isPositive();
                assertThat(warnings("v1." + minor + "." + (patch - 1) + "-eks-1"))
                    .contains("Fixed" + bug.name());
                assertThat(warnings("1." + minor + "." + patch))
                    .doesNotContain("Fixed" + bug.name());
                assertThat(warnings("1." + minor)).doesNotContain("Fixed" + bug.name());
              });
    }
  }

  /** The matrix is of releases; a bug's patch must be one that was made. */
  @Test
  void patchesAreNoneThatAreStillToCome() {
    for (PatchedBugs.Bug bug : PatchedBugs.all()) {
      bug.fixed()
          .forEach(
              (minor, patch) ->
                  assertThat(
                          PatchVersion.parse(Shapes.MATRIX.describedVersion(MinorVersion.of(minor)))
                              .patch()
                              .orElseThrow())
                      .isGreaterThanOrEqualTo(patch));
    }
  }

  private static String warnings(String version) {
    Tuning tuning = Shapes.tuning(Input.NODES, 100, Input.KUBERNETES_VERSION, version);
    return tuning.warnings().toString();
  }
}
