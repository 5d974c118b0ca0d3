// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The checks of openshift-preflight for a bundle that need no account and no cluster. Those of
 * images are a test of the program that makes the images; docs/install.md lists all of them.
 */
class PreflightTest {
  private static final String FEATURES = "features.operators.openshift.io/";
  private static final List<String> REQUIRED =
      List.of(
          "disconnected",
          "fips-compliant",
          "proxy-aware",
          "tls-profiles",
          "token-auth-aws",
          "token-auth-azure",
          "token-auth-gcp");
  private static final List<String> OPTIONAL = List.of("cnf", "cni", "csi");

  private static JsonNode csv;

  @BeforeAll
  static void read() throws IOException {
    csv =
        Deliverables.documents(
                Files.readString(
                    Deliverables.ROOT.resolve(
                        Bundle.FOLDER + "/manifests/exaplane.clusterserviceversion.yaml")))
            .getFirst();
  }

  /** RequiredAnnotations. */
  @Test
  void everyFeatureIsNamedAsTrueOrFalse() {
    JsonNode annotations = csv.at("/metadata/annotations");
    for (String feature : REQUIRED) {
      assertThat(annotations.path(FEATURES + feature).asText()).as(feature).isIn("true", "false");
    }
    for (String feature : OPTIONAL) {
      assertThat(annotations.path(FEATURES + feature).asText("false"))
          .as(feature)
          .isIn("true", "false");
    }
  }

  /** AllImageRefsInRelatedImages: of containers, of their environment, and of the annotation. */
  @Test
  void everyImageIsARelatedImage() {
    Set<String> related = new TreeSet<>();
    csv.at("/spec/relatedImages").forEach(each -> related.add(each.path("image").asText()));
    Set<String> named = new TreeSet<>();
    named.add(csv.at("/metadata/annotations/containerImage").asText());
    for (JsonNode deployment : csv.at("/spec/install/spec/deployments")) {
      for (JsonNode container : deployment.at("/spec/template/spec/containers")) {
        named.add(container.path("image").asText());
        for (JsonNode variable : container.path("env")) {
          if (variable.path("name").asText().endsWith("_IMAGE")) {
            named.add(variable.path("value").asText());
          }
        }
      }
    }
    assertThat(named).hasSizeGreaterThanOrEqualTo(3);
    assertThat(related).containsAll(named);
  }

  /** SecurityContextConstraintsInCSV: the operator asks for none beside the restricted one. */
  @Test
  void noConstraintOfOpenShiftIsAskedFor() {
    for (String rules : List.of("permissions", "clusterPermissions")) {
      for (JsonNode account : csv.at("/spec/install/spec/" + rules)) {
        assertThat(account.path("rules").toString()).doesNotContain("securitycontextconstraints");
      }
    }
  }

  /**
   * FollowsRestrictedNetworkEnablementGuidelines does not apply: it asks for images by digests, and
   * these exist from the first release on. Until then, the bundle must not claim it.
   */
  @Test
  void theBundleClaimsADisconnectedNetworkOnlyWithDigests() {
    boolean isClaimed =
        csv.at("/metadata/annotations").path(FEATURES + "disconnected").asText().equals("true");
    for (JsonNode image : csv.at("/spec/relatedImages")) {
      assertThat(image.path("image").asText().contains("@sha256:") || !isClaimed)
          .as(image.toString())
          .isTrue();
    }
  }
}
