// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.List;

/** The process of a store, which runs on this machine, as those of its name may elsewhere. */
final class StoreProcess {
  private StoreProcess() {}

  /** The store's pod; null without one. */
  static Pod pod(String store, String namespace) {
    return Bed.CLIENT.pods().inNamespace(namespace).withName(store + "-0").get();
  }

  /** Sends it a signal, such as STOP, when it runs. */
  static void signal(String store, String namespace, String signal) {
    Bed.await(
        "%s gets the signal %s".formatted(store, signal),
        Duration.ofMinutes(4),
        () -> {
          String uid = pod(store, namespace).getMetadata().getUid();
          return ProcessHandle.allProcesses()
              .filter(p -> p.info().commandLine().orElse("").contains("--name=" + store + " "))
              .filter(process -> PowerCut.isIn(process, uid))
              .map(process -> List.of("kill", "-" + signal, Long.toString(process.pid())))
              .anyMatch(command -> Bed.run(command).exit() == 0);
        });
  }
}
