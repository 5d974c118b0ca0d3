// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
    Reading reading = ManifestReader.read(Overlay.render(files, "prod", 1 << 20, 2000));
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
    Map<String, String> rendered = Overlay.render(files, "prod", 1 << 20, 2000);
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

  @Test
  void whatIsWrittenIntoManyObjectsIsCountedBefore() {
    maps(1000);
    String wide = "x".repeat(2000);
    String annotation = "metadata: {annotations: {a: %s}}".formatted(wide);
    refused(
        "patches: [{target: {kind: ConfigMap}, patch: '%s'}]\n".formatted(annotation),
        "prod/kustomization.yaml: patches[0]: ",
        "the files may have 1048576 in total, counted once for each overlay that names them",
        "let fewer objects be chosen");
    files.put("prod/wide.yaml", annotation);
    refused("patches: [{target: {kind: ConfigMap}, path: wide.yaml}]\n", "patches[0] (wide.yaml)");
    refused(
        "patches: [{target: {kind: ConfigMap}, patch: '[{op: add, path: /data, value: {a: %s}}]'}]\n"
            .formatted(wide),
        "patches[0]: ");
    refused("labels: [{pairs: {a: %s}}]\n".formatted(wide), "kustomization.yaml: labels: ");
    refused("namePrefix: %s\n".formatted(wide), "kustomization.yaml: names: ");
    refused("namespace: %s\n".formatted(wide), "kustomization.yaml: names: ");
    files.put(
        "base/deployment.yaml", DEPLOYMENT + "      - {image: example.com/web}\n".repeat(1000));
    refused(
        "images: [{name: example.com/web, newName: %s}]\n".formatted(wide),
        "kustomization.yaml: images: ");
  }

  @Test
  void whatGrowsByItselfIsCounted() {
    files.put(
        "base/settings.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n");
    StringBuilder copies = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      copies.append("{op: copy, from: /data, path: /data/x%d},".formatted(i));
    }
    refused(
        "patches: [{target: {kind: ConfigMap}, patch: '[%s]'}]\n".formatted(copies),
        "patches[0]: operation 1",
        "characters are too many");
    StringBuilder aliases = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      aliases.append(",b%d: *a".formatted(i));
    }
    files.put(
        "base/settings.yaml",
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: &a %s%s}\n"
            .formatted("x".repeat(2000), aliases));
    refused("", "base/settings.yaml: ", "characters are too many");
    maps(1999);
    refused("", "too many objects", "may have 2000");
  }

  /** What takes a square of the file's size is refused before it begins. */
  @Test
  void whatTakesTooLongIsRefused() {
    for (String list : List.of("images: [%s]", "labels: [%s]", "patches: [%s]")) {
      String entry = list.startsWith("images") ? "{name: a}," : "{},";
      refused(list.formatted(entry.repeat(1001)) + "\n", "1001", "at most 1000 entries");
    }
    StringBuilder env = new StringBuilder();
    for (int i = 0; i < 3000; i++) {
      env.append("{name: V%d, value: x},".formatted(i));
    }
    files.put("base/deployment.yaml", DEPLOYMENT.replace("{name: A, value: a}", env.toString()));
    String patch =
        "patches: [{target: {kind: Deployment}, patch: '{spec: {template: {spec: {containers: [{name: web, env: [%s]}]}}}}'}]\n";
    refused(patch.formatted(env), "env", "merges 3000 elements into 3000", "$patch: replace");
  }

  @Test
  void anOddPathOfAnOperationIsNamed() {
    for (String odd :
        List.of(
            "{op: add, path: /metadata/name/x, value: 1}",
            "{op: add, path: /spec/template/spec/containers/-1, value: 1}",
            "{op: add, path: /spec/template/spec/containers/99999999999, value: 1}",
            "{op: replace, path: /spec, value: 1}, {op: add, path: /spec/x, value: 1}",
            "{op: move, from: /spec, path: /spec/template/x}",
            "{op: add, path: /spec/x~2y/z, value: 1}",
            "{op: add, path: /spec/y}")) {
      refused(
          "patches: [{target: {kind: Deployment}, patch: '[%s]'}]\n".formatted(odd),
          "patches[0]: operation ");
    }
  }

  @Test
  void anOperationDoesNotCopyTheObject() throws Exception {
    ObjectMapper json = new ObjectMapper();
    int[] copies = new int[1];
    ObjectNode object = (ObjectNode) json.readTree("{\"metadata\":{\"name\":\"x\"}}");
    object.set("data", new Counting(copies));
    ArrayNode operations = json.createArrayNode();
    for (int at = 0; at < 50; at++) {
      operations.addObject().put("op", "add").put("path", "/metadata/x" + at).put("value", at);
    }
    ObjectNode patched = JsonPatches.apply(object, operations, "patch", new Room(1 << 20, 10));
    assertThat(patched.path("metadata")).hasSize(51);
    assertThat(object.path("metadata")).as("the given object stays").hasSize(1);
    assertThat(copies[0]).isEqualTo(1);
  }

  /** Counts how often it is copied. */
  @SuppressWarnings("unchecked")
  private static final class Counting extends ObjectNode {
    private static final long serialVersionUID = 1;
    private final transient int[] copies;

    Counting(int[] copies) {
      super(JsonNodeFactory.instance);
      this.copies = copies;
    }

    @Override
    public ObjectNode deepCopy() {
      copies[0]++;
      return super.deepCopy();
    }
  }

  private void maps(int count) {
    StringBuilder maps = new StringBuilder();
    for (int i = 0; i < count; i++) {
      maps.append("---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: m%d}}\n".formatted(i));
    }
    files.put("base/settings.yaml", maps.toString());
  }

  private void refused(String more, String... words) {
    files.put("prod/kustomization.yaml", "resources: [../base]\n" + more);
    failed(words);
  }

  private void failed(String... words) {
    assertThatThrownBy(() -> Overlay.render(files, "prod", 1 << 20, 2000))
        .isInstanceOf(OverlayException.class)
        .hasMessageContainingAll(words);
  }

  private JsonNode rendered(String more, String kind) throws Exception {
    files.put("prod/kustomization.yaml", "resources: [../base]\n" + more);
    for (Manifest one :
        ManifestReader.read(Overlay.render(files, "prod", 1 << 20, 2000)).manifests()) {
      if (one.gvk().kind().equals(kind)) {
        return new ObjectMapper().readTree(one.body());
      }
    }
    throw new AssertionError("no " + kind);
  }
}
