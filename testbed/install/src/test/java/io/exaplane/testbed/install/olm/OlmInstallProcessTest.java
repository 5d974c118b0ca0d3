// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * OLM installs the committed bundle from the committed catalog, unpacked by its own Job, as
 * docs/install.md says. No node is there: the test stands in for a kubelet, by processes with the
 * pods' environment and accounts.
 */
@Tag("olm")
class OlmInstallProcessTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @TempDir private Path folder;

  @Test
  void aSubscriptionInstallsAnOperatorThatWorks() throws Exception {
    Release release = Release.committed();
    try (OlmBed bed = OlmBed.start(List.of(release), folder);
        CatalogServer catalog = CatalogServer.start(bed.cluster(), Release.CATALOG, folder)) {
      bed.subscribe(catalog);
      bed.awaitInstalled(release);
      hasWhatTheBundleSays(bed, release);
      bed.awaitLeader();
      bed.createControlPlane();
      bed.awaitControlPlane();
      assertThat(operatorsLogs()).as("refused rights").isNotEmpty().doesNotContain("orbidden");
    }
  }

  /** What both operators wrote, from the beginning. */
  private String operatorsLogs() throws IOException {
    StringBuilder logs = new StringBuilder();
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, "exaplane-operator-*.log")) {
      for (Path file : files) {
        logs.append(Files.readString(file));
      }
    }
    return logs.toString();
  }

  private static void hasWhatTheBundleSays(OlmBed bed, Release release) throws Exception {
    var client = bed.cluster().client();
    JsonNode csv = release.manifest();
    Set<String> wanted = Grants.rules(csv);
    assertThat(wanted).hasSizeGreaterThan(20);
    assertThat(Grants.rules(client)).as("rights").isEqualTo(wanted);
    JsonNode deployment =
        Grants.json(
            client
                .apps()
                .deployments()
                .inNamespace(OlmCluster.NAMESPACE)
                .withName("exaplane-operator")
                .require());
    JsonNode spec = csv.at("/spec/install/spec/deployments/0/spec");
    assertThat(Grants.covers(deployment.get("spec"), spec))
        .as("Deployment: %s%nof the bundle: %s", deployment, spec)
        .isTrue();
    // The bundle has succeeded when one of them is available.
    var deployments = client.apps().deployments().inNamespace(OlmCluster.NAMESPACE);
    bed.until(
        "all replicas are available",
        () ->
            Objects.equals(
                deployments.withName("exaplane-operator").get().getStatus().getAvailableReplicas(),
                spec.get("replicas").asInt()),
        () -> Grants.json(deployments.withName("exaplane-operator").get()).get("status"));
    assertThat(
            client
                .policy()
                .v1()
                .podDisruptionBudget()
                .inNamespace(OlmCluster.NAMESPACE)
                .withName("exaplane-operator")
                .require()
                .getSpec()
                .getMaxUnavailable()
                .getIntVal())
        .isEqualTo(1);
    hasTheTypes(bed, release);
  }

  private static void hasTheTypes(OlmBed bed, Release release) throws IOException {
    Set<String> seen = new TreeSet<>();
    for (JsonNode type : types(release.bundle())) {
      String name = type.at("/metadata/name").asText();
      CustomResourceDefinition found =
          bed.cluster()
              .client()
              .apiextensions()
              .v1()
              .customResourceDefinitions()
              .withName(name)
              .require();
      assertThat(Grants.covers(Grants.json(found).get("spec"), type.get("spec")))
          .as("API type %s", name)
          .isTrue();
      seen.add(name);
    }
    assertThat(seen).hasSize(5);
  }

  private static List<JsonNode> types(Path bundle) throws IOException {
    try (Stream<Path> files = Files.list(bundle.resolve("manifests"))) {
      return files
          .map(
              file -> {
                try {
                  return YAML.readTree(file.toFile());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .filter(object -> object.get("kind").asText().equals("CustomResourceDefinition"))
          .toList();
    }
  }
}
