// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the programs of a host are told. */
class HostFilesTest {
  private static final JsonMapper JSON = new JsonMapper();

  @TempDir private Path folder;

  private Path kubeconfig(String server, String cluster) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"%s"%s}}],
         "users":[{"name":"u","user":{"token":"secret"}}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(server, cluster));
  }

  private JsonNode written(boolean isUnified, String file) throws IOException {
    Optional<String> server = Optional.of("https://[2001:db8::1]:6443");
    Path kubeconfig =
        kubeconfig("https://api.example:6443", ",\"certificate-authority-data\":\"Y2E=\"");
    Path hosts = Files.createDirectories(folder.resolve("hosts/0"));
    KubeletSettings settings =
        new KubeletSettings(
            "kubelet",
            Optional.of("kube-proxy"),
            server,
            HostAddresses.of("fd00:e:1::/48"),
            folder.resolve("hosts"),
            List.of(),
            Optional.of("maxPods: 7\n"),
            80,
            false);
    new HostFiles(settings, ClusterAccess.of(kubeconfig, null, server), isUnified)
        .write(hosts, "n-0", 0, "example.org/t=v");
    return JSON.readTree(Files.readString(hosts.resolve(file)));
  }

  @Test
  void aHostActsInTheNameOfItsNodeAndKnowsNoToken() throws IOException {
    JsonNode file = written(true, "kubelet.kubeconfig");
    JsonNode cluster = file.at("/clusters/0/cluster");
    assertThat(cluster.path("server").asText()).isEqualTo("https://[2001:db8::1]:6443");
    assertThat(cluster.path("tls-server-name").asText()).isEqualTo("api.example");
    assertThat(cluster.path("certificate-authority-data").asText()).isEqualTo("Y2E=");
    assertThat(cluster.has("insecure-skip-tls-verify")).isFalse();
    JsonNode user = file.at("/users/0/user");
    assertThat(user.path("as").asText()).isEqualTo("system:node:n-0");
    assertThat(user.at("/as-groups/0").asText()).isEqualTo("system:nodes");
    assertThat(user.path("tokenFile").asText()).isEqualTo(folder.resolve("hosts/token").toString());
    assertThat(file.toString()).doesNotContain("secret");
  }

  @Test
  void fieldsOfTheUserGoOverTheCommandsOwn() throws IOException {
    written(true, "kubelet.json");
    assertThat(folder.resolve("hosts/0/kubelet.conf.d/50-user.conf")).hasContent("maxPods: 7");
  }

  @Test
  void kubeProxyActsInItsOwnName() throws IOException {
    assertThat(written(true, "kube-proxy.kubeconfig").at("/users/0/user/as").asText())
        .isEqualTo("system:kube-proxy");
  }

  @Test
  void aKubeletHasItsTaintLeaseAndGroup() throws IOException {
    JsonNode kubelet = written(true, "kubelet.json");
    assertThat(kubelet.at("/registerWithTaints/0"))
        .isEqualTo(
            JSON.readTree("{\"key\":\"example.org/t\",\"value\":\"v\",\"effect\":\"NoSchedule\"}"));
    assertThat(kubelet.path("nodeLeaseDurationSeconds").asInt()).isEqualTo(80);
    assertThat(kubelet.path("cgroupRoot").asText()).isEqualTo("/n-0");
    assertThat(kubelet.has("failCgroupV1")).isFalse();
  }

  @Test
  void memoryIsTakenFromHostsBeforeTheMachine() throws IOException {
    assertThat(written(true, "kubelet.json").path("oomScoreAdj").asInt()).isEqualTo(500);
    Path hosts = folder.resolve("hosts/0");
    assertThat(JSON.readTree(hosts.resolve("kube-proxy.json").toFile()).path("oomScoreAdj").asInt())
        .isEqualTo(500);
    assertThat(hosts.resolve("containerd.toml")).content().contains("oom_score = 500\n");
  }

  /** So the kubelet writes none of them to the machine's kernel. */
  @Test
  void aKubeletFindsTheKernelSettingsThatItWants() throws IOException {
    written(true, "kubelet.json");
    Path settings = folder.resolve("hosts/0/sysctl");
    assertThat(settings.resolve("vm.overcommit_memory")).hasContent("1");
    assertThat(settings.resolve("vm.panic_on_oom")).hasContent("0");
    assertThat(settings.resolve("kernel.panic")).hasContent("10");
    assertThat(settings.resolve("kernel.panic_on_oops")).hasContent("1");
    assertThat(settings.resolve("kernel.keys.root_maxkeys")).hasContent("1000000");
    assertThat(settings.resolve("kernel.keys.root_maxbytes")).hasContent("25000000");
  }

  @Test
  void aKubeletOnVersion1GoesOn() throws IOException {
    assertThat(written(false, "kubelet.json").path("failCgroupV1").asBoolean(true)).isFalse();
  }

  @Test
  void podsHaveThePrefixOfTheirHost() throws IOException {
    assertThat(written(true, "cni/10-bench.conflist").findValuesAsText("subnet"))
        .containsExactly("fd00:e:1:1::/64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://127.0.0.1:6443",
        "https://[::1]:6443",
        "https://192.0.2.1",
        "https://[::]"
      })
  void aServerThatHostsCannotReachIsRefused(String server) throws IOException {
    Path kubeconfig = kubeconfig(server, "");
    assertThatThrownBy(() -> ClusterAccess.of(kubeconfig, null, Optional.empty()))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("server: '" + server + "' must be a URL with an IPv6 address")
        .hasMessageContaining("set --server");
  }
}
