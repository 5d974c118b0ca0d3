// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * kubectl, as the administrator of the cluster. Any thread.
 *
 * @param kubeconfig says which cluster
 */
record Kubectl(Path kubeconfig) {
  /** Runs a command to its end, whatever the end is. */
  Shell.Result run(String... words) throws IOException {
    return Shell.run(command(words), Map.of());
  }

  /** Starts a command that goes on until it is ended. */
  Process start(Path log, String... words) throws IOException {
    return new ProcessBuilder(command(words))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(Kubernetes.binary("kubectl"));
    command.add("--kubeconfig=" + kubeconfig);
    command.addAll(List.of(words));
    return command;
  }
}
