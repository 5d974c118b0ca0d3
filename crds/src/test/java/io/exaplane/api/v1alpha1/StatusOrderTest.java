// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Certificate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Line 39: {@code kubectl describe} prints the fields of a status by name, so what is named before
 * the conditions stands before them. Lists that grow belong behind.
 */
class StatusOrderTest {
  private static final String CONDITIONS = "conditions";

  /** Fields that come first, each for a reason: a line or a few, or what only few objects have. */
  private static final Map<String, Set<String>> FIRST =
      Map.of(
          // Add-ons are the user's own words. Certificates are those of an earlier operator.
          "controlplanes", Set.of("addons", "apiServer", "bundle", "certificates"),
          "controlplanetasks", Set.of("adminKubeconfigRevision"),
          "nodepools", Set.of("agents", "authorities"),
          "schedulerpools", Set.of("bundle"),
          "storeshards", Set.of("bundle", "bytes", "compactedRevision"));

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  @Test
  void conditionsComeBeforeWhatIsLong(@TempDir Path scratch) throws Exception {
    Map<String, String> files = CrdGenerator.generate(scratch);
    assertThat(files).hasSameSizeAs(FIRST);
    for (String file : files.values()) {
      JsonNode definition = YAML.readTree(file);
      String kind = definition.at("/spec/names/plural").asText();
      JsonNode status =
          definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties");
      assertThat(status.has(CONDITIONS)).as(kind).isTrue();
      assertThat(before(status))
          .as(
              "fields of status of %s that 'kubectl describe' prints before the conditions; name a"
                  + " field that can be long so that it comes behind",
              kind)
          .isEqualTo(FIRST.get(kind));
    }
  }

  /** What an operator writes: certificates are one level deeper, under a name behind conditions. */
  @Test
  void certificatesComeBehindConditions() throws Exception {
    JsonNode written =
        JSON.readTree(
            JSON.writeValueAsString(
                new ControlPlaneStatus(
                    1L,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    List.of(new Certificate("ca", "demo-ca", "2030-01-01T00:00:00Z", null, "00")),
                    null,
                    "b",
                    List.of(
                        new Condition(
                            "Available",
                            "True",
                            "AsExpected",
                            "Serves.",
                            "2026-01-01T00:00:00Z",
                            1L)))));
    assertThat(written.at("/pki/certificates/0/name").asText()).isEqualTo("ca");
    assertThat(before(written)).containsExactly("bundle");
  }

  /** As kubectl sorts: byte by byte. */
  private static Set<String> before(JsonNode fields) {
    TreeSet<String> all = new TreeSet<>();
    fields.fieldNames().forEachRemaining(all::add);
    return all.headSet(CONDITIONS);
  }
}
