// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Stands in for shims that a busy containerd forgot: processes with a shim's command line that
 * ignore SIGTERM, each with a process of a container. One thread.
 */
final class Shims {
  /**
   * For {@link Host#scriptAfter}: the first deletion of a task fails, as one does that containerd
   * makes at the same moment.
   */
  static final String REFUSE_ONCE =
      """
      mkdir /run/bin
      cat >/run/bin/ctr <<X
      #!/bin/sh
      case "\\$*" in *' tasks delete '*) [ -e /run/bin/refused ] || { : >/run/bin/refused; exit 1; } ;; esac
      exec $(command -v ctr) "\\$@"
      X
      chmod 0755 /run/bin/ctr
      PATH=/run/bin:$PATH
      """;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String START =
      """
      mkdir -p /run/shims
      cp "$(readlink -f /bin/sh)" /run/shims/containerd-shim-test
      shim() {
        /run/shims/containerd-shim-test -c 'trap "" TERM; sleep 54321 & while :; do sleep 1; done' \
          -namespace "$1" -id left -address "$2" >/dev/null 2>&1 </dev/null &
        echo $!
      }
      shim k8s.io /run/containerd/containerd.sock
      shim moby /run/containerd/containerd.sock
      shim k8s.io /run/other/containerd.sock
      """;

  private final Host host;
  private final List<String> pids;

  private Shims(Host host, List<String> pids) {
    this.host = host;
    this.pids = pids;
  }

  /** Starts one of this host's Kubernetes, and two that are others'. */
  static Shims start(Host host) throws IOException {
    return new Shims(host, host.inside("sh", "-euc", START).lines().toList());
  }

  /** The first one has ended with its container; others' run until now. */
  void assertOwnEnded() throws Exception {
    Await.until(
        PATIENCE,
        "the shim of the host's pods has ended",
        () -> running(pids.get(0)).isEmpty(),
        () -> running(pids.get(0)));
    assertThat(running(pids.get(1))).as("of another namespace").isNotEmpty();
    assertThat(running(pids.get(2))).as("of another containerd").isNotEmpty();
    Await.until(
        PATIENCE,
        "the process of the container has ended",
        () -> containers().equals("2"),
        this::containers);
    host.inside(
        "sh",
        "-c",
        "for pid; do kill -KILL $(ps -o pid= --ppid \"$pid\") \"$pid\"; done; rm -r /run/shims /run/bin",
        "sh",
        pids.get(1),
        pids.get(2));
  }

  /** Its command line; nothing once it has ended, also before somebody asked for its status. */
  private String running(String pid) throws IOException {
    return host.inside("sh", "-c", "cat /proc/\"$0\"/cmdline 2>/dev/null || true", pid);
  }

  private String containers() throws IOException {
    return host.inside("sh", "-c", "ps -e -o stat=,args= | grep -c '^[^Z].* sleep 54321$' || true");
  }
}
