// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BuiltInsTest {
  private static final Facts FACTS = new Facts("https://[fd00::a]:6443", "1.37.2");
  private static final YAMLMapper YAML = new YAMLMapper();

  private static ObjectNode objects(String addon, String more) {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.37.2, maxNodes: 10, addons: [{name: a, %s}]%s}".formatted(addon, more));
    return BuiltIns.objects(
        controlPlane.getSpec(),
        controlPlane.getSpec().addons().getFirst(),
        new Images(
            new Fixtures.Config("quay.io/exaplane/operator:1"), controlPlane.getSpec().images()));
  }

  private static ObjectNode objects(String addon) {
    return objects(addon, "");
  }

  private static JsonNode container(ObjectNode objects, String workload) {
    return objects.at("/%s/spec/template/spec/containers/0".formatted(workload.replace("/", "~1")));
  }

  @Test
  void coreDnsServesTheDomainAtTheTenthAddress() {
    ObjectNode objects = objects("builtIn: CoreDNS");
    assertThat(objects.at("/Service~1kube-dns/spec/clusterIP").asText())
        .isEqualTo("fd00:0:0:1226::a");
    assertThat(objects.at("/ConfigMap~1exaplane-coredns/data/Corefile").asText())
        .contains("kubernetes cluster.local in-addr.arpa", "forward . /etc/resolv.conf {");
    JsonNode container = container(objects, "Deployment/exaplane-coredns");
    assertThat(container.path("image").asText())
        .isEqualTo("registry.k8s.io/coredns/coredns:v" + BuiltIns.COREDNS);
    assertThat(container.at("/resources/limits/memory").asText()).isEqualTo("170Mi");
    assertThat(objects.at("/Deployment~1exaplane-coredns/spec/replicas").intValue()).isEqualTo(2);
  }

  /** Two budgets that fit one pod stop each eviction. */
  @Test
  void podsOfAnotherDnsAreNotMeant() {
    ObjectNode objects = objects("builtIn: CoreDNS");
    JsonNode selector = objects.at("/Service~1kube-dns/spec/selector");
    assertThat(selector.toString()).isEqualTo("{\"app.kubernetes.io/name\":\"exaplane-coredns\"}");
    assertThat(objects.at("/PodDisruptionBudget~1exaplane-coredns/spec/selector/matchLabels"))
        .isEqualTo(selector);
    JsonNode deployment = objects.path("Deployment/exaplane-coredns");
    assertThat(deployment.at("/spec/selector/matchLabels")).isEqualTo(selector);
    assertThat(deployment.at("/spec/template/metadata/labels").toString())
        .isEqualTo("{\"app.kubernetes.io/name\":\"exaplane-coredns\",\"k8s-app\":\"kube-dns\"}");
  }

  @Test
  void coreDnsTakesItsSettings() {
    ObjectNode objects =
        objects(
            "builtIn: CoreDNS, settings: {image: 'example.org/dns:v2', replicas: 5, upstreams: ['2001:db8::53', 192.0.2.53], resources: {requests: {cpu: '1'}}}",
            ", network: {clusterDomain: shop.example, serviceCIDRs: ['fd00:1::/112']}, images: {registry: mirror.example}");
    assertThat(objects.at("/Service~1kube-dns/spec/clusterIP").asText()).isEqualTo("fd00:1::a");
    assertThat(objects.at("/ConfigMap~1exaplane-coredns/data/Corefile").asText())
        .contains("kubernetes shop.example in", "forward . 2001:db8::53 192.0.2.53 {");
    JsonNode container = container(objects, "Deployment/exaplane-coredns");
    assertThat(container.path("image").asText()).isEqualTo("example.org/dns:v2");
    assertThat(container.path("resources").toString()).isEqualTo("{\"requests\":{\"cpu\":\"1\"}}");
    assertThat(objects.at("/Deployment~1exaplane-coredns/spec/replicas").intValue()).isEqualTo(5);
  }

  @Test
  void imagesComeFromTheRegistryOfTheControlPlane() {
    String registry = ", images: {registry: mirror.example}";
    assertThat(
            container(objects("builtIn: CoreDNS", registry), "Deployment/exaplane-coredns")
                .path("image")
                .asText())
        .startsWith("mirror.example/coredns/coredns:v");
    assertThat(FACTS.file(objects("builtIn: KubeProxy", registry)))
        .contains("mirror.example/kube-proxy:v1.37.2");
  }

  @Test
  void kubeProxyIsOnNoHostOfANodePool() {
    ObjectNode objects = objects("builtIn: KubeProxy", ", network: {podCIDRs: ['fd00:2::/48']}");
    assertThat(objects.at("/ConfigMap~1exaplane-kube-proxy/data/config.conf").asText())
        .contains("mode: nftables", "clusterCIDR: \"fd00:2::/48\"");
    assertThat(objects.path("DaemonSet/exaplane-kube-proxy").toString())
        .contains(
            "{\"key\":\"%s\",\"operator\":\"DoesNotExist\"}".formatted(NodePoolNames.NODE_LABEL))
        .doesNotContain("privileged");
  }

  @ParameterizedTest
  @CsvSource({"CoreDNS, 7", "KubeProxy, 4"})
  void theFileIsWhole(String builtIn, int count) {
    String file = FACTS.file(objects("builtIn: " + builtIn));
    assertThat(file).doesNotContain("${");
    Reading reading = ManifestReader.read(Map.of("inline.yaml", file));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.manifests()).hasSize(count);
  }

  @Test
  void anotherConfigurationReplacesPods() {
    ObjectNode objects = objects("builtIn: KubeProxy");
    String file = FACTS.file(objects);
    assertThat(file).contains("server: https://[fd00::a]:6443");
    assertThat(configuration(file)).matches("[0-9a-f]{16}").isEqualTo(configuration(file));
    String moved = new Facts("https://[fd00::b]:6443", "1.37.2").file(objects);
    assertThat(configuration(moved)).isNotEqualTo(configuration(file));
    String newer = new Facts("https://[fd00::a]:6443", "1.37.3").file(objects);
    assertThat(newer).contains("kube-proxy:v1.37.3");
    assertThat(configuration(newer)).isEqualTo(configuration(file));
  }

  private static String configuration(String file) {
    try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(file)) {
      while (documents.hasNext()) {
        JsonNode hash =
            documents.next().at("/spec/template/metadata/annotations/exaplane.io~1configuration");
        if (hash.isTextual()) {
          return hash.asText();
        }
      }
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("no pods have a hash of the configuration: " + file);
  }

  /** kube-proxy must not be newer than any kube-apiserver. */
  @ParameterizedTest
  @CsvSource({
    "'{current: 1.36.3, applied: 1.37.2}', 1.36.3",
    "'{applied: 1.37.1}', 1.37.1",
    "'{}', 1.37.2"
  })
  void theVersionIsTheOneThatAllComponentsRun(String told, String version) {
    ControlPlane controlPlane = Fixtures.controlPlane("{version: 1.37.2, maxNodes: 10}");
    controlPlane.setStatus(Serialization.unmarshal("version: " + told, ControlPlaneStatus.class));
    assertThat(Facts.of(controlPlane, new Endpoint("fd00::a", 6443)))
        .isEqualTo(new Facts("https://[fd00::a]:6443", version));
  }

  @Test
  void theTestBedRunsTheSameVersion() throws Exception {
    assertThat(Files.readString(Path.of("../testbed/versions.env")))
        .contains("\nCOREDNS=" + BuiltIns.COREDNS + "\n");
  }
}
