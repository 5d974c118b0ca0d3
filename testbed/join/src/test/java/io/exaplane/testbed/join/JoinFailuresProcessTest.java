// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.operator.pki.CertificateAuthority;
import io.exaplane.testbed.machine.Kubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each cause for which a host cannot join is said with its exit code, and leaves nothing. */
class JoinFailuresProcessTest {
  private static final String TOKEN = "fedcba.0123456789abcdef";
  private static final String EXPIRED = "badbad.0123456789abcdef";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  private static Net net;
  private static Cluster cluster;
  private static Host host;
  private static String before;
  private static int scripts;

  @BeforeAll
  static void start() throws Exception {
    net = Net.make();
    cluster = Cluster.start(folder);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    host = Host.make("f", 12, folder);
    before = Traces.settled(host::traces);
  }

  @AfterAll
  static void end() throws IOException {
    if (host != null) {
      host.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (net != null) {
      net.close();
    }
  }

  static Stream<Refusal> tokenAndClock() {
    Instant later = Instant.now().plusSeconds(3_600);
    return Stream.of(
        Refusal.of("token wrong", 24, "does not know the bootstrap token", "Fetch")
            .with(input -> Inputs.token(input, "aaaaaa.0123456789abcdef", later)),
        Refusal.of("token expired", 25, "has expired", "Fetch")
            .with(input -> Inputs.token(input, EXPIRED, Instant.now().minusSeconds(90))),
        Refusal.of("clock too early", 23, "-9", "chrony").after(clock(-90)),
        Refusal.of("clock too late", 23, "9", "chrony").after(clock(90)),
        Refusal.of("CA of another cluster", 22, "refused", "Fetch")
            .with(input -> Inputs.ca(input, otherCa())));
  }

  /** Only {@code date} differs: a namespace has no clock of its own. */
  private static String clock(int seconds) {
    return """
    cat >/run/date <<'X'
    #!/bin/sh
    exec busybox date -d "@$(($(busybox date +%%s) + %d))" "$@"
    X
    chmod 0755 /run/date
    mount --bind /run/date "$(command -v date)"
    """
        .formatted(seconds);
  }

  private static String otherCa() {
    return CertificateAuthority.create("other", Clock.systemUTC()).certificatePem();
  }

  static Stream<Refusal> prefixes() {
    return Stream.of(
        Refusal.of("prefix outside of the pool", 32, "none of the networks", Net.POOL)
            .calledWith("--prefix=2001:db8:1::/64"),
        Refusal.of("prefix of another length", 32, "podPrefixLength", "is 64")
            .calledWith("--prefix=fd00:e:112:0:1::/80"),
        Refusal.of("prefix with bits behind its length", 31, "Pass fd00:e:112::/64")
            .calledWith("--prefix=fd00:e:112::1/64"),
        Refusal.of("no prefix at all", 31, "is no IPv6 prefix").calledWith("--prefix=10.0.0.0/8"),
        Refusal.of("prefix that would end a shell's word", 31, "is no IPv6 prefix")
            .calledWith("--prefix=fd00::/64'\"$(touch /etc/broken)\n"),
        Refusal.of("prefix with the host's own address", 32, "holds the address")
            .with(input -> Inputs.prefixes(input, "fd00:e:1::/48"))
            .calledWith("--prefix=fd00:e:1::/64"),
        Refusal.of("no prefix found", 31, "no address or route", "--prefix")
            .with(input -> Inputs.prefixes(input, "2001:db8::/32")),
        Refusal.of("several prefixes", 31, "several prefixes", "--prefix")
            .after("ip -6 route add unreachable fd00:e:188::/64"),
        Refusal.of("too many pods for the prefix", 33, "250 pods do not fit into a /121", "maxPods")
            .with(input -> Inputs.length(input, 121))
            .calledWith("--prefix=fd00:e:112::/121"),
        Refusal.of("a drop-in file with too many pods", 33, "300 pods do not fit")
            .with(input -> Inputs.length(input, 120))
            .after(
                "cp " + Refusals.DROPIN + " /run/file",
                "mount -t tmpfs tmpfs /etc/kubernetes/kubelet.conf.d",
                "cp /run/file /etc/kubernetes/kubelet.conf.d/50-test.conf",
                "echo 'maxPods: 300' >/etc/kubernetes/kubelet.conf.d/60-mine.conf")
            .calledWith("--prefix=fd00:e:112::/120"));
  }

  static Stream<Refusal> host() {
    return Refusals.ofTheHost();
  }

  static Stream<Refusal> api() {
    return Stream.of(
        Refusal.of("nobody listens", 21, "IPv6", "refused")
            .with(input -> Inputs.server(input, "https://[%s]:1".formatted(Net.API))),
        Refusal.of("no route of that family", 21, "IPv4", "no route")
            .with(input -> Inputs.server(input, "https://192.0.2.1:6443")),
        Refusal.of("a firewall drops packets", 21, "IPv6", "no answer in time", "firewall")
            .after(
                "nft add table ip6 exj",
                "nft 'add chain ip6 exj out { type filter hook output priority 0; }'",
                "nft add rule ip6 exj out tcp dport " + cluster.port() + " drop"),
        Refusal.of("name without an address of a family", 21, "IPv6: the name has no address")
            .with(input -> Inputs.server(input, named()))
            .after(
                "cp /etc/hosts /run/hosts",
                "echo 192.0.2.1 api.exj.test >>/run/hosts",
                "mount --bind /run/hosts /etc/hosts"),
        Refusal.of("resolver without an answer", 20, "no answer for api.exj.test", Net.API)
            .with(input -> Inputs.server(input, named())));
  }

  private static String named() {
    return "https://api.exj.test:" + cluster.port();
  }

  @ParameterizedTest
  @MethodSource({"tokenAndClock", "prefixes", "host", "api"})
  void isSaidAndLeavesNothing(Refusal refusal) throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("join-%d.sh".formatted(++scripts)),
            JoinScript.render(refusal.input().apply(cluster.input(TOKEN))));
    Shell.Result run;
    try {
      run = host.scriptAfter(refusal.change(), script, refusal.arguments().toArray(String[]::new));
    } finally {
      host.inside("sh", "-c", Refusals.REPAIR);
    }
    assertThat(run.exit()).as(run.text()).isEqualTo(refusal.exit());
    assertThat(run.text())
        .contains(refusal.says())
        .contains("(exit code %d)".formatted(refusal.exit()))
        .doesNotContain(TOKEN);
    Traces.same(host::traces, before);
  }

  /** All causes in one run, so that nobody corrects them one by one. */
  @Test
  void thePreflightShowsAllThatIsWrong() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("join-all.sh"),
            JoinScript.render(Inputs.version(cluster.input(TOKEN), "1.37.99")));
    Shell.Result run = host.script(script, "--preflight", "--prefix=2001:db8:1::/64");
    List<String> failed =
        new ArrayList<>(run.text().lines().filter(line -> line.startsWith("FAIL")).toList());
    assertThat(run.exit()).as(run.text()).isEqualTo(12);
    assertThat(failed).as(run.text()).hasSize(4);
    assertThat(run.text()).contains("ok    token").contains("ok    clock");
    Traces.same(host::traces, before);
  }

  /** Nobody gives the node its addresses here, and so the script waits when it is ended. */
  @Test
  void aScriptThatIsEndedLeavesNothingButItsStarter() throws Exception {
    String starter = "/etc/exaplane/join.sh /etc/systemd/system/exaplane-join.service";
    host.inside("sh", "-euc", "mkdir /etc/exaplane; touch " + starter);
    String started = Traces.settled(host::traces);
    Path script =
        Files.writeString(folder.resolve("join-ended.sh"), JoinScript.render(cluster.input(TOKEN)));
    Shell.Result run =
        host.scriptAfter(
            """
            sh "$@" &
            until [ -e /run/exaplane/kubelet.pid ] || ! kill -0 $!; do sleep 0.1; done
            kill -TERM $!
            wait $!
            exit 0
            """,
            script);
    assertThat(run.exit()).as(run.text()).isEqualTo(1);
    assertThat(run.text()).contains("ended by a signal").contains("everything that this run");
    // The unit runs the script again.
    Traces.same(host::traces, started);
    host.undo(script);
    Traces.same(host::traces, before);
  }

  /** The kubelet starts and ends: what was written goes again. */
  @Test
  void aKubeletThatEndsLeavesNothing() throws Exception {
    Path script =
        Files.writeString(
            folder.resolve("join-kubelet.sh"), JoinScript.render(cluster.input(TOKEN)));
    Shell.Result run =
        host.scriptAfter(
            """
            mkdir /run/bin
            printf '#!/bin/sh\\n[ "$1" != --version ] || exec %s --version\\necho no space for kubelets >&2\\nexit 1\\n' >/run/bin/kubelet
            chmod 0755 /run/bin/kubelet
            PATH=/run/bin:$PATH
            """
                .formatted(Kubernetes.binary("kubelet")),
            script);
    host.inside("rm", "-rf", "/run/bin");
    assertThat(run.exit()).as(run.text()).isEqualTo(40);
    assertThat(run.text()).contains("no space for kubelets").contains("everything that this run");
    Traces.same(host::traces, before);
  }
}
