// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Looks at the links of pods on a host without a bridge, whose firewall is Managed. One thread. */
final class PodLink {
  private static final String FOREIGN = "fd00:e:1::999:2";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Sets {@code pod} to the network namespace of the pod with the address {@code $0}. */
  private static final String NAMESPACE =
      """
      for net in /run/containerd/netns/* /run/containerd/*/netns/*; do
        [ -e "$net" ] || continue
        if nsenter --net="$net" ip -6 address show | grep -qF " $0/"; then pod=$net; fi
      done
      """;

  private final Host host;

  PodLink(Host host) {
    this.host = host;
  }

  /** Two pods reach each other and the API, from their own addresses alone. */
  void check(String pod, String other) throws Exception {
    String link =
        host.inside("sh", "-c", "ip -6 route get \"$0\" | sed 's/.* dev //; s/ .*//'", pod);
    assertThat(link).startsWith("veth");
    assertThat(host.inside("ip", "-o", "link")).doesNotContain("cni0");
    assertThat(host.inside("ip", "-6", "route")).contains("prohibit " + host.prefix());
    for (String target : List.of(other, Net.API)) {
      Await.until(
          PATIENCE,
          "the pod reaches " + target,
          () -> pinged(pod, pod, target),
          () -> host.traces());
    }
    foreign(pod, link);
  }

  /** A pod sends from its own address alone, as long as there is a firewall. */
  private void foreign(String pod, String link) throws Exception {
    Shell.must("ip", "-6", "route", "replace", FOREIGN, "via", host.address(), "dev", Net.BRIDGE);
    try {
      host.inside("ip", "-6", "route", "add", FOREIGN, "dev", link);
      inside(pod, "ip -6 address add " + FOREIGN + "/128 dev eth0 nodad");
      assertThat(pinged(pod, FOREIGN, Net.API)).as("a foreign address").isFalse();
      Await.until(
          PATIENCE,
          "one without the firewall, which the host puts right each minute",
          () -> {
            host.inside("sh", "-c", "nft delete table inet exaplane; true");
            return pinged(pod, FOREIGN, Net.API);
          },
          () -> host.traces());
      host.inside("ip", "-6", "route", "delete", FOREIGN, "dev", link);
    } finally {
      Shell.may("ip", "-6", "route", "delete", FOREIGN);
    }
  }

  private boolean pinged(String pod, String source, String target) throws IOException {
    return inside(
            pod,
            "busybox ping -6 -c 2 -w 4 -I %s %s >/dev/null 2>&1 && echo yes || echo no"
                .formatted(source, target))
        .equals("yes");
  }

  private String inside(String pod, String command) throws IOException {
    return host.inside("sh", "-c", NAMESPACE + "nsenter --net=\"$pod\" sh -c \"$1\"", pod, command);
  }
}
