// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lines of the preflight that only warn, by real shells: each is provoked, and not said of a host
 * that is as it should be.
 */
class HostHintsProcessTest {
  private static final List<String> PARTS =
      List.of("tell", "read", "address", "source", "preflight", "api", "probe", "hints", "network");
  private static final String IPV6 = "CLUSTER_DNS=fd00:e:96::a; ";

  /** A default route by router advertisement that ends after so many seconds. */
  private static final String ADVERTISED =
      "  '-6 route show default') echo 'default via fe80::1 dev eth0 proto ra metric 1024 expires %dsec hoplimit 64 pref medium' ;;";

  private static final String NOTHING = "  *) : ;;";
  private static final String NO_IPV4 = "  '-4 route get 192.0.2.1') return 2 ;;";

  @TempDir Path folder;
  private HostFunctions functions;

  @BeforeEach
  void write() throws IOException {
    functions = HostFunctions.write(folder, PARTS);
  }

  /** Every shell says one line: the word, the name of the check, and these words. */
  private void says(String host, String lines, String... words) throws IOException {
    for (String shell : HostFunctions.SHELLS) {
      assertThat(functions.answer(shell, host, lines).lines())
          .as(shell)
          .singleElement()
          .asString()
          .contains(words);
    }
  }

  @Test
  void aRouteThatIsMissingOrEnds() throws Exception {
    String resolver = IPV6 + "resolvers() { echo fd00::53; }; check_route";
    says(NOTHING, resolver, "warn  route ", "the host has no IPv6 default route");
    says(ADVERTISED.formatted(299), resolver, "warn  route ", "the default route ends in 299 s");
    says(ADVERTISED.formatted(300), resolver, "ok    route ", "lives for 300 s");
    says(
        "  '-6 route show default') echo 'default via fe80::1 dev eth0 metric 1024 pref medium' ;;",
        resolver,
        "ok    route ",
        "stays");
  }

  /** Routers that name resolvers which nobody takes. */
  @Test
  void resolversOfAdvertisementsThatNobodyTakes() throws Exception {
    String host = ADVERTISED.formatted(1800);
    says(
        host,
        IPV6 + "resolvers() { echo 192.0.2.53; }; check_route",
        "warn  route ",
        "RDNSS is not taken. Run systemd-resolved or rdnssd");
    says(host, IPV6 + "resolvers() { echo fd00::53; }; check_route", "ok    route ");
  }

  @Test
  void largePacketsThatDoNotPass() throws Exception {
    // What is asked for fills packets of the link's size.
    String asks =
        "UPLINK=eth0 UPLINK_MTU=1500 API_ADDRESS=fd00:e::13 API_REMOTE=fd00:e::1 MTU='%s';"
            + " call() { long=; for word in \"$@\"; do [ ${#word} -le 5000 ] || long=yes; done;"
            + " STATUS=000 CURL_EXIT=28; [ \"$long\" != yes ] || [ %d != 0 ] || STATUS=200 CURL_EXIT=0; };"
            + " check_mtu";
    says(
        NOTHING,
        asks.formatted("9000", 0),
        "warn  mtu ",
        "spec.network.mtu is 9000, and eth0 takes 1500");
    says(
        NOTHING,
        asks.formatted("", 28),
        "warn  mtu ",
        "packets of 1500 bytes do not reach the API, without an error: a tunnel on the way. Set"
            + " spec.network.mtu");
    String learnt =
        "  '-6 route get fd00:e::1') echo 'fd00:e::1 from :: via fe80::1 dev eth0 src fd00:e::13 metric 1024 expires 590sec mtu 1400 pref medium' ;;";
    says(
        learnt,
        asks.formatted("", 0),
        "warn  mtu ",
        "the way to the API takes 1400 bytes, and pods would send 1500. Set spec.network.mtu of"
            + " NodePool edge to 1400");
    says(learnt, asks.formatted("1400", 0), "ok    mtu ", "pods get 1400");
    says(NOTHING, asks.formatted("", 0), "ok    mtu ", "packets of 1500 bytes reach the API");
  }

