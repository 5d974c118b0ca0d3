// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.manifest.Manifest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sources of which {@code include} and {@code exclude} take some kinds. */
class ChosenKindsTest extends AddonRoundsBed {
  private static final String DEFINITION =
      """
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: %3$s.%2$s}
      spec: {group: %2$s, names: {kind: %1$s}}
      """;

  private static final String OBJECT =
      """
      ---
      apiVersion: %2$s/v1
      kind: %1$s
      metadata: {name: mine, namespace: default}
      """;

  @BeforeEach
  void file() {
    files.put(
        "m",
        Map.of(
            "a.yaml",
            "---\n"
                + MAP.formatted("settings")
                + DEFINITION.formatted("Bucket", "s3.e.org", "buckets")
                + DEFINITION.formatted("Policy", "s3.e.org", "policies")
                + DEFINITION.formatted("Instance", "ec2.e.org", "instances")
                + OBJECT.formatted("Bucket", "s3.e.org")
                + OBJECT.formatted("Instance", "ec2.e.org")));
  }

  private static String source(String more) {
    return "{name: a, prune: Keep, configMap: {name: m}%s}".formatted(more);
  }

  private List<String> wanted() {
    return engines.getLast().wanted.get("exaplane-addon-a").stream()
        .map(Manifest::key)
        .map(key -> key.kind() + " " + key.name())
        .toList();
  }

  @Test
  void kindsThatAreLeftOutGoWithTheirObjects() throws Exception {
    addons(source(", include: ['*.s3.e.org'], exclude: [Policy.s3.e.org]"));
    AddonStatus status = go().get("a");
    assertThat(status.ready()).as("%s", status).isTrue();
    assertThat(status.objects()).isEqualTo(3);
    assertThat(wanted())
        .containsExactlyInAnyOrder(
            "ConfigMap settings", "CustomResourceDefinition buckets.s3.e.org", "Bucket mine");
  }

  @Test
  void aChangeOfThePatternsIsAppliedWithoutAnotherReading() throws Exception {
    addons(source(", include: ['*.s3.e.org']"));
    go();
    int read = reads;
    addons(source(""));
    AddonStatus status = go().get("a");
    assertThat(status.ready()).isTrue();
    assertThat(status.objects()).isEqualTo(6);
    assertThat(wanted()).hasSize(6);
    assertThat(reads).isEqualTo(read);
  }

  @Test
  void aPatternThatMatchesNothingIsNamedAndTheFormerObjectsStay() throws Exception {
    addons(source(""));
    go();
    addons(source(", exclude: [Typo.s3.e.org]"));
    AddonStatus status = go().get("a");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.message())
        .contains("exclude: 'Typo.s3.e.org' must match a CustomResourceDefinition", "Correct or");
    assertThat(wanted()).hasSize(6);
    addons(source(", exclude: [Policy.s3.e.org]"));
    assertThat(go().get("a").ready()).isTrue();
    assertThat(wanted()).hasSize(5);
  }

  @Test
  void aPatternThatIsNoneAndNoObjectAtAllAreNamed() throws Exception {
    addons(source(", include: [Bucket]"));
    assertThat(go().get("a").message()).contains("'Bucket' must be KIND.GROUP");
    files.put("m", Map.of("a.yaml", DEFINITION.formatted("Bucket", "s3.e.org", "buckets")));
    rounds = rounds();
    addons(source(", exclude: ['*']"));
    assertThat(go().get("a").message()).contains("must leave an object", "Correct the patterns");
  }
}
