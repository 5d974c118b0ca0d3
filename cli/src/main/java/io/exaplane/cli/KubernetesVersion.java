// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.MinorVersion;

/** The option {@code --kubernetes} of alerts and dashboards. */
final class KubernetesVersion {
  private KubernetesVersion() {}

  static MinorVersion minor(String version) {
    try {
      return MinorVersion.parse(version);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          "--kubernetes", version, "is not a version of Kubernetes", "write it as 1.37");
    }
  }
}
