// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.AnsweringApi;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.metrics.AddonMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The files of ConfigMaps and Secrets, and who may have them. */
class ManagementReaderTest {
  private final Map<String, String> objects = new HashMap<>();

  private Map<String, String> read(String source) throws Exception {
    ControlPlane controlPlane =
        Fixtures.controlPlane(
            "{version: 1.36.3, maxNodes: 10, addons: [{name: a, %s}]}".formatted(source));
    AddonSpec spec = controlPlane.getSpec().addons().getFirst();
    try (AnsweringApi api =
        new AnsweringApi(
            asked ->
                objects.containsKey(asked.path())
                    ? new AnsweringApi.Answer(200, objects.get(asked.path()))
                    : new AnsweringApi.Answer(404, "{\"kind\": \"Status\", \"code\": 404}"))) {
      AddonFetches fetches = new AddonFetches(new AddonMetrics(new SimpleMeterRegistry()));
      return new ManagementReader(api.client(), controlPlane, fetches).read(spec);
    }
  }

  private void secret(String labels, String value) {
    objects.put(
        "/api/v1/namespaces/ns/secrets/s",
        """
        {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "ns", "resourceVersion": "7", "labels": {%s}},
         "data": {"a.yaml": "%s", "password": "eA=="}}
        """
            .formatted(
                labels,
                Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.ISO_8859_1))));
  }

  @Test
  void inlineIsOneFile() throws Exception {
    assertThat(read("inline: 'kind: x'")).containsExactly(Map.entry("inline.yaml", "kind: x"));
  }

  @Test
  void keysThatLookLikeManifestsAreFiles() throws Exception {
    objects.put(
        "/api/v1/namespaces/ns/configmaps/m",
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "resourceVersion": "7"},
         "data": {"a.yaml": "x", "b.JSON": "{}", "c.yml": "y", "notes.txt": "z"}}
        """);
    assertThat(read("configMap: {name: m}")).containsOnlyKeys("a.yaml", "b.JSON", "c.yml");
  }

  /** Left out without a word, the objects of such a file would be deleted. */
  @Test
  void aFileThatIsNotUtf8IsNotLeftOut() throws Exception {
    String map =
        """
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "resourceVersion": "7"},
         "data": {"a.yaml": "x"}, "binaryData": {"%s": "/w=="}}
        """;
    objects.put("/api/v1/namespaces/ns/configmaps/m", map.formatted("b.yaml"));
    assertThatThrownBy(() -> read("configMap: {name: m}"))
        .isInstanceOf(AddonReader.Unreadable.class)
        .hasMessageContaining("configMap m: the key b.yaml is in binaryData")
        .hasMessageContaining("save the file as UTF-8");
    objects.put("/api/v1/namespaces/ns/configmaps/m", map.formatted("logo.png"));
    assertThat(read("configMap: {name: m}")).containsOnlyKeys("a.yaml");
  }

  @Test
  void whatIsMissingIsNamedWithTheCommand() {
    assertThatThrownBy(() -> read("configMap: {name: m}"))
        .isInstanceOf(AddonReader.Unreadable.class)
        .hasMessageContaining("configMap m: does not exist in the namespace ns")
        .hasMessageContaining("kubectl -n ns create configmap m");
  }

  /** As the older operator sees it after a rollback. */
  @Test
  void aSourceOfANewerVersionIsNamed() {
    assertThatThrownBy(() -> read("interval: 1m"))
        .isInstanceOf(AddonReader.Unreadable.class)
        .hasMessageContaining("does not know; upgrade the operator");
  }

  @Test
  void aMapWithoutFilesIsNoSource() {
    objects.put(
        "/api/v1/namespaces/ns/configmaps/m",
        "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\", \"metadata\": {\"name\": \"m\", \"resourceVersion\": \"7\"}}");
    assertThatThrownBy(() -> read("configMap: {name: m}")).hasMessageContaining("has no key");
  }

  @Test
  void aSecretIsReadWithItsMakersLabelOnly() throws Exception {
    secret("", "x");
    assertThatThrownBy(() -> read("secret: {name: s}"))
        .hasMessageContaining("exaplane.io/addons-of=demo");
    secret("\"exaplane.io/addons-of\": \"other\"", "x");
    assertThatThrownBy(() -> read("secret: {name: s}")).hasMessageContaining("does not have");
    secret("\"exaplane.io/addons-of\": \"demo\"", "x");
    assertThat(read("secret: {name: s}")).containsExactly(Map.entry("a.yaml", "x"));
    secret("\"exaplane.io/addons-of\": \"demo\"", "\u00ff");
    assertThatThrownBy(() -> read("secret: {name: s}")).hasMessageContaining("not UTF-8");
  }
}
