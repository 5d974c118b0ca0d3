// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.zafarkhaja.semver.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An upgrade takes nothing away from users of the last release. */
class SchemaChangesTest {
  private static final Path RELEASED = Path.of("released");
  private static final Path GENERATED = Path.of("generated");

  private static final String CRD =
      """
      spec:
        group: example.com
        scope: Namespaced
        names: {kind: Thing}
        versions:
        - name: v1
          served: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [mode]
                  properties:
                    mode: {type: string, enum: [Fast, Safe]}
                    size: {type: integer, minimum: 1, maximum: 9}
                    name: {type: string, pattern: '^a$', maxLength: 5}
                    free: {type: string}
                    list: {type: array, maxItems: 4, items: {type: string, maxLength: 3}}
      """;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Fast, Safe]       | Fast]                   | v1.spec.mode: no longer takes [Safe]
          minimum: 1        | minimum: 2              | v1.spec.size: minimum was 1.0 and is 2.0
          maximum: 9        | maximum: 8              | v1.spec.size: maximum was 9.0 and is 8.0
          free: {type: string}| free: {type: integer} | v1.spec.free (type): was "string" and is "integer"
          free: {type: string}| other: {type: string} | v1.spec.free: is removed
          free: {type: string}| free: {type: string, enum: [A]} | v1.spec.free: took any value
          free: {type: string}| free: {type: string, maxLength: 9} | v1.spec.free: maxLength was Infinity
          '^a$'             | '^b$'                   | v1.spec.name: has another pattern
          required: [mode]  | required: [mode, size]  | v1.spec: requires [size]
          maxLength: 3      | maxLength: 2            | v1.spec.list[]: maxLength was 3.0
          served: true      | served: false           | v1: is no longer served
          Namespaced        | Cluster                 | /spec/scope: was "Namespaced"
          """)
  void whatIsTakenAwayIsFound(String from, String to, String finding) throws IOException {
    assertThat(CRD).contains(from);
    assertThat(SchemaChanges.between(CRD, CRD.replace(from, to)))
        .singleElement()
        .asString()
        .startsWith(finding);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Fast, Safe]       | Fast, Safe, Slow]
          minimum: 1        | minimum: 0
          maximum: 9        | maximum: 10
          required: [mode]  | required: []
          pattern: '^a$',   | nullable: true,
          """)
  void whatIsAddedIsNot(String from, String to) throws IOException {
    assertThat(CRD).contains(from);
    assertThat(SchemaChanges.between(CRD, CRD.replace(from, to))).isEmpty();
  }

  @Test
  void aNewFieldAndOneWithADefaultTakeNothingAway() throws IOException {
    String now =
        CRD.replace("required: [mode]", "required: [mode, size]")
            .replace("maximum: 9", "maximum: 9, default: 3")
            .replace(
                "free: {type: string}", "free: {type: string}\n              more: {type: string}");
    assertThat(now).contains("more:");
    assertThat(SchemaChanges.between(CRD, now)).isEmpty();
  }

  @Test
  void theLastReleaseIsKept() throws IOException {
    Optional<Path> last = newest(RELEASED);
    List<String> changes = new ArrayList<>();
    if (last.isPresent()) {
      try (Stream<Path> files = Files.list(last.get())) {
        for (Path file : files.sorted().toList()) {
          Path now = GENERATED.resolve(file.getFileName());
          assertThat(now).as("a released Kind").exists();
          changes.addAll(SchemaChanges.between(Files.readString(file), Files.readString(now)));
        }
      }
    }
    assertThat(changes).isEmpty();
  }

  /** The folder of the newest release, named as its version; none before the first release. */
  private static Optional<Path> newest(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return Optional.empty();
    }
    try (Stream<Path> releases = Files.list(folder)) {
      return releases.max(
          Comparator.comparing(each -> Version.parse(each.getFileName().toString())));
    }
  }
}
