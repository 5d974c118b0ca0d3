// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.measure.ApiServer;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which kube-apiserver is measured. */
final class ServerOption {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig for one kube-apiserver (default: as kubectl).")
  Path kubeconfig;

  ApiServer connect() {
    return ApiServer.connect(kubeconfig);
  }
}
