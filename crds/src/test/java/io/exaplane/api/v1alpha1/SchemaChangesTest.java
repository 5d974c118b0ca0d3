// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.zafarkhaja.semver.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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
          subresources: {status: {}}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [mode]
                  x-kubernetes-validations: [{rule: self.size < 9}]
                  properties:
                    mode: {type: string, enum: [Fast, Safe]}
                    size: {type: integer, minimum: 1, maximum: 9}
                    name: {type: string, pattern: '^a$', maxLength: 5}
                    free: {type: string}
                    many: {type: integer, default: 2}
                    none: {type: string, nullable: true}
                    list: {type: array, maxItems: 4, x-kubernetes-list-type: set, items: {type: string, maxLength: 3}}
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
          self.size < 9     | self.size < 8           | v1.spec: has a rule that the release did not have: self.size < 8
          type: set         | type: atomic            | v1.spec.list (x-kubernetes-list-type): was "set"
          nullable: true    | nullable: false         | v1.spec.none: no longer takes null
          , default: 2}     | , default: 1}           | v1.spec.many (default): was 2 and is 1
          , default: 2}     | }                       | v1.spec.many (default): was 2
          {status: {}}      | {}                      | v1 (subresource status): was {}
          """)
  void whatIsTakenAwayIsFound(String from, String to, String finding) throws IOException {
    assertThat(CRD).contains(from);
    assertThat(changes(CRD.replace(from, to))).singleElement().asString().startsWith(finding);
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
          [{rule: self.size < 9}] | []
          """)
  void whatIsAddedIsNot(String from, String to) throws IOException {
    assertThat(CRD).contains(from);
    assertThat(changes(CRD.replace(from, to))).isEmpty();
  }

  @Test
  void aNewFieldAndOneWithADefaultTakeNothingAway() throws IOException {
    String now =
        CRD.replace("required: [mode]", "required: [mode, size]")
            .replace("maximum: 9", "maximum: 9, default: 3")
            .replace(
                "free: {type: string}", "free: {type: string}\n              more: {type: string}");
    assertThat(now).contains("more:");
    assertThat(changes(now)).isEmpty();
  }

  @Test
  void aNewRuleNeedsAReason() throws IOException {
    String now = CRD.replace("self.size < 9", "self.size < 8");
    String reason =
        "rules: [{kind: Thing, field: v1.spec, rule: self.size < 8, reason: no size was ever 8}]";
    RuleReasons given = RuleReasons.of(reason);
    assertThat(SchemaChanges.between(CRD, now, given)).isEmpty();
    assertThat(given.unused()).isEmpty();
    RuleReasons late = RuleReasons.of(reason);
    assertThat(SchemaChanges.between(CRD, CRD, late)).isEmpty();
    assertThat(late.unused()).singleElement().asString().contains("no new rule is this one");
    assertThatThrownBy(() -> RuleReasons.of(reason.replace("no size was ever 8", "because")))
        .hasMessageContaining("needs a reason of a sentence");
  }

  private static List<String> changes(String now) throws IOException {
    return SchemaChanges.between(CRD, now, RuleReasons.none());
  }

  @Test
  void theLastReleaseIsKept() throws IOException {
    Path last = newest(RELEASED);
    RuleReasons reasons = RuleReasons.read(RELEASED.resolve("rules.yaml"));
    List<String> changes = new ArrayList<>();
    try (Stream<Path> files = Files.list(last)) {
      for (Path file : files.sorted().toList()) {
        Path now = GENERATED.resolve(file.getFileName());
        assertThat(now).as("a released Kind").exists();
        changes.addAll(
            SchemaChanges.between(Files.readString(file), Files.readString(now), reasons));
      }
    }
    assertThat(changes).isEmpty();
    assertThat(reasons.unused()).isEmpty();
  }

  /** The folder of the newest release, named as its version. */
  private static Path newest(Path folder) throws IOException {
    try (Stream<Path> releases = Files.list(folder)) {
      return releases
          .filter(Files::isDirectory)
          .max(Comparator.comparing(each -> Version.parse(each.getFileName().toString())))
          .orElseThrow();
    }
  }
}
