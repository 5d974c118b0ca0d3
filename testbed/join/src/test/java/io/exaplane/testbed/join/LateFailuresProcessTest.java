// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.exaplane.operator.pki.Leaf;
import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Causes that show after the kubelet has started, or on a host that has been a node before. */
@Tag("networks")
class LateFailuresProcessTest {
  private static final String TOKEN = "fedcba.0123456789abcdef";

  /**
   * Once the kubelet has its way to the API, each look at the clock is eight seconds after the
   * last.
   */
  private static final String HASTY_CLOCK =
      """
      cat >/run/date <<'X'
      #!/bin/sh
      add=$(cat /run/hasty 2>/dev/null || echo 0)
      if [ -e /etc/kubernetes/kubelet.kubeconfig ]; then add=$((add + 8)); echo "$add" >/run/hasty; fi
      exec busybox date -d "@$(($(busybox date +%s) + add))" "$@"
      X
      chmod 0755 /run/date
      mount --bind /run/date "$(command -v date)"
      """;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Hand hand;
  private static Host host;
  private static String before;
  private static Path script;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    hand = Hand.start(cluster);
    host = Host.make("l", 15, folder);
    before = Traces.settled(host::traces);
    script = Files.writeString(folder.resolve("join.sh"), JoinScript.render(cluster.input(TOKEN)));
  }

  @AfterAll
  static void end() throws IOException {
    if (host != null) {
      host.close();
    }
    if (hand != null) {
      hand.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (net != null) {
      net.close();
    }
  }

  @AfterEach
  void theHostIsAsBefore() throws Exception {
    host.inside("rm", "-rf", "/run/date", "/run/hasty", "/run/bin", "/run/file", "/etc/cni/other");
    hand.idle(false);
    Traces.same(host::traces, before);
    cluster.deleted("/api/v1/nodes/" + host.name);
  }

  private static void fails(Shell.Result run, int exit, String... says) {
    assertThat(run.exit()).as(run.text()).isEqualTo(exit);
    assertThat(run.text())
        .contains(says)
        .contains("(exit code %d)".formatted(exit))
        .doesNotContain(TOKEN);
  }

  /** The kernel makes another address each day, and prefers it. */
  @Test
  void anAddressThatChangesIsNoNodes() throws Exception {
    host.inside(
        "sh",
        "-euc",
        "cd /proc/sys/net/ipv6/conf/eth0; echo 2 >use_tempaddr; echo 0 >accept_dad; echo 0 >dad_transmits;"
            + " ip -6 address add fd00:e:1::5:15/64 dev eth0 mngtmpaddr nodad;"
            + " until ip -6 address show dev eth0 temporary | grep -q inet6; do sleep 0.1; done;"
            + " ip -6 address delete "
            + host.address()
            + "/64 dev eth0");
    try {
      fails(host.script(script, "--preflight"), 26, "is a temporary address", "use_tempaddr to 0");
    } finally {
      host.inside(
          "sh",
          "-euc",
          "cd /proc/sys/net/ipv6/conf/eth0; echo 0 >use_tempaddr; echo 1 >accept_dad; echo 1 >dad_transmits;"
              + " ip -6 address flush dev eth0 scope global;"
              + " ip -6 address add "
              + host.address()
              + "/64 dev eth0 nodad;"
              + " ip -6 route replace default via "
              + Net.API);
    }
  }

  /** The host was a node of a cluster that had this address before. */
  @Test
  void aCertificateOfAnotherClusterIsRefusedByTheApi() throws Exception {
    Clock clock = Clock.systemUTC();
    KeyAndCertificate own =
        new CertificateAuthority(CertificateAuthority.create("other", clock), clock)
            .issue(Leaf.server("system:node:" + host.name, List.of(host.name), Duration.ofDays(1)));
    Path pem = Files.writeString(folder.resolve("node.pem"), own.certificatePem() + own.keyPem());
    host.inside(
        "sh",
        "-euc",
        "mkdir /var/lib/kubelet/pki; cp \"$0\" /var/lib/kubelet/pki/kubelet-client-current.pem",
        pem.toString());
    try {
      fails(host.script(script, "--preflight"), 27, "refuses the certificate", "--undo");
    } finally {
      host.inside("rm", "-r", "/var/lib/kubelet/pki");
    }
  }

  @Test
  void anOperatorThatDoesNotAnswerIsNamed() throws Exception {
    hand.idle(true);
    fails(
        host.scriptAfter(HASTY_CLOCK, script),
        36,
        "the operator has not answered the annotation exaplane.io/pod-prefix",
        "Check the operator",
        "everything that this run wrote is removed",
        "kubectl delete node " + host.name);
  }

  @Test
  void aProxyThatEndsIsNamed() throws Exception {
    fails(
        host.scriptAfter(
            """
            mkdir /run/bin
            printf '#!/bin/sh\\n[ "$1" != --version ] || exec %s --version\\necho no rules today >&2\\nexit 1\\n' >/run/bin/kube-proxy
            chmod 0755 /run/bin/kube-proxy
            PATH=/run/bin:$PATH
            """
                .formatted(Kubernetes.binary("kube-proxy")),
            script),
        41,
        "kube-proxy ended: no rules today",
        "everything that this run wrote is removed");
  }

  /** containerd looks for networks elsewhere. */
  @Test
  void aNodeThatDoesNotGetReadyIsNamed() throws Exception {
    fails(
        host.scriptAfter(
            HASTY_CLOCK
                + """
                sed 's|/etc/cni/net.d|/etc/cni/other|' /etc/containerd/config.toml >/run/file
                mount --bind /run/file /etc/containerd/config.toml
                """,
            script),
        42,
        "is not Ready after 90 s",
        "cni plugin not initialized",
        "everything that this run wrote is removed");
  }
}
