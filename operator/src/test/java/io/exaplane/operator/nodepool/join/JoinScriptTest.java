// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the script is made of. That real shells and kubelets take it is tested as processes. Longer
 * than others: what each field of a pool writes is one list.
 */
class JoinScriptTest {
  private static final String TOKEN = "abcdef.0123456789abcdef";

  /** As long as a certificate of our CA. */
  private static final String CA =
      "-----BEGIN CERTIFICATE-----\n" + noise() + "\n-----END CERTIFICATE-----\n";

  /** Clouds refuse longer user data; the smallest limit but for that of AWS is Hetzner's. */
  private static final int USER_DATA_BYTES = 32 * 1024;

  private static String noise() {
    byte[] bytes = new byte[420];
    new Random(1).nextBytes(bytes);
    return Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
  }

  private static JoinInput input() {
    return input("https://[2001:db8::1]:6443", TOKEN, "edge", "1.37.2", "north", "NoSchedule");
  }

  private static JoinInput input(
      String server, String token, String pool, String version, String label, String effect) {
    return new JoinInput(
        server,
        CA,
        token,
        Instant.ofEpochSecond(1_800_000_000),
        pool,
        version,
        "{\"maxPods\": 200}",
        Map.of("example.org/site", label, "a", "b"),
        List.of(new JoinInput.Taint("example.org/new", label, effect)),
        "2001:db8:96::a",
        "cluster.local",
        OptionalInt.of(80),
        List.of("2001:db8:1::/48", "2001:db8:2::/48"));
  }

  @Test
  void theSameInputGivesTheSameScript() {
    String script = JoinScript.render(input());
    assertThat(JoinScript.render(input())).isEqualTo(script).startsWith("#!/bin/sh\n");
    assertThat(script)
        .contains("\nNODE_LABELS='exaplane.io/pool=edge,a=b,example.org/site=north'\n")
        .contains("\nPREFIX_LENGTH='80'\n")
        .contains("\nPOOL_PREFIXES='2001:db8:1::/48 2001:db8:2::/48'\n")
        .contains("\nMAX_PODS='200'\n")
        .contains("\nTOKEN_EXPIRES='1800000000'\n");
  }

  @Test
  void aPoolWithoutPrefixesHasNeitherLengthNorNetworks() {
    JoinInput with = input();
    JoinInput without =
        new JoinInput(
            with.server(),
            with.caPem(),
            with.token(),
            with.tokenExpires(),
            with.pool(),
            with.version(),
            "{}",
            with.labels(),
            with.taints(),
            with.clusterDns(),
            with.clusterDomain(),
            OptionalInt.empty(),
            List.of());
    assertThat(JoinScript.render(without))
        .contains("\nPREFIX_LENGTH=''\n")
        .contains("\nPOOL_PREFIXES=''\n")
        .contains("\nMAX_PODS='110'\n");
  }

  @Test
  void theKubeletHasWhatThePoolSaysAndWhatEveryNodeHas() {
    JsonNode config = JoinFiles.kubelet(input());
    assertThat(config.path("maxPods").asInt()).isEqualTo(200);
    assertThat(config.path("address").asText()).isEqualTo("::");
    assertThat(config.path("authentication").path("anonymous").path("enabled").asBoolean(true))
        .isFalse();
    assertThat(config.path("serverTLSBootstrap").asBoolean()).isTrue();
    assertThat(config.path("registerWithTaints").path(0).path("key").asText())
        .isEqualTo("example.org/new");
  }

