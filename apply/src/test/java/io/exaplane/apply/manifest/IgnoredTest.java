// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Fields that others set are taken out of manifests. */
class IgnoredTest {
  private static final Manifest WEB =
      ManifestReader.read(
              Map.of(
                  "a.yaml",
                  """
                  apiVersion: apps/v1
                  kind: Deployment
                  metadata: {name: web, namespace: shop, annotations: {a/b: x}}
                  spec:
                    replicas: 3
                    template: {spec: {containers: [{name: a, image: i}, {name: b, image: j}]}}
                  """))
          .manifests()
          .getFirst();

  private static IgnoreRule rule(String kind, String namespace, String... pointers) {
    return new IgnoreRule("*", kind, namespace, "w*", List.of(pointers));
  }

  private static String body(IgnoreRule... rules) {
    Manifest one = Ignored.without(List.of(WEB), List.of(rules), "default").getFirst();
    assertThat(one.hash()).isEqualTo(Hashes.of(one.body()));
    return new String(one.body(), StandardCharsets.UTF_8);
  }

  @Test
  void fieldsOfMapsAndListsGo() {
    assertThat(body(rule("Deployment", "*", "/spec/replicas")))
        .doesNotContain("replicas")
        .contains("containers");
    assertThat(body(rule("Deployment", "*", "/spec/template/spec/containers/*/image")))
        .contains("[{\"name\":\"a\"},{\"name\":\"b\"}]");
    assertThat(body(rule("Deployment", "*", "/spec/template/spec/containers/1")))
        .contains("[{\"image\":\"i\",\"name\":\"a\"}]");
  }

  @Test
  void aMapThatOnlyHeldIgnoredFieldsGoes() {
    assertThat(body(rule("Deployment", "*", "/metadata/annotations/a~1b")))
        .doesNotContain("annotations");
  }

  @Test
  void theRulesOfAnObjectAreRemembered() {
    Manifest one =
        Ignored.without(
                List.of(WEB),
                List.of(
                    rule("Deployment", "shop", "/spec/replicas", "/spec/x"),
                    rule("*", "*", "/spec/x"),
                    rule("Pod", "*", "/spec/y")),
                "default")
            .getFirst();
    assertThat(one.ignored()).containsExactly("/spec/replicas", "/spec/x");
    assertThat(one).isNotEqualTo(WEB);
  }

  @Test
  void otherObjectsStayAsTheyAre() {
    for (IgnoreRule other :
        List.of(
            rule("Pod", "*", "/spec"),
            rule("Deployment", "other", "/spec"),
            new IgnoreRule("", "Deployment", "*", "*", List.of("/spec")),
            new IgnoreRule("*", "Deployment", "*", "web2", List.of("/spec")))) {
      assertThat(Ignored.without(List.of(WEB), List.of(other), "default").getFirst()).isSameAs(WEB);
    }
  }

  @Test
  void anObjectWithoutANamespaceIsInTheDefaultOne() {
    Manifest map =
        ManifestReader.read(
                Map.of(
                    "a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: w}\ndata: {a: b}"))
            .manifests()
            .getFirst();
    IgnoreRule rule = new IgnoreRule("", "ConfigMap", "def*t", "w", List.of("/data/a"));
    assertThat(Ignored.without(List.of(map), List.of(rule), "default").getFirst().body())
        .asString(StandardCharsets.UTF_8)
        .doesNotContain("\"data\"");
  }

  @Test
  void whatAnObjectNeedsIsNotIgnored() {
    for (String pointer : List.of("", "/kind", "/metadata", "/metadata/name", "spec")) {
      assertThatThrownBy(() -> rule("*", "*", pointer))
          .hasMessageContaining("jsonPointers: '%s'".formatted(pointer))
          .hasMessageContaining("/spec/replicas");
    }
  }

  @Test
  void patternsTakeNoTimeToSpeakOf() {
    assertThat(IgnoreRule.fits("a*b*c", "a-b-b-c")).isTrue();
    assertThat(IgnoreRule.fits("a*b*c", "a-b-b-d")).isFalse();
    assertThat(IgnoreRule.fits("*".repeat(100) + "x", "y".repeat(250))).isFalse();
  }
}
