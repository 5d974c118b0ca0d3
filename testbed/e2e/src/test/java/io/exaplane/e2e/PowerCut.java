// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Takes the management cluster's only node away: its kubelet and every process of its pods die at
 * once, and the Node object is deleted, as a provider's controller does for a machine that is gone.
 * The node's disk is kept.
 */
final class PowerCut {
  private static final String NODE = "mgmt";

  private PowerCut() {}

  /** Cuts; returns when no process of the node's pods runs and its Node object is gone. */
  static void cut() {
    kill(List.of(ProcessHandle.of(kubelet()).orElseThrow()));
    kill(ProcessHandle.allProcesses().filter(PowerCut::isOfAPod).toList());
    Bed.kubectl("delete", "node", NODE);
  }

  /** The machine is switched on again: what does not run is started, as by './exa up'. */
  static void end() {
    Bed.Run run =
        Bed.run(
            List.of(
                "bash",
                "-euc",
                "cd \"$EXA_HOME/testbed/launch\"; . ./common.sh; . ./cluster.sh; start_management"));
    if (run.exit() != 0) {
      throw new AssertionError("the node does not come back:\n" + run.output());
    }
  }

  private static void kill(List<ProcessHandle> processes) {
    processes.forEach(ProcessHandle::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }

  private static long kubelet() {
    Path file = Bed.STATE.resolve("pids").resolve(NODE + ".kubelet.pid");
    try {
      return Long.parseLong(Files.readString(file).split(" ")[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** By the kubelet's root cgroup, which has the node's name. */
  private static boolean isOfAPod(ProcessHandle process) {
    return isIn(process, "/exa-" + NODE + "/");
  }

  /** Whether the path of a process's cgroup has this part, such as its pod's UID. */
  static boolean isIn(ProcessHandle process, String part) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cgroup"))
          .contains(part);
    } catch (IOException gone) {
      return false;
    }
  }
}
