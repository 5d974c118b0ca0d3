// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.api.v1alpha1.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Objects of one Kind in each phase, in a file that {@code testbed/kstatus} gives to the real
 * library: so {@link Kstatus} and the library see the same. One thread.
 */
public final class KstatusSamples {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String kind;
  private final StringBuilder lines = new StringBuilder();

  /** Of a Kind of exaplane.io/v1alpha1. */
  public KstatusSamples(String kind) {
    this.kind = kind;
  }

  /** Adds the object of a phase. */
  public void add(String phase, long generation, List<Condition> conditions, Kstatus verdict) {
    ObjectNode sample = JSON.createObjectNode();
    sample.put("phase", phase.isEmpty() ? "well" : phase).put("verdict", verdict.name());
    ObjectNode object = sample.putObject("object");
    object.put("apiVersion", "exaplane.io/v1alpha1").put("kind", kind);
    object
        .putObject("metadata")
        .put("name", "demo")
        .put("namespace", "default")
        .put("generation", generation);
    object
        .putObject("status")
        .put("observedGeneration", generation)
        .set("conditions", JSON.valueToTree(conditions));
    lines.append(sample).append('\n');
  }

  /** Compares the file with all that were added, or writes the file with {@code exa.generate}. */
  public void check() throws IOException {
    String text = lines.toString();
    Path file =
        Path.of("..", "testbed", "kstatus", "testdata", kind.toLowerCase(Locale.ROOT) + ".jsonl");
    if (Boolean.getBoolean("exa.generate")) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, text);
    }
    assertThat(Files.readString(file))
        .as("run './exa generate', and commit %s", file)
        .isEqualTo(text);
  }
}
