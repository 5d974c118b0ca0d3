// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.manifest.Values;
import io.exaplane.apply.overlay.Overlay;
import io.exaplane.testbed.machine.Machine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our overlays beside those of 'kubectl kustomize': the same objects, field by field. */
class OverlayProcessTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resources: [../base]",
        "resources: [../base]\nnamePrefix: p-\nnameSuffix: -s\nnamespace: prod",
        "resources: [../middle]\nnamePrefix: p-",
        "resources: [../base]\nlabels: [{pairs: {a: b}, includeSelectors: true}]",
        "resources: [../base]\nlabels: [{pairs: {a: b}, includeTemplates: true}, {pairs: {c: d}}]",
        "resources: [../base]\nimages: [{name: example.com/web, newTag: '2'}, {name: busybox, newName: m/b, digest: 'sha256:0'}]",
        "resources: [../base]\npatches: [{path: strategic.yaml}]",
        "resources: [../middle]\nnamespace: other\npatches: [{path: strategic.yaml}]",
        "resources: [../base]\npatches: [{path: operations.yaml, target: {kind: Deployment, name: w.*}}]",
        "resources: [../base]\npatches: [{path: directives.yaml}]",
        "resources: [../base]\npatches:\n- target: {labelSelector: app=web}\n  patch: |-\n    - {op: add, path: /metadata/annotations, value: {x: word}}",
      })
  void givesTheSameObjects(String overlay) throws Exception {
    Map<String, String> files = new TreeMap<>(Map.of("prod/kustomization.yaml", overlay + "\n"));
    for (String name :
        new String[] {
          "base/kustomization.yaml",
          "base/objects.yaml",
          "middle/kustomization.yaml",
          "prod/strategic.yaml",
          "prod/operations.yaml",
          "prod/directives.yaml"
        }) {
      try (var in = OverlayProcessTest.class.getResourceAsStream("/overlay/" + name)) {
        files.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    for (Map.Entry<String, String> one : files.entrySet()) {
      Path file = folder.resolve(one.getKey());
      Files.createDirectories(file.getParent());
      Files.writeString(file, one.getValue());
    }
    Map<String, JsonNode> ours = new TreeMap<>();
    Overlay.render(files, "prod", 1 << 20, 1000)
        .forEach((name, text) -> ours.putAll(objects(text)));
    Map<String, JsonNode> theirs = objects(kustomize());
    assertThat(theirs).hasSizeGreaterThan(10);
    assertThat(ours.keySet()).isEqualTo(theirs.keySet());
    assertSoftly(
        all ->
            theirs.forEach(
                (name, object) -> all.assertThat(ours.get(name)).as(name).isEqualTo(object)));
  }

  private static Map<String, JsonNode> objects(String text) {
    Map<String, JsonNode> objects = new TreeMap<>();
    Values.Content content = Values.read("objects", text);
    assertThat(content.problems()).isEmpty();
    for (Values.Value one : content.values()) {
      JsonNode object = one.value();
      objects.put(
          object.path("kind").asText()
              + " "
              + object.at("/metadata/namespace").asText()
              + "/"
              + object.at("/metadata/name").asText(),
          object);
    }
    return objects;
  }

  private String kustomize() throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process =
        new ProcessBuilder(
                Machine.environment("EXA_KUBE") + "/kubectl",
                "kustomize",
                folder.resolve("prod").toString())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    boolean hasEnded = process.waitFor(5, TimeUnit.MINUTES);
    try (Stream<String> words = Files.lines(err)) {
      assertThat(hasEnded && process.exitValue() == 0)
          .as("kubectl kustomize: %s", words.toList())
          .isTrue();
    }
    return Files.readString(out);
  }
}
