// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script's functions about networks, by real shells, on a host whose {@code ip} says what the
 * test wants.
 */
class HostTextProcessTest {
  private static final List<String> PARTS =
      List.of("tell", "read", "address", "source", "preflight", "api", "probe", "hints", "network");
  private static final List<String> SHELLS = HostFunctions.SHELLS;

  @TempDir Path folder;
  private HostFunctions functions;

  @BeforeEach
  void write() throws IOException {
    functions = HostFunctions.write(folder, PARTS);
  }

  private String answer(String shell, String host, String lines) throws IOException {
    return functions.answer(shell, host, lines);
  }

  private static String addresses(String... all) {
    StringBuilder lines = new StringBuilder();
    for (String one : all) {
      lines.append("2: eth0    inet6 %s scope global\n".formatted(one));
    }
    return "  '-6 -o address show scope global') printf '%s' '" + lines + "' ;;";
  }

  /** The options of curl are lines: an answer must not bring one. */
  @Test
  void aTokenOfTheMetadataServiceIsNoOption() throws Exception {
    Path stolen = folder.resolve("stolen");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              "t0k=\"\noutput = \"%s\n".formatted(stolen).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:%d/prefix".formatted(server.getAddress().getPort());
      for (String shell : SHELLS) {
        String text =
            answer(
                shell,
                "  *) : ;;",
                "METADATA_URL=%s METADATA_SESSION=IMDSv2; metadata_text".formatted(url));
        assertThat(text).contains("t0k=");
        assertThat(stolen).doesNotExist();
      }
    } finally {
      server.stop(0);
    }
  }

  /** A second address of the host does not move the pods. */
  @Test
  void thePartOfTheJoinStands() throws Exception {
    Files.writeString(folder.resolve("state/prefix"), "2001:db8:2:1::15:0/112\n");
    Files.writeString(folder.resolve("state/found"), "yes\n");
    String lines =
        "PREFIX_LENGTH=112 POOL_PREFIXES=2001:db8:2::/48 SOURCE=HostPrefix; found_prefixes";
    for (String shell : SHELLS) {
      assertThat(answer(shell, addresses("2001:db8:2:1::11/64", "2001:db8:2:1::15/64"), lines))
          .isEqualTo("2001:db8:2:1::15:0/112");
      assertThat(answer(shell, addresses("2001:db8:2:2::11/64"), lines))
          .as("another network")
          .isEqualTo("2001:db8:2:2::11:0/112");
    }
    Path file = Files.writeString(folder.resolve("delegated"), "2001:db8:2:10::/60\n");
    Files.writeString(folder.resolve("state/prefix"), "2001:db8:2:10::/64\n");
    String delegated =
        "PREFIX_LENGTH=64 POOL_PREFIXES=2001:db8:2::/48 SOURCE=DelegatedPrefix DELEGATED_FILE=%s; found_prefixes"
            .formatted(file);
    for (String shell : SHELLS) {
      assertThat(answer(shell, addresses("2001:db8:2:10::1/64"), delegated))
          .isEqualTo("2001:db8:2:10::/64");
    }
  }

  /** The kernel notes the networks of router advertisements as its own routes. */
  @Test
  void aHostWithDhcpv6HasTheNetworkOfTheKernelsRoute() throws Exception {
    String host =
        addresses("2001:db8:2:1::15/128")
            + """

              '-6 route show') printf '%s\\n' '2001:db8:2:1::15 dev eth0 proto kernel metric 256' \\
                '2001:db8:2:1::/64 dev eth0 proto kernel metric 256 expires 86000sec' 'default via fe80::1 dev eth0 proto ra' ;;
            """;
    for (String shell : SHELLS) {
      assertThat(
              answer(
                  shell,
                  host,
                  "PREFIX_LENGTH=112 POOL_PREFIXES=2001:db8:2:1::/64 SOURCE=HostPrefix; found_prefixes"))
          .isEqualTo("2001:db8:2:1::15:0/112");
    }
  }

  /** An address by router advertisement ends if the host takes no further ones. */
  @Test
  void interfacesWhoseAddressesEndTakeAdvertisements() throws Exception {
    for (String shell : SHELLS) {
      assertThat(
              answer(
                  shell,
                  "  *dynamic) echo '2: eth7    inet6 2001:db8::7/64 scope global dynamic mngtmpaddr' ;;",
                  "advertised"))
          .isEqualTo("eth7");
    }
  }

  @Test
  void podsDoNotReachMetadataServices() throws Exception {
    for (String shell : SHELLS) {
      for (String[] one :
          List.of(
              new String[] {"http://[fd00:7::254]:80/latest", "fd00:7::254"},
              new String[] {"http://192.0.2.254:8080/latest", "169.254.169.254, 192.0.2.254 }"},
              new String[] {"http://metadata.example/latest", "169.254.169.254 }"})) {
        String rules =
            answer(
                shell,
                "  *) : ;;",
                "NAT64_PREFIX=2001:db8:64::/96 METADATA_URL='%s'; firewall_rules 2001:db8::/112"
                    .formatted(one[0]));
        assertThat(rules)
            .contains("fd00:ec2::254, fd20:ce::254")
            .contains("2001:db8:64::a9fe:a9fe")
            .contains(one[1]);
        Path file = Files.writeString(folder.resolve("rules.nft"), rules + "\n");
        Shell.must("nft", "--check", "--file", file.toString());
      }
    }
  }

  @Test
  void aPortThatTheFirewallShutsIsNamed() throws Exception {
    try (ServerSocket open = new ServerSocket(0);
        ServerSocket own = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (String shell : SHELLS) {
        assertThat(answer(shell, "  *) : ;;", "FIREWALL=Managed; check_firewall"))
            .contains("warn  firewall")
            .containsPattern("[ :]" + open.getLocalPort() + "[ .]")
            .doesNotContainPattern(" " + own.getLocalPort() + "[ .]")
            .contains("spec.firewall.tcpPorts");
        assertThat(
                answer(
                    shell,
                    "  *) : ;;",
                    "FIREWALL=Managed FIREWALL_TCP='22 %d'; check_firewall"
                        .formatted(open.getLocalPort())))
            .doesNotContainPattern(" " + open.getLocalPort() + "[ .]");
      }
    }
  }

  /** The script may end between the rules and the settings. */
  @Test
  void rulesWithoutSettingsAreUndone() throws Exception {
    for (String shell : SHELLS) {
      Files.writeString(folder.resolve("state/firewall.nft"), "");
      assertThat(
              answer(
                  shell,
                  "  *) : ;;",
                  "stop() { :; }; nft() { echo \"nft $*\"; }; undo_host_network"))
          .isEqualTo("nft delete table inet exaplane");
      assertThat(folder.resolve("state/firewall.nft")).doesNotExist();
    }
  }

  /** A pool that wants no daemon any more ends it. */
  @Test
  void ndppdEndsIfThePoolDropsIt() throws Exception {
    for (String shell : SHELLS) {
      Files.writeString(folder.resolve("state/ndppd.conf"), "");
      assertThat(
              answer(
                  shell,
                  "  *) : ;;",
                  "FIREWALL=None SOURCE=StaticPrefix NEIGHBORS=None PREFIX='';"
                      + " stop() { echo \"stop $1\"; }; start_host_network"))
          .contains("stop ndppd");
      assertThat(folder.resolve("state/ndppd.conf")).doesNotExist();
    }
  }
}
