// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The committed CustomResourceDefinitions are those that the types give. */
class CrdGeneratorTest {
  private static final Path COMMITTED = Path.of("generated");

  @Test
  void committedFilesAreUpToDate(@TempDir Path scratch) throws IOException {
    Map<String, String> files = CrdGenerator.generate(scratch);
    if (Boolean.getBoolean("exa.generate")) {
      CrdGenerator.write(files, COMMITTED);
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      assertThat(Files.readString(COMMITTED.resolve(file.getKey())))
          .as(
              "%s differs from the types: run './exa generate' and commit the result",
              file.getKey())
          .isEqualTo(file.getValue());
    }
  }

  @Test
  void everyFieldHasADescription(@TempDir Path scratch) throws IOException {
    for (Map.Entry<String, String> file : CrdGenerator.generate(scratch).entrySet()) {
      assertThat(SchemaFields.withoutDescription(file.getValue()))
          .as("fields of %s that need a @JsonPropertyDescription", file.getKey())
          .isEmpty();
    }
  }

  /** The generator writes a rule of a record's component for its field and for its accessor. */
  @Test
  void noRuleStandsTwiceAtOnePlace(@TempDir Path scratch) throws IOException {
    for (Map.Entry<String, String> file : CrdGenerator.generate(scratch).entrySet()) {
      assertThat(SchemaFields.rulesThatStandTwice(file.getValue()))
          .as("rules of %s: put them at the record, not at its component", file.getKey())
          .isEmpty();
    }
  }
}