  @Test
  void aBridgeThatTakesThePacketsOfTheLink() throws Exception {
    String routes =
        """
          '-6 route show table main') printf '%%s\\n' 'default via fe80::1 dev eth0' 'fd00:e:1::/64 dev eth0 proto kernel' \\
            'fd00:e:9::/64 via fd00:e:1::9 dev docker0' 'unreachable fd00:e::/32 dev lo' 'fe80::/64 dev docker0' 'fd00:e:1::/64 dev cni0' \\
            '%s dev docker0 proto kernel metric 256 pref medium' ;;
        """;
    String asks = "ADDRESS=fd00:e:1::13 UPLINK=eth0@if7 PREFIX=fd00:e:2::113:0/112; check_bridges";
    says(
        routes.formatted("fd00:e:1::/64"),
        asks,
        "warn  bridges ",
        "takes packets for the link of this host: fd00:e:1::/64 dev docker0. Give that bridge a"
            + " narrower network");
    says(routes.formatted("fd00:e:2::/64"), asks, "warn  bridges ", ": fd00:e:2::/64 dev docker0.");
    says(
        routes.formatted("fd00:e:1::13"),
        asks,
        "warn  bridges ",
        ": fd00:e:1::13/128 dev docker0.");
    says(routes.formatted("fd00:e:3::/64"), asks, "ok    bridges ");
  }

  /** A name of IPv4 alone looks like an IPv6 address to a host without IPv4. */
  private static final String NAMES =
      "getent() { case $2 in v6.*) echo '2001:db8::7 STREAM v6' ;; v4.*) echo '192.0.2.7 STREAM v4' ;;"
          + " mapped.*) echo '::ffff:192.0.2.7 STREAM mapped' ;; *) return 2 ;; esac; };"
          + " resolvers() { echo fd00::53; }; ";

  @Test
  void registriesWithoutIpv6() throws Exception {
    String asks = NAMES + "registries() { printf '%%s\\n' %s; }; check_names";
    says(
        NO_IPV4,
        asks.formatted("v6.example v4.example mapped.example none.example"),
        "warn  registries ",
        "for: v4.example mapped.example none.example. Use a mirror with IPv6, or NAT64");
    says(NO_IPV4, asks.formatted("v6.example"), "ok    registries  v6.example");
    says(
        NOTHING,
        asks.formatted("v6.example v4.example mapped.example"),
        "ok    registries  v6.example v4.example mapped.example");
  }

  @Test
  void aClockThatNobodyKeeps() throws Exception {
    String asks =
        NAMES
            + "time_servers() { printf '%%s\\n' %s | grep .; };"
            + " systemd_runs() { [ -n '%2$s' ]; }; timedatectl() { echo '%2$s'; }; check_time";
    says(
        NO_IPV4,
        asks.formatted("v6.example 2001:db8::123 192.0.2.123 v4.example", "yes"),
        "warn  time ",
        "for: 192.0.2.123 v4.example. Name a time server with IPv6");
    says(NOTHING, asks.formatted("192.0.2.123 v4.example", "yes"), "ok    time ", "synchronized");
    says(
        NOTHING,
        asks.formatted("v6.example", "no"),
        "warn  time ",
        "the clock is not synchronized. Start a time daemon such as chrony");
    says(
        NOTHING, asks.formatted("''", ""), "warn  time ", "no time daemon with a server was found");
    says(NOTHING, asks.formatted("v6.example", ""), "ok    time ", "servers: v6.example");
  }

  @Test
  void resolversThatAreMissingOrFar() throws Exception {
    String asks = "SERVER='https://[fd00:e::1]:6443'; resolvers() { %s; }; check_resolver";
    says(
        NOTHING,
        asks.formatted(":"),
        "warn  resolver ",
        "names none: images of registries cannot be found by name");
    says(
        "  '-6 route get fd00::53') return 2 ;;",
        asks.formatted("printf '%s\\n' 192.0.2.53 fd00::53"),
        "warn  resolver ",
        "no route leads to fd00::53. On an IPv6-only host, take the resolvers of router"
            + " advertisements (RDNSS)");
    says(NOTHING, asks.formatted("echo fd00::53"), "ok    resolver    fd00::53");
  }

  @Test
  void aLinkThatIsTooNarrowForIpv6() throws Exception {
    String host =
        """
          '-o address show to fd00:e:1::13') echo '2: eth0    inet6 fd00:e:1::13/64 scope global' ;;
          '-o link show dev eth0') echo '2: eth0@if7: <BROADCAST,UP> mtu %d qdisc noqueue state UP' ;;
        """;
    String asks = "ADDRESS=fd00:e:1::13; check_uplink";
    says(host.formatted(1279), asks, "warn  uplink ", "eth0 has an MTU of 1279; IPv6 needs 1280");
    says(host.formatted(1280), asks, "ok    uplink      eth0, MTU 1280");
  }

