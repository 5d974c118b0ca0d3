// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.model.InvalidObjectException;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the API server is. */
final class Clusters {
  private Clusters() {}

  /**
   * Of a file, or where this process runs.
   *
   * @throws InvalidObjectException if there is no such file
   */
  static Config config(Path kubeconfig) {
    if (kubeconfig == null) {
      return Config.autoConfigure(null);
    }
    if (!Files.isReadable(kubeconfig)) {
      throw new InvalidObjectException(
          "--kubeconfig", kubeconfig, "it has to be a file that can be read", "look at its path");
    }
    return Config.fromKubeconfig(kubeconfig.toFile());
  }
}
