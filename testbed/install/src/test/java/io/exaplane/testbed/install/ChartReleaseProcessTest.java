// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.ApiServerCommand;
import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases of the chart on a real API server, without the pods that a cluster would run. */
class ChartReleaseProcessTest {
  private static final Path CHART = Path.of("../../config/helm/exaplane");
  private static final String CRDS = "../../crds/generated";
  private static final String NAMESPACE = "exaplane-system";

  @TempDir private Path home;
  private final Deque<Server> servers = new ArrayDeque<>();

  /** A new one for each test: no controller runs that would end the namespaces of another. */
  @BeforeEach
  void startApi() throws Exception {
    String store = "http://127.0.0.1:" + Machine.freePort();
    List<String> words = Machine.storeCommand();
    words.addAll(List.of("--durability=memory", "--listen-client-urls=" + store));
    servers.push(
        Server.start(words, Map.of(), URI.create(store + "/readyz"), home.resolve("store.log")));
    int port = Machine.freePort();
    String api = "https://127.0.0.1:" + port;
    servers.push(
        Server.start(
            ApiServerCommand.of(home, store, port, List.of()),
            Map.of(),
            URI.create(api + "/readyz"),
            home.resolve("apiserver.log")));
    Files.writeString(
        home.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts: [{name: c, context: {cluster: c, user: u}}]
        clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: %s}}]
        """
            .formatted(api, Http.TOKEN));
  }

  @AfterEach
  void stopApi() {
    servers.forEach(Server::close);
  }

  /** Helm alone would leave types in a folder crds as they are. */
  @Test
  void anUpgradeBringsTheNewApiTypes(@TempDir Path folder) throws Exception {
    install(older(folder)).passed();
    assertThat(kubectl(OlderApi.QUESTION)).isEmpty();
    helm("upgrade", "exaplane", CHART.toString(), "--reset-then-reuse-values").passed();
    assertThat(kubectl(OlderApi.QUESTION)).isEqualTo(OlderApi.TYPE);
    assertThat(kubectl("get", "crd", "-o", "name").lines()).hasSize(5);
  }

  /** With the types would go every control plane of the cluster. */
  @Test
  void anUninstallKeepsTheApiTypesAndNamesThem() throws Exception {
    String notes = install(CHART).passed();
    assertThat(notes)
        .contains("kubectl -n " + NAMESPACE + " get lease exaplane-operator")
        .contains("exaplane-store-critical")
        .doesNotContain("<no value>");
    assertThat(kubectl("-n", NAMESPACE, "get", "deploy,svc,sa,pdb", "-o", "name"))
        .contains("deployment.apps/exaplane-operator", "service/exaplane-operator");
    String said = helm("uninstall", "exaplane").passed();
    List<String> types = kubectl("get", "crd", "-o", "name").lines().toList();
    assertThat(types).hasSize(5);
    for (String type : types) {
      assertThat(said).contains("[CustomResourceDefinition] " + type.replaceFirst(".*/", ""));
    }
    assertThat(kubectl("get", "clusterrole,clusterrolebinding", "-o", "name"))
        .doesNotContain("exaplane-");
    assertThat(kubectl("-n", NAMESPACE, "get", "deploy,svc,pdb", "-o", "name")).isEmpty();
    install(CHART).passed();
  }

  /** What tests above and below ask of Helm 4. */
  @Test
  void helm3InstallsUpgradesAndUninstalls(@TempDir Path folder) throws Exception {
    helm3("install", "exaplane", older(folder).toString(), "--create-namespace").passed();
    assertThat(kubectl(OlderApi.QUESTION)).isEmpty();
    helm3("upgrade", "exaplane", CHART.toString(), "--reset-then-reuse-values").passed();
    assertThat(kubectl(OlderApi.QUESTION)).isEqualTo(OlderApi.TYPE);
    String said = helm3("uninstall", "exaplane").passed();
    List<String> types = kubectl("get", "crd", "-o", "name").lines().toList();
    assertThat(types).hasSize(5);
    for (String type : types) {
      assertThat(said).contains("[CustomResourceDefinition] " + type.replaceFirst(".*/", ""));
    }
    assertThat(kubectl("-n", NAMESPACE, "get", "deploy,svc,pdb", "-o", "name")).isEmpty();
    kubectl("label", "crd", OlderApi.KIND, "app.kubernetes.io/managed-by-");
    assertThat(helm3("install", "exaplane", CHART.toString()).failed())
        .contains("CustomResourceDefinition", "ownership");
    helm3("install", "exaplane", CHART.toString(), "--take-ownership").passed();
  }

  /** Who installed with kubectl before. */
  @Test
  void typesOfAnotherToolAreTakenOverWhenAsked() throws Exception {
    kubectl("apply", "--server-side", "-f", CRDS);
    assertThat(install(CHART).failed()).contains("CustomResourceDefinition", "ownership");
    helm("install", "exaplane", CHART.toString(), "--create-namespace", "--take-ownership")
        .passed();
    assertThat(kubectl("get", "crd", OlderApi.KIND, "-o", "yaml"))
        .contains("resource-policy: keep");
  }

  @Test
  void typesOfAnotherToolStayItsOwn() throws Exception {
    kubectl("apply", "--server-side", "-f", CRDS);
    String notes = install(CHART, "--set", "crds.install=false").passed();
    assertThat(notes).contains("crds.install is false");
    assertThat(kubectl("get", "crd", OlderApi.KIND, "-o", "yaml"))
        .doesNotContain("resource-policy");
  }

  /** What kube-apiserver itself says of every object, unknown fields included. */
  @Test
  void theOtherWaysApply() throws Exception {
    kubectl("apply", "--server-side", "--validate=strict", "-k", "../../config/install");
    kubectl(
        "apply", "--server-side", "--validate=strict", "-f", "../../config/install/install.yaml");
    assertThat(kubectl("-n", "exaplane-system", "get", "deploy", "-o", "name").strip())
        .isEqualTo("deployment.apps/exaplane-operator");
    kubectl("wait", "--for=condition=Established", "--timeout=300s", "crd", "--all");
    String samples = "../../config/samples";
    // A type is established a while before the server lists it among its types.
    String[] dry = {"apply", "--dry-run=server", "--validate=strict", "-f", samples};
    Await.until(
        Duration.ofMinutes(3),
        "the server takes the samples",
        () -> Tool.kubectl(home).run(dry).status() == 0,
        () -> Tool.kubectl(home).run(dry));
    assertThat(kubectl(dry).lines()).hasSizeGreaterThan(5);
    kubectl("apply", "--server-side", "-k", "../../config/overlays/own-registry");
    assertThat(kubectl("-n", "exaplane-system", "get", "deploy", "-o", "yaml"))
        .contains("image: registry.example.org/exaplane/operator:")
        .doesNotContain("quay.io");
  }

  private Tool.Run install(Path chart, String... options) throws Exception {
    return helm(
        Stream.concat(
                Stream.of("install", "exaplane", chart.toString(), "--create-namespace"),
                Stream.of(options))
            .toArray(String[]::new));
  }

  private Tool.Run helm(String... words) throws Exception {
    return run(Tool.helm(home), words);
  }

  private Tool.Run helm3(String... words) throws Exception {
    return run(Tool.helm3(home), words);
  }

  private static Tool.Run run(Tool helm, String... words) throws Exception {
    return helm.run(Stream.concat(Stream.of(words), Stream.of("--namespace", NAMESPACE)).toList());
  }

  private String kubectl(String... words) throws Exception {
    return Tool.kubectl(home).run(words).passed();
  }

  /** The chart of a version whose NodePool had one field less. */
  private static Path older(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(CHART)) {
      for (Path file : files.toList()) {
        Files.copy(
            file,
            folder.resolve(CHART.relativize(file).toString()),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Path type = folder.resolve("files/crds/" + OlderApi.KIND + ".yaml");
    Files.writeString(type, OlderApi.of(Files.readString(type)));
    return folder;
  }
}
