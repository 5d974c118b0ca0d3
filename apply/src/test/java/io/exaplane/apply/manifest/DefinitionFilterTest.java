// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DefinitionFilterTest {
  private final List<Manifest> all =
      List.of(
          definition("Bucket", "s3.aws.e.org"),
          definition("BucketPolicy", "s3.aws.e.org"),
          definition("Instance", "ec2.aws.e.org"),
          object("s3.aws.e.org", "Bucket", "mine", "{}"),
          object("ec2.aws.e.org", "Instance", "mine", "{}"),
          object("", "ConfigMap", "settings", "{}"));

  private static Manifest definition(String kind, String group) {
    return object(
        "apiextensions.k8s.io",
        "CustomResourceDefinition",
        kind.toLowerCase(java.util.Locale.ROOT) + "s." + group,
        "{\"spec\":{\"group\":\"%s\",\"names\":{\"kind\":\"%s\"}}}".formatted(group, kind));
  }

  private static Manifest object(String group, String kind, String name, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Manifest(
        new Gvk(group, "v1", kind),
        new ObjectKey(group, kind, "", name),
        bytes,
        Hashes.of(bytes),
        Map.of(),
        new Manifest.Source(name + ".yaml", 1));
  }

  private List<String> chosen(List<String> include, List<String> exclude) {
    List<String> names = new ArrayList<>();
    for (Manifest one : DefinitionFilter.of(include, exclude).select(all).manifests()) {
      names.add(one.key().kind() + " " + one.key().name());
    }
    return names;
  }

  @Test
  void withoutPatternsAllStays() {
    DefinitionFilter.Selection selection = DefinitionFilter.of(List.of(), List.of()).select(all);
    assertThat(selection.manifests()).isEqualTo(all);
    assertThat(selection.leftOut()).isEmpty();
    assertThat(selection.unmatched()).isEmpty();
  }

  @Test
  void includedKindsStayWithTheirObjectsAndWithAllThatDefinesNothing() {
    assertThat(chosen(List.of("*.s3.aws.e.org"), List.of()))
        .containsExactly(
            "CustomResourceDefinition buckets.s3.aws.e.org",
            "CustomResourceDefinition bucketpolicys.s3.aws.e.org",
            "Bucket mine",
            "ConfigMap settings");
  }

  @Test
  void whatIsExcludedGoesEvenIfItIsIncluded() {
    assertThat(chosen(List.of("*.s3.aws.e.org"), List.of("BucketPolicy.*")))
        .containsExactly(
            "CustomResourceDefinition buckets.s3.aws.e.org", "Bucket mine", "ConfigMap settings");
  }

  @Test
  void aPatternIsNoPartOfAName() {
    assertThat(chosen(List.of("Bucket.s3.aws.e.org"), List.of())).hasSize(3);
    assertThat(chosen(List.of("Bucket.s3"), List.of())).containsExactly("ConfigMap settings");
  }

  @Test
  void tellsWhatIsLeftOutAndWhatMatchesNothing() {
    DefinitionFilter.Selection selection =
        DefinitionFilter.of(List.of("Bucket.*", "Buckt.*"), List.of("*.rds.*")).select(all);
    assertThat(selection.leftOut())
        .containsExactly("BucketPolicy.s3.aws.e.org", "Instance.ec2.aws.e.org");
    assertThat(selection.unmatched()).containsExactly("Buckt.*", "*.rds.*");
  }

  @Test
  void aPatternThatCanMatchNoKindIsRefused() {
    assertThatThrownBy(() -> DefinitionFilter.of(List.of("Bucket"), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'Bucket' must be KIND.GROUP")
        .hasMessageContaining("*.s3.aws.example.org");
    assertThatThrownBy(() -> DefinitionFilter.of(List.of(), List.of("a.b/c")))
        .hasMessageContaining("'a.b/c'");
  }
}
