// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Reading;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What overlays make of objects, and what is refused by name. */
class OverlayTest {
  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec:
            serviceAccountName: web
            containers:
            - name: web
              image: example.com/web:1
              env: [{name: A, value: a}]
              ports: [{containerPort: 80}]
              envFrom: [{configMapRef: {name: settings}}, {configMapRef: {name: others}}]
      """;
  private static final String SETTINGS =
      """
      # two objects
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: settings}
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: web}
      """;
  private static final String BINDING =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: web}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
      subjects: [{kind: ServiceAccount, name: web}, {kind: User, name: web}]
      """;

  private final Map<String, String> files = new HashMap<>();

  OverlayTest() {
    files.put("base/deployment.yaml", DEPLOYMENT);
    files.put("base/settings.yaml", SETTINGS);
    files.put("base/binding.yaml", BINDING);
    files.put(
        "base/kustomization.yaml",
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
            + "resources: [deployment.yaml, settings.yaml, binding.yaml]\n");
  }

  @Test
  void namesChangeWithWhatRefersToThem() throws Exception {
    JsonNode web = rendered("namePrefix: p-\nnameSuffix: -s\nnamespace: prod\n", "Deployment");
    assertThat(web.at("/metadata").toString())
        .isEqualTo("{\"name\":\"p-web-s\",\"namespace\":\"prod\"}");
    JsonNode pod = web.at("/spec/template/spec");
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo("p-web-s");
    assertThat(pod.at("/containers/0/envFrom").toString()).contains("p-settings-s", "\"others\"");
    JsonNode binding = rendered("namePrefix: p-\nnamespace: prod\n", "ClusterRoleBinding");
    assertThat(binding.at("/subjects/0").toString())
        .contains("\"name\":\"p-web\"", "\"namespace\":\"prod\"");
    assertThat(binding.at("/subjects/1").toString())
        .isEqualTo("{\"kind\":\"User\",\"name\":\"web\"}");
    assertThat(binding.at("/roleRef/name").asText()).isEqualTo("view");
    assertThat(binding.at("/metadata").has("namespace")).isFalse();
  }

  @Test
  void objectsKeepFileAndLine() throws Exception {
    files.put("prod/kustomization.yaml", "resources: [../base]\nnamePrefix: p-\n");
    Reading reading = ManifestReader.read(Overlay.render(files, "prod", 1 << 20));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.manifests())
        .extracting(Manifest::toString)
        .contains(
            "ConfigMap p-settings (base/settings.yaml:2)",
            "ServiceAccount p-web (base/settings.yaml:6)");
  }

  @Test
  void patchesMergeByKeyAndByOperation() throws Exception {
    String strategic =
        """
        patches:
        - patch: |
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              replicas: 3
              template:
                spec:
                  serviceAccountName: null
                  containers:
                  - name: web
                    env: [{name: B, value: b}, {name: A, value: c}]
                    ports: [{containerPort: 80, protocol: TCP, name: http}]
                    envFrom: [{configMapRef: {name: settings}}]
                  - name: side
                    image: example.com/side
        """;
    JsonNode web = rendered(strategic, "Deployment");
    JsonNode containers = web.at("/spec/template/spec/containers");
    assertThat(web.at("/spec/replicas").asInt()).isEqualTo(3);
    assertThat(web.at("/spec/template/spec").has("serviceAccountName")).isFalse();
    assertThat(containers).hasSize(2);
    assertThat(containers.at("/0/image").asText()).isEqualTo("example.com/web:1");
    assertThat(containers.at("/0/env").toString())
        .isEqualTo("[{\"name\":\"B\",\"value\":\"b\"},{\"name\":\"A\",\"value\":\"c\"}]");
    assertThat(containers.at("/0/ports").toString())
        .isEqualTo("[{\"containerPort\":80,\"name\":\"http\",\"protocol\":\"TCP\"}]");
    assertThat(containers.at("/0/envFrom")).hasSize(1);
    String operations =
        """
        patches:
        - target: {kind: Deployment, name: w.*}
          patch: |
            - {op: test, path: /spec/template/spec/serviceAccountName, value: web}
            - {op: remove, path: /spec/template/spec/serviceAccountName}
            - {op: add, path: /spec/template/spec/containers/-, value: {name: last}}
        """;
    JsonNode patched = rendered(operations, "Deployment").at("/spec/template/spec");
    assertThat(patched.has("serviceAccountName")).isFalse();
    assertThat(patched.at("/containers/1/name").asText()).isEqualTo("last");
  }

  @Test
  void directivesDeleteAndReplace() throws Exception {
    files.put(
        "prod/kustomization.yaml",
        """
        resources: [../base]
        patches:
        - patch: |
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: settings}
            $patch: delete
        - target: {kind: Deployment}
          patch: |
            spec:
              selector: {$patch: replace, matchLabels: {b: c}}
              template: {spec: {containers: [{name: web, $patch: delete}]}}
        """);
    Map<String, String> rendered = Overlay.render(files, "prod", 1 << 20);
    assertThat(rendered.get("base/settings.yaml")).doesNotContain("ConfigMap");
    assertThat(rendered.get("base/deployment.yaml"))
        .contains("\"selector\":{\"matchLabels\":{\"b\":\"c\"}}", "\"containers\":[]");
  }

  @Test
  void imagesAndLabels() throws Exception {
    JsonNode web =
        rendered(
            "images: [{name: example.com/web, newName: mirror/web, newTag: '2'}]\n"
                + "labels: [{pairs: {team: shop}, includeSelectors: true}]\n",
            "Deployment");
    assertThat(web.at("/spec/template/spec/containers/0/image").asText()).isEqualTo("mirror/web:2");
    for (String path :
        List.of(
            "/metadata/labels", "/spec/selector/matchLabels", "/spec/template/metadata/labels")) {
      assertThat(web.at(path).path("team").asText()).as(path).isEqualTo("shop");
    }
    Kustomization.Image digest = new Kustomization.Image("h:5000/a", "", "", "sha256:x");
    assertThat(Images.changed("h:5000/a:1", digest)).isEqualTo("h:5000/a@sha256:x");
    assertThat(Images.changed("h:5000/ab:1", digest)).isEqualTo("h:5000/ab:1");
  }

  @Test
  void whatIsNotUnderstoodIsRefusedByName() {
    refused("helmCharts: []\n", "helmCharts", "kubectl kustomize");
    refused("commonLabels: {a: b}\n", "commonLabels", "includeSelectors");
    refused("patches: [{path: x.yaml, options: {allowNameChange: true}}]\n", "options");
    refused("images: [{name: a, tagSuffix: b}]\n", "images[0]", "tagSuffix");
    refused("namespace: 5\n", "namespace", "string");
    refused("patches: [{path: none.yaml}]\n", "prod/none.yaml", "does not exist");
    refused(
        "patches: [{target: {kind: Pod}, patch: '[{op: remove, path: /a}]'}]\n", "for no object");
    refused(
        "patches: [{target: {kind: ConfigMap}, patch: '[{op: remove, path: /a}]'}]\n",
        "operation 0",
        "'/a' does not exist");
    refused(
        "patches: [{target: {kind: ConfigMap}, patch: '[{op: replace, path: /metadata/name, value: x}]'}]\n",
        "'name' is changed");
    refused("patches: [{target: {name: (a+)+b}, patch: 'x: y'}]\n", "regular expression");
    refused(
        "patches: [{target: {kind: Deployment}, patch: 'spec: {$retainKeys: [a]}'}]\n",
        "$retainKeys");
  }

  @Test
  void resourcesStayInsideAndEnd() {
    files.put("prod/kustomization.yaml", "resources: [../../x.yaml]\n");
    failed("leads out of the source");
    files.put("prod/kustomization.yaml", "resources: ['https://example.com/x.yaml']\n");
    failed("no path inside of the source");
    files.put("prod/kustomization.yaml", "resources: [../prod]\n");
    failed("is part of itself");
    files.put("prod/kustomization.yaml", "resources: [../base, ../base]\n");
    failed("stands in base/deployment.yaml:1 and in");
    files.put("prod/kustomization.yaml", "resources: [bad.yaml]\n");
    files.put("prod/bad.yaml", "a: b\n---\nkind: [\n");
    failed("prod/bad.yaml:");
    for (int level = 0; level < 12; level++) {
      files.put(
          "l%d/kustomization.yaml".formatted(level),
          "namePrefix: a-\nresources: [../l%d, ../r%d]\n".formatted(level + 1, level));
      files.put(
          "r%d/kustomization.yaml".formatted(level),
          "namePrefix: b-\nresources: [../l%d]\n".formatted(level + 1));
    }
    files.put("l12/kustomization.yaml", "resources: []\n");
    files.put("prod/kustomization.yaml", "resources: [../l0]\n");
    failed("more than 1000 overlays");
  }

  private void refused(String more, String... words) {
    files.put("prod/kustomization.yaml", "resources: [../base]\n" + more);
    failed(words);
  }

  private void failed(String... words) {
    assertThatThrownBy(() -> Overlay.render(files, "prod", 1 << 20))
        .isInstanceOf(OverlayException.class)
        .hasMessageContainingAll(words);
  }

  private JsonNode rendered(String more, String kind) throws Exception {
    files.put("prod/kustomization.yaml", "resources: [../base]\n" + more);
    for (Manifest one : ManifestReader.read(Overlay.render(files, "prod", 1 << 20)).manifests()) {
      if (one.gvk().kind().equals(kind)) {
        return new ObjectMapper().readTree(one.body());
      }
    }
    throw new AssertionError("no " + kind);
  }
}
