// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the committed bundle and its catalog tell OLM and people. */
class BundleTest {
  private static final Path CATALOG = Deliverables.ROOT.resolve(Catalog.FOLDER);

  /** Scorecard asks for the fields of examples; consoles show all. */
  @ParameterizedTest
  @EnumSource(Descriptors.Part.class)
  void everyFieldHasADescriptor(Descriptors.Part part) throws IOException {
    String list = part == Descriptors.Part.SPEC ? "specDescriptors" : "statusDescriptors";
    List<Crd> crds = Crd.all();
    JsonNode owned = csv().at("/spec/customresourcedefinitions/owned");
    assertThat(owned.findValuesAsText("name")).containsAll(crds.stream().map(Crd::name).toList());
    for (JsonNode each : owned) {
      Crd crd =
          crds.stream()
              .filter(c -> c.name().equals(each.get("name").asText()))
              .findFirst()
              .orElseThrow();
      List<String> paths = new ArrayList<>();
      for (JsonNode descriptor : each.get(list)) {
        paths.add(descriptor.get("path").asText());
        assertThat(descriptor.path("description").asText())
            .as("%s: description of %s.%s", crd.kind(), part.field(), descriptor.get("path"))
            .endsWith(".");
      }
      assertThat(paths)
          .as("%s.%s", crd.kind(), part.field())
          .isEqualTo(Descriptors.fields(crd, part).stream().map(Descriptors.Field::path).toList())
          .hasSizeGreaterThan(2);
    }
  }

  /** Scorecard asks for some of each Kind. */
  @Test
  void everyKindNamesTheObjectsThatItWrites() throws IOException {
    for (JsonNode kind : csv().at("/spec/customresourcedefinitions/owned")) {
      List<String> written = kind.get("resources").findValuesAsText("kind");
      switch (kind.get("kind").asText()) {
        case "ControlPlane" -> assertThat(written).contains("Deployment", "Service", "StoreShard");
        case "ControlPlaneTask" -> assertThat(written).containsExactly("ControlPlane");
        case "NodePool" -> assertThat(written).contains("Secret");
        case "SchedulerPool", "StoreShard" ->
            assertThat(written).contains("StatefulSet", "ConfigMap");
        default -> assertThat(written).as(kind.get("kind").asText()).isNotEmpty();
      }
    }
  }

  @Test
  void theExamplesAreTheSamplesAndOfEachOwnedKind() throws IOException {
    JsonNode examples =
        new ObjectMapper().readTree(csv().at("/metadata/annotations/alm-examples").asText());
    assertThat(examples).isEqualTo(Csv.samples());
    Set<String> kinds = new TreeSet<>();
    examples.forEach(example -> kinds.add(example.get("kind").asText()));
    Set<String> owned = new TreeSet<>();
    Crd.all().forEach(crd -> owned.add(crd.kind()));
    assertThat(kinds).isEqualTo(owned);
    assertThat(examples.get(0).at("/metadata/name").asText())
        .as("the first that a console offers is the smallest")
        .isEqualTo("demo");
  }

  /** Scorecard's basic-check-spec, and olm-crds-have-validation: fields of examples are known. */
  @Test
  void everyExampleHasASpecOfKnownFields() throws IOException {
    for (JsonNode example : Csv.samples()) {
      Crd crd =
          Crd.all().stream()
              .filter(each -> each.kind().equals(example.get("kind").asText()))
              .findFirst()
              .orElseThrow();
      assertThat(example.path("spec").isEmpty()).as("spec of %s", example).isFalse();
      List<String> known =
          Descriptors.fields(crd, Descriptors.Part.SPEC).stream()
              .map(Descriptors.Field::path)
              .toList();
      example
          .get("spec")
          .fieldNames()
          .forEachRemaining(field -> assertThat(known).as(crd.kind()).contains(field));
    }
  }

  /** A cluster without the Internet mirrors what is in this list. */
  @Test
  void everyImageIsARelatedImage() throws IOException {
    JsonNode container =
        csv().at("/spec/install/spec/deployments/0/spec/template/spec/containers/0");
    Set<String> named = new TreeSet<>();
    named.add(container.get("image").asText());
    named.add(csv().at("/metadata/annotations/containerImage").asText());
    for (JsonNode variable : container.get("env")) {
      if (variable.get("name").asText().endsWith("_IMAGE")) {
        named.add(variable.get("value").asText());
      }
    }
    assertThat(named).hasSize(3);
    assertThat(new TreeSet<>(csv().at("/spec/relatedImages").findValuesAsText("image")))
        .isEqualTo(named);
  }

  @Test
  void theBundleHasAnIconADescriptionAndItsVersion() throws IOException {
    JsonNode icon = csv().at("/spec/icon/0");
    assertThat(icon.get("mediatype").asText()).isEqualTo("image/svg+xml");
    assertThat(new String(Base64.getDecoder().decode(icon.get("base64data").asText())))
        .startsWith("<svg");
    assertThat(csv().at("/spec/description").asText())
        .isEqualTo(Files.readString(Csv.DESCRIPTION))
        .contains("\n## ")
        .contains("Kubernetes " + minor(csv().at("/spec/minKubeVersion").asText()));
    assertThat(csv().at("/metadata/name").asText())
        .isEqualTo(Upgrades.bundleName(Csv.version(csv())));
    assertThat(Deliverables.ROOT.resolve(Chart.FOLDER + "/README.md"))
        .content()
        .contains("Kubernetes " + minor(csv().at("/spec/minKubeVersion").asText()));
  }

  private static String minor(String version) {
    return version.substring(0, version.lastIndexOf('.'));
  }

  /** Bundle, image and catalog agree on channels. */
  @Test
  void theCatalogOffersTheBundle() throws IOException {
    List<JsonNode> blobs =
        Deliverables.documents(Files.readString(CATALOG.resolve("package.yaml")));
    JsonNode offered = blobs.getFirst();
    assertThat(offered.get("schema").asText()).isEqualTo("olm.package");
    String annotations =
        Files.readString(Deliverables.ROOT.resolve(Bundle.FOLDER + "/metadata/annotations.yaml"));
    assertThat(annotations)
        .contains("channel.default.v1: " + offered.get("defaultChannel").asText() + "\n")
        .contains("package.v1: " + offered.get("name").asText() + "\n");
    List<String> channels = new ArrayList<>();
    for (JsonNode blob : blobs.subList(1, blobs.size())) {
      channels.add(blob.get("name").asText());
      assertThat(blob.get("entries").findValuesAsText("name"))
          .contains(csv().at("/metadata/name").asText());
    }
    assertThat(annotations).contains("channels.v1: " + String.join(",", channels) + "\n");
    assertThat(Files.readString(Deliverables.ROOT.resolve(Bundle.FOLDER + "/bundle.Dockerfile")))
        .contains("channels.v1=" + String.join(",", channels) + "\n");
    JsonNode bundle =
        Deliverables.documents(Files.readString(CATALOG.resolve("bundle.yaml"))).getFirst();
    assertThat(bundle.get("name")).isEqualTo(csv().at("/metadata/name"));
    assertThat(bundle.get("relatedImages").findValuesAsText("image"))
        .containsAll(csv().at("/spec/relatedImages").findValuesAsText("image"))
        .contains(bundle.get("image").asText());
    assertThat(bundle.get("properties").findValuesAsText("kind"))
        .containsAll(Crd.all().stream().map(Crd::kind).toList());
  }

  private static JsonNode csv() throws IOException {
    return Deliverables.YAML.readTree(Deliverables.ROOT.resolve(Bundle.CSV).toFile());
  }
}