  @Test
  void howThePrefixComesToTheHost() throws Exception {
    String asks =
        "PREFIX=fd00:e:1::/112 delivery_address=fd00:e:1::ffff STATUS=%s delivery_asked=%s NEIGHBORS=%s;"
            + " delivery_told";
    says(
        NOTHING,
        asks.formatted("200", "0", "None"),
        "ok    delivery    fd00:e:1::/112 is routed to this host");
    says(
        NOTHING,
        asks.formatted("200", "0", "KernelProxy"),
        "ok    delivery ",
        "neighborDiscovery KernelProxy is not needed, and does no harm");
    says(
        NOTHING,
        asks.formatted("000", "3", "Ndppd"),
        "ok    delivery ",
        "is on the link: the router asks for each address (3 solicitations seen)");
    says(
        NOTHING,
        asks.formatted("000", "3", "None"),
        "FAIL  delivery ",
        "is not routed to this host",
        "to KernelProxy",
        "(exit code 28)");
    says(
        NOTHING,
        asks.formatted("000", "''", "None"),
        "warn  delivery ",
        "no answer came back to fd00:e:1::ffff, and no router asked for it");
    says(
        NOTHING,
        "PREFIX_LENGTH=112 API_ADDRESS=192.0.2.13; check_delivery",
        "warn  delivery ",
        "not tested: the API is not reached over IPv6");
  }

  /** Of pools that leave the answer for pods to their hosts. */
  @Test
  void whatTheHostFindsDecidesWhoAnswers() throws Exception {
    List<String> parts = new ArrayList<>(PARTS);
    parts.add(parts.indexOf("probe") + 1, "auto");
    functions = HostFunctions.write(folder, parts);
    String asks =
        "PREFIX=fd00:e:1::/112 delivery_address=fd00:e:1::ffff STATUS=%s delivery_asked=%s NODE=n;"
            + " call() { cat \"$WORK/patch\"; STATUS=200; }; delivery_told;"
            + " report_prefix $PREFIX; echo; echo \"answers: $NEIGHBORS\"; cat $STATE/delivery";
    for (String shell : HostFunctions.SHELLS) {
      assertThat(functions.answer(shell, NOTHING, asks.formatted("200", "0")))
          .contains("ok    delivery    fd00:e:1::/112 is routed to this host: nobody has to answer")
          .contains("\"exaplane.io/delivery\": \"Routed\"")
          .contains("\"exaplane.io/pod-prefix\": \"fd00:e:1::/112\"")
          .endsWith("answers: None\nRouted");
      assertThat(functions.answer(shell, NOTHING, asks.formatted("000", "2")))
          .contains("is on the link", "(2 solicitations for fd00:e:1::ffff)")
          .contains("\"exaplane.io/delivery\": \"OnLink\"")
          .endsWith("answers: KernelProxy\nOnLink");
      assertThat(functions.answer(shell, NOTHING, asks.formatted("000", "0")))
          .contains("warn  delivery ", "The kernel answers for no pod")
          .contains("\"exaplane.io/delivery\": null")
          .endsWith("answers: None");
    }
    String before =
        "printf '%s' >$STATE/delivery; rm -f $STATE/neighbors; %s; delivery_before; echo $NEIGHBORS";
    says(NOTHING, before.formatted("OnLink", ":"), "KernelProxy");
    says(NOTHING, before.formatted("Routed", ": >$STATE/neighbors"), "None");
    says(NOTHING, before.formatted("", ": >$STATE/neighbors"), "KernelProxy");
    says(NOTHING, before.formatted("", ":"), "None");
  }

  /** A kernel that forwards drops routes by advertisements unless the value is 2. */
  @Test
  void advertisementsAreTakenBesideForwarding() throws Exception {
    String sysctls =
        IPV6
            + "NEIGHBORS=None; advertised() { echo eth7; }; requested_sysctls() { :; };"
            + " cat() { echo %s; }; sysctls | head -n 2";
    for (String shell : HostFunctions.SHELLS) {
      assertThat(functions.answer(shell, NOTHING, sysctls.formatted("1")))
          .startsWith("net/ipv6/conf/eth7/accept_ra 2\nnet/ipv6/conf/all/forwarding 1");
      assertThat(functions.answer(shell, NOTHING, sysctls.formatted("0")))
          .as("a daemon reads the advertisements")
          .startsWith("net/ipv6/conf/all/forwarding 1");
    }
  }

  @Test
  void anApiWithoutADate() throws Exception {
    says(NOTHING, "API_DATE=''; check_clock", "warn  clock ", "the API sent no date");
  }
}
