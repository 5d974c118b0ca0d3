// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever people install with, the same operator runs, with the same rights. */
class InstallWaysProcessTest {
  private static final Path CHART = Path.of("../../config/helm/exaplane");
  private static final Path INSTALL = Path.of("../../config/install");
  private static final Path OVERLAYS = Path.of("../../config/overlays");
  private static final Path BUNDLE = Path.of("../../olm-bundle/bundle");
  private static final Path MONITORS = Path.of("../../config/monitors");
  private static final String REGISTRY = "registry.example.org/exaplane";

  @TempDir private Path home;

  @Test
  void allGiveTheSame() throws Exception {
    Installed plain = Installed.of(Files.readString(INSTALL.resolve("install.yaml")));
    assertThat(plain.rights()).hasSizeGreaterThan(50);
    assertThat(plain.types()).hasSizeGreaterThan(4);
    assertThat(plain.deployment().at("/template/spec/containers/0/env")).hasSize(4);
    assertSame(bundle(), plain, "the OLM bundle");
    assertSame(Installed.of(kustomized(INSTALL)), plain, "kustomize's base");
    assertSame(Installed.of(rendered()), plain, "the Helm chart");
  }

  @Test
  void othersImagesAreTheSame() throws Exception {
    Installed overlay = Installed.of(kustomized(OVERLAYS.resolve("own-registry")));
    List<String> settings = new ArrayList<>();
    for (JsonNode variable : overlay.deployment().at("/template/spec/containers/0/env")) {
      String name = variable.get("name").asText();
      if (name.endsWith("_IMAGE")) {
        assertThat(variable.get("value").asText()).startsWith(REGISTRY + "/");
        settings.add(
            "images.%s=%s"
                .formatted(
                    name.split("_")[1].toLowerCase(Locale.ROOT), variable.get("value").asText()));
      }
    }
    assertThat(settings).hasSize(3);
    assertSame(overlay, Installed.of(rendered("--set", String.join(",", settings))), "images");
  }

  @Test
  void oneReplicaIsTheSame() throws Exception {
    Installed overlay = Installed.of(kustomized(OVERLAYS.resolve("single-replica")));
    assertThat(overlay.deployment().get("replicas").asInt()).isEqualTo(1);
    assertSame(overlay, Installed.of(rendered("--set", "replicas=1")), "replicas");
  }

  @Test
  void theConsoleIsTheSame() throws Exception {
    String kustomized = kustomized(OVERLAYS.resolve("console"));
    String rendered = rendered("--set", "console.enabled=true");
    assertSame(Installed.of(kustomized), Installed.of(rendered), "console");
    assertThat(ports(kustomized)).isEqualTo(ports(rendered)).hasSize(2);
    assertThat(ports(rendered())).as("the console opens no port unasked").hasSize(1);
  }

  /** The ports of each Service. */
  private static List<String> ports(String text) throws IOException {
    return Installed.objects(text).stream()
        .filter(object -> object.get("kind").asText().equals("Service"))
        .map(object -> object.at("/metadata/name").asText() + object.at("/spec/ports"))
        .sorted()
        .toList();
  }

  /** The chart has what 'exactl monitors' prints, which people apply in the other ways. */
  @ParameterizedTest
  @CsvSource({"false, podmonitors.yaml", "true, servicemonitors.yaml"})
  void monitorsAreTheSame(boolean useServices, String file) throws Exception {
    assertThat(monitors(Installed.objects(rendered()))).as("unasked").isEmpty();
    String options =
        "monitoring.podMonitors.enabled=true,monitoring.podMonitors.useServices=" + useServices;
    List<JsonNode> printed = new ArrayList<>();
    Installed.one(Installed.objects(Files.readString(MONITORS.resolve(file))), "List")
        .get("items")
        .forEach(printed::add);
    assertThat(monitors(Installed.objects(rendered("--set", options))))
        .isEqualTo(monitors(printed))
        .hasSize(3);
  }

  private static Map<String, JsonNode> monitors(List<JsonNode> objects) {
    Map<String, JsonNode> monitors = new TreeMap<>();
    for (JsonNode object : objects) {
      if (object.get("apiVersion").asText().startsWith("monitoring.coreos.com/")) {
        monitors.put(
            object.get("kind").asText() + " " + object.at("/metadata/name").asText(),
            object.get("spec"));
      }
    }
    return monitors;
  }

  @Test
  void withoutTheApiTypesIsTheSame() throws Exception {
    Installed overlay = Installed.of(kustomized(OVERLAYS.resolve("without-crds")));
    assertThat(overlay.types()).isEmpty();
    assertSame(overlay, Installed.of(rendered("--set", "crds.install=false")), "crds");
  }

  /** Helm, in another namespace, writes there alone. */
  @Test
  void aReleaseIsInItsNamespace() throws Exception {
    String text = rendered("--namespace", "platform");
    assertThat(text).doesNotContain("exaplane-system");
    for (JsonNode object : Installed.objects(text)) {
      boolean ofCluster = object.get("kind").asText().matches("ClusterRole.*|CustomResource.*");
      assertThat(object.at("/metadata/namespace").asText())
          .as(object.get("kind").asText())
          .isEqualTo(ofCluster ? "" : "platform");
      for (JsonNode subject : object.path("subjects")) {
        assertThat(subject.get("namespace").asText()).isEqualTo("platform");
      }
    }
  }

  private static void assertSame(Installed found, Installed wanted, String way) {
    assertThat(found.rights()).as("rights of %s", way).isEqualTo(wanted.rights());
    assertThat(found.deployment()).as("Deployment of %s", way).isEqualTo(wanted.deployment());
    assertThat(found.budget()).as("PodDisruptionBudget of %s", way).isEqualTo(wanted.budget());
    assertThat(found.types()).as("API types of %s", way).isEqualTo(wanted.types());
  }

  private String rendered(String... options) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("template", "exaplane", CHART.toString()));
    words.addAll(List.of("--skip-tests", "--namespace", "exaplane-system"));
    words.addAll(List.of(options));
    return Tool.helm(home).run(words).passed();
  }

  private String kustomized(Path folder) throws IOException, InterruptedException {
    return Tool.kubectl(home).run("kustomize", folder.toString()).passed();
  }

  private static Installed bundle() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (Stream<Path> files = Files.list(BUNDLE.resolve("manifests"))) {
      for (Path file : files.sorted().toList()) {
        objects.addAll(Installed.objects(Files.readString(file)));
      }
    }
    return Installed.of(Installed.one(objects, "ClusterServiceVersion"), objects);
  }
}
