// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.nio.file.Path;

/** The Kubernetes under test, whose folder the launcher names in EXA_KUBE. */
public final class Kubernetes {
  private Kubernetes() {}

  /** A component's binary. */
  public static String binary(String component) {
    return folder().resolve(component).toString();
  }

  /** Its version, as 1.36.3. */
  public static String version() {
    return folder().getFileName().toString().replaceFirst("^kube-", "");
  }

  private static Path folder() {
    return Path.of(Machine.environment("EXA_KUBE"));
  }
}