  @ParameterizedTest
  @CsvSource({
    "server, http://[2001:db8::1]:6443, edge, 1.37.2, north, NoSchedule",
    "server, https://a b:6443, edge, 1.37.2, north, NoSchedule",
    "pool, https://a:6443, Edge, 1.37.2, north, NoSchedule",
    "version, https://a:6443, edge, v1.37, north, NoSchedule",
    "labels, https://a:6443, edge, 1.37.2, a;b, NoSchedule",
    "labels, https://a:6443, edge, 1.37.2, -a, NoSchedule",
    "taints, https://a:6443, edge, 1.37.2, a, Never"
  })
  void whatNoNodeCanTakeIsRefused(
      String field, String server, String pool, String version, String label, String effect) {
    assertThatThrownBy(() -> JoinScript.render(input(server, TOKEN, pool, version, label, effect)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + ": '")
        .hasMessageContaining("must be");
  }

  @Test
  void noMessageHasTheToken() {
    String token = "abcdef.0123456789ABCDEF";
    JoinInput bad = input("https://a:6443", token, "edge", "1.37.2", "north", "NoSchedule");
    assertThatThrownBy(() -> JoinScript.render(bad))
        .hasMessageContaining("token must")
        .message()
        .doesNotContain("0123456789ABCDEF");
    assertThat(bad.toString()).doesNotContain("0123456789ABCDEF");
  }

  @ParameterizedTest
  @CsvSource(
      value = {"[1]", "{", "''", "null"},
      ignoreLeadingAndTrailingWhitespace = true)
  void settingsThatAreNoObjectAreRefused(String json) {
    JoinInput with = input();
    JoinInput bad =
        new JoinInput(
            with.server(),
            with.caPem(),
            with.token(),
            with.tokenExpires(),
            with.pool(),
            with.version(),
            json,
            with.labels(),
            with.taints(),
            with.clusterDns(),
            with.clusterDomain(),
            with.podPrefixLength(),
            with.prefixes());
    assertThatThrownBy(() -> JoinScript.render(bad)).hasMessageContaining("kubeletConfigJson");
  }

  @Test
  void lengthAndNetworksComeTogether() {
    JoinInput with = input();
    assertThatThrownBy(
            () ->
                new JoinInput(
                    with.server(),
                    with.caPem(),
                    with.token(),
                    with.tokenExpires(),
                    with.pool(),
                    with.version(),
                    "{}",
                    with.labels(),
                    with.taints(),
                    with.clusterDns(),
                    with.clusterDomain(),
                    OptionalInt.empty(),
                    with.prefixes()))
        .hasMessageContaining("set both");
  }

  @Test
  void noShellKeepsNul() {
    assertThatThrownBy(() -> ShellText.quote("a\0b")).hasMessageContaining("NUL");
    assertThat(ShellText.quote("it's")).isEqualTo("'it'\\''s'");
  }

  @Test
  void cloudInitHasTheScriptForRootAlone() throws IOException {
    String script = JoinScript.render(input());
    String userData = CloudInit.render(script);
    assertThat(userData)
        .startsWith("#cloud-config\n")
        .contains("permissions: '0700'")
        .contains("path: /etc/exaplane/join.sh")
        .doesNotContain(TOKEN);
    assertThat(userData.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(USER_DATA_BYTES);
    String packed = userData.lines().filter(line -> line.contains("content: ")).toList().get(0);
    assertThat(unpacked(packed.strip().substring("content: ".length())))
        .isEqualTo(JoinScript.compact(script));
  }

  /** Whatever the pool sets, clouds take the user data. */
  @ParameterizedTest
  @CsvSource({
    "StaticPrefix, routed_prefixes, '', None, KernelProxy",
    "StaticPrefix, routed_prefixes, '', None, Auto",
    "HostPrefix, derived_prefixes, '', None, KernelProxy",
    "HostPrefix, derived_prefixes, '', None, Auto",
    "DelegatedPrefix, metadata_text, http://[fd00:ec2::254]/latest/meta-data/network/interfaces/macs/{mac}/ipv6-prefix, IMDSv2, KernelProxy",
    "DelegatedPrefix, metadata_text, http://[fd00:ec2::254]/latest/meta-data/network/interfaces/macs/{mac}/ipv6-prefix, IMDSv2, Auto"
  })
  void userDataOfAPoolThatSetsAllAreShortEnough(
      String source, String function, String url, String session, String neighbors)
      throws Exception {
    HostNetwork full =
        new HostNetwork(
            source,
            "",
            url,
            session,
            neighbors,
            "enp0s31f6",
            "PointToPoint",
            OptionalInt.of(1420),
            "2001:db8:64:ff9b::/96",
            List.of("2001:db8:1:53::64", "2001:db8:1:53::65"),
            true,
            List.of(22, 80, 443, 4240, 9100),
            List.of(8472, 51871));
    String script = JoinScript.render(input().with(full));
    assertThat(script).contains("\n" + function + "() {\n");
    assertThat(CloudInit.render(script)).hasSizeLessThan(USER_DATA_BYTES);
    assertShellTakes(JoinScript.compact(script));
    assertHasItsOwnSourceAlone(script);
    assertThat(JoinScript.compact(script).contains("exaplane.io/delivery"))
        .as("only hosts that find it out tell it")
        .isEqualTo(neighbors.equals("Auto"));
  }

  /** The functions that are left out are those of other sources. */
  private static void assertHasItsOwnSourceAlone(String script) {
    String own = script.replaceAll("(?s).*\nSOURCE='(\\w+)'.*", "$1");
    String compact = JoinScript.compact(script);
    assertThat(compact.contains(" -6 route show type unreachable"))
        .isEqualTo(own.equals("StaticPrefix"));
    assertThat(compact.contains("sum % 65536")).isEqualTo(own.equals("HostPrefix"));
    assertThat(compact.contains("X-aws-ec2-metadata-token-ttl-seconds"))
        .isEqualTo(own.equals("DelegatedPrefix"));
  }

  @Test
  void ignitionHasTheScriptForRootAlone() throws IOException {
    String script = JoinScript.render(input());
    JsonNode config = new ObjectMapper().readTree(Ignition.render(script));
    JsonNode file = config.path("storage").path("files").path(0);
    assertThat(file.path("mode").asInt()).isEqualTo(0700);
    assertThat(file.path("path").asText()).isEqualTo("/etc/exaplane/join.sh");
    String source = file.path("contents").path("source").asText();
    assertThat(unpacked(source.substring("data:;base64,".length())))
        .isEqualTo(JoinScript.compact(script));
    assertThat(config.path("systemd").path("units").path(0).path("contents").asText())
        .contains("ExecStart=/bin/sh /etc/exaplane/join.sh");
  }

  /** What a boot can mend by itself is tried again: a prefix or a route that comes late, too. */
  @Test
  void theUnitTriesAgainWhatTheDocsSay() throws IOException {
    String docs = Files.readString(Path.of("../docs/node-join.md"));
    String unit = HostUnit.text();
    String listed =
        docs.replaceAll("(?s).*for codes that can pass by themselves:\\s+([0-9, and]+)\\..*", "$1");
    String prevented = unit.replaceAll("(?s).*RestartPreventExitStatus=([0-9 ]+).*", "$1");
    List<String> codes =
        docs.lines()
            .filter(line -> line.matches("\\| \\d+ \\| .*"))
            .map(line -> line.split(" ")[1])
            .filter(code -> !code.equals("0"))
            .toList();
    assertThat(codes).contains("29", "31").hasSizeGreaterThan(30);
    assertThat(List.of(listed.split("(, | and )"))).contains("29", "31");
    assertThat(Stream.of(listed.split("(, | and )"), prevented.split(" ")).flatMap(Stream::of))
        .containsExactlyInAnyOrderElementsOf(codes);
  }

  /** Values stay as they are, also those that look like comments. */
  @Test
  void userDataHaveTheScriptWithoutComments() throws Exception {
    String script = JoinScript.render(input()).replace("CA_PEM='", "CA_PEM='  # a CA\n");
    String compact = JoinScript.compact(script);
    assertThat(compact)
        .contains("CA_PEM='  # a CA\n")
        .startsWith("#!/bin/sh\n")
        .contains("\n: lib-begins\n")
        .contains("\n: lib-ends\n")
        .contains("\nEXIT_CODES='  see https://")
        .contains(" ipv4only.arpa)\n")
        .containsPattern("\n[a-z]{1,2}_\\(\\) \\{ usage; }\n")
        .contains("'See https://exaplane.io/docs/node-join.'")
        .contains("\nconf_dir = \"$CNI_FOLDER\"\n")
        .doesNotContain("This file holds a bootstrap token")
        .doesNotContain("Install the package curl.")
        .doesNotContain("\n# ---")
        .doesNotContain("check_mtu")
        .hasSizeLessThan(script.length() * 8 / 10);
    assertThat(script).contains("\"missing: curl.\" \"Install the package curl.\"");
    assertThat(compact).contains("\"missing: curl.\"\n");
    assertShellTakes(compact);
  }

  private static void assertShellTakes(String script) throws Exception {
    Process shell = new ProcessBuilder("sh", "-n").redirectErrorStream(true).start();
    try (OutputStream in = shell.getOutputStream()) {
      in.write(script.getBytes(StandardCharsets.UTF_8));
    }
    String says = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(says).isZero();
  }

  /** Functions and variables alone: what the kernel, programs and JSON call by a name stays. */
  @Test
  void namesOfUserDataAreShort() {
    assertThat(
            ShortNames.of(
                """
                long_name() { echo "$1" >/proc/sys/net/my_sysctl; }
                a_=1
                other_name=$(long_name "${far_name:-x}")
                my_sysctl=2
                for far_name in $other_name; do echo "{\"other_key\": \"$other_name\"}"; done
                """))
        .isEqualTo(
            """
            c_() { echo "$1" >/proc/sys/net/my_sysctl; }
            a_=1
            b_=$(c_ "${far_name:-x}")
            my_sysctl=2
            for far_name in $b_; do echo "{\"other_key\": \"$b_\"}"; done
            """);
    String compact = JoinScript.compact(JoinScript.render(input()));
    assertThat(compact)
        .contains("net/netfilter/nf_conntrack_max", "/proxy_ndp 1", "/accept_ra 2", "br_netfilter")
        .doesNotContain("undo_containers");
  }

  @Test
  void theNetworkOfTheHostsIsInTheScript() {
    HostNetwork network =
        new HostNetwork(
            "DelegatedPrefix",
            "/etc/prefix",
            "",
            "None",
            "KernelProxy",
            "ens5",
            "PointToPoint",
            OptionalInt.of(1420),
            "64:ff9b::/96",
            List.of("2001:db8::64", "2001:db8::65"),
            true,
            List.of(443, 22, 22),
            List.of());
    assertThat(JoinScript.render(input().with(network)))
        .contains("\nSOURCE='DelegatedPrefix'\nDELEGATED_FILE='/etc/prefix'\nMETADATA_URL=''\n")
        .contains(
            "\nNEIGHBORS='KernelProxy'\nINTERFACE='ens5'\nPOD_LINK='PointToPoint'\nMTU='1420'\n")
        .contains("\"interfaceNamePrefix\" : \"veth\"")
        .contains("\nNAT64_RESOLVERS='2001:db8::64 2001:db8::65'\nFIREWALL='Managed'\n")
        .contains("\nFIREWALL_TCP='22 443'\nFIREWALL_UDP=''\n");
    assertThat(JoinScript.render(input()))
        .contains("\nSOURCE='StaticPrefix'\n")
        .contains("\nNEIGHBORS='None'\nINTERFACE=''\nPOD_LINK='Bridge'\nMTU=''\n")
        .contains("\"bridgeInterface\" : \"cni0\"")
        .contains("\nFIREWALL='None'\n");
  }

  @ParameterizedTest
  @CsvSource({
    "source, Prefix, /a, http://a/, None, None, eth0, Bridge",
    "file, HostPrefix, a b, http://a/, None, None, eth0, Bridge",
    "metadataURL, HostPrefix, /a, ftp://a/, None, None, eth0, Bridge",
    "metadataSession, HostPrefix, /a, http://a/, V3, None, eth0, Bridge",
    "neighborDiscovery, HostPrefix, /a, http://a/, None, Proxy, eth0, Bridge",
    "interfaceName, HostPrefix, /a, http://a/, None, None, eth0;reboot, Bridge",
    "podLink, HostPrefix, /a, http://a/, None, None, eth0, Vlan"
  })
  void aNetworkThatNoHostCanTakeIsRefused(
      String field,
      String source,
      String file,
      String url,
      String session,
      String neighbors,
      String name,
      String link) {
    HostNetwork network =
        new HostNetwork(
            source,
            file,
            url,
            session,
            neighbors,
            name,
            link,
            OptionalInt.empty(),
            "",
            List.of(),
            false,
            List.of(),
            List.of());
    assertThatThrownBy(() -> JoinScript.render(input().with(network)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(field + ": '")
        .hasMessageContaining("must be");
  }

  private static String unpacked(String base64) throws IOException {
    try (GZIPInputStream gzip =
        new GZIPInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(base64)))) {
      return new String(gzip.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
