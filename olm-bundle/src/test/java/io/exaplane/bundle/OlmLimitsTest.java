// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

/**
 * What either OLM refuses in a bundle. Sources: operator-controller v1.2.0, v1.11.0, opm v1.73.0.
 */
class OlmLimitsTest {
  private static final Path MANIFESTS = Deliverables.ROOT.resolve(Bundle.FOLDER + "/manifests");

  /** OLM v0 unpacks a bundle into a ConfigMap, each file compressed and as base64. */
  private static final long LARGEST_BYTES = 1 << 20;

  /** Of all annotations of an object of Kubernetes. */
  private static final long LARGEST_ANNOTATIONS = 256 << 10;

  /** Kinds of registry+v1 bundles without those of OpenShift's console. */
  private static final Set<String> KINDS =
      Set.of(
          "ClusterServiceVersion",
          "CustomResourceDefinition",
          "Secret",
          "ClusterRole",
          "ClusterRoleBinding",
          "ConfigMap",
          "ServiceAccount",
          "Service",
          "Role",
          "RoleBinding",
          "PrometheusRule",
          "ServiceMonitor",
          "PodDisruptionBudget",
          "PriorityClass",
          "NetworkPolicy",
          "PodMonitor");

  /** Properties by which a bundle asks for others. */
  private static final Set<String> DEPENDENCIES =
      Set.of("olm.package.required", "olm.gvk.required", "olm.constraint");

  /** Half of what fits: each version of the API types makes it larger. */
  @Test
  void theBundleFitsAConfigMap() throws IOException {
    long bytes = 0;
    for (Path file : files()) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(Files.readAllBytes(file));
      }
      bytes += Base64.getEncoder().encode(packed.toByteArray()).length;
    }
    assertThat(bytes).isBetween(1L, LARGEST_BYTES / 2);
  }

  @Test
  void olmV1TakesItsModesAndItsHooks() throws IOException {
    JsonNode spec = csv().get("spec");
    for (JsonNode mode : spec.get("installModes")) {
      assertThat(mode.get("supported").asBoolean())
          .isEqualTo(mode.get("type").asText().equals("AllNamespaces"));
    }
    assertThat(spec.at("/customresourcedefinitions/required").isMissingNode()).isTrue();
    assertThat(spec.has("webhookdefinitions")).as("webhooks").isFalse();
    assertThat(spec.has("apiservicedefinitions")).as("API services").isFalse();
  }

  /** OLM v1 gives each object to Helm as a template; later releases do not. */
  @Test
  void olmV1FindsNoTemplateInIt() throws IOException {
    for (Path file : files()) {
      assertThat(Files.readString(file)).as(file.toString()).doesNotContain("{{");
    }
  }

  /** OLM v1 adds those of the bundle, examples too, to those of each pod. */
  @Test
  void itsAnnotationsFitAPod() throws IOException {
    JsonNode csv = csv();
    long characters = 0;
    for (JsonNode deployment : csv.at("/spec/install/spec/deployments")) {
      for (JsonNode annotations :
          List.of(
              csv.at("/metadata/annotations"),
              deployment.at("/spec/template/metadata/annotations"))) {
        for (Map.Entry<String, JsonNode> each : annotations.properties()) {
          assertThat(each.getValue().isTextual()).as(each.getKey()).isTrue();
          characters += each.getKey().length() + each.getValue().asText().length();
        }
      }
    }
    assertThat(characters).isBetween(1L, LARGEST_ANNOTATIONS / 2);
  }

  @Test
  void theBundleNeedsNoOther() throws IOException {
    JsonNode bundle =
        Deliverables.documents(
                Files.readString(Deliverables.ROOT.resolve(Catalog.FOLDER + "/bundle.yaml")))
            .getFirst();
    assertThat(bundle.get("properties").findValuesAsText("type"))
        .contains("olm.package")
        .doesNotContainAnyElementsOf(DEPENDENCIES);
    assertThat(bundle.get("package").asText()).isNotEmpty();
    assertThat(Deliverables.ROOT.resolve(Bundle.FOLDER + "/metadata/dependencies.yaml"))
        .doesNotExist();
  }

  /** Owned types are there once each, Deployments have names of their own, and Kinds are known. */
  @Test
  void olmV1TakesItsObjects() throws IOException {
    List<String> types = new ArrayList<>();
    for (Path file : files()) {
      for (JsonNode object : Deliverables.documents(Files.readString(file))) {
        assertThat(KINDS).as(file.toString()).contains(object.get("kind").asText());
        if (object.get("kind").asText().equals("CustomResourceDefinition")) {
          types.add(object.at("/metadata/name").asText());
        }
      }
    }
    assertThat(types).doesNotHaveDuplicates();
    Set<String> owned = new TreeSet<>();
    csv()
        .at("/spec/customresourcedefinitions/owned")
        .forEach(each -> owned.add(each.get("name").asText()));
    assertThat(new TreeSet<>(types)).isEqualTo(owned).hasSize(Crd.all().size());
    List<String> deployments = new ArrayList<>();
    csv()
        .at("/spec/install/spec/deployments")
        .forEach(each -> deployments.add(each.get("name").asText()));
    assertThat(deployments)
        .doesNotHaveDuplicates()
        .isNotEmpty()
        .allMatch(name -> name.matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?"));
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(MANIFESTS)) {
      return files.sorted().toList();
    }
  }

  private static JsonNode csv() throws IOException {
    return Deliverables.YAML.readTree(Deliverables.ROOT.resolve(Bundle.CSV).toFile());
  }
}
