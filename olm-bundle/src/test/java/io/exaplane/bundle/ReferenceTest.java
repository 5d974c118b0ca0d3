// SPDX-License-Identifier: Apache-2.0
package io.exaplane.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages of the API show every field with its type, bounds, default and meaning. */
class ReferenceTest {
  private static final String CRD =
      """
      spec:
        group: example.com
        names: {kind: Thing, singular: thing, shortNames: [th]}
        versions:
        - name: v1
          schema:
            openAPIV3Schema:
              description: A thing.
              properties:
                spec:
                  required: [mode]
                  x-kubernetes-validations: [{rule: x, message: 'mode: keep it.'}]
                  properties:
                    mode: {type: string, enum: [Fast, Safe], default: Safe, description: How.}
                    size: {x-kubernetes-int-or-string: true, maximum: 9, description: 'Big | small.'}
                    parts:
                      type: array
                      minItems: 1
                      maxItems: 4
                      description: All.
                      items: {type: object, properties: {name: {type: string, pattern: 'a|b'}}}
                    resources: {type: object, properties: {limits: {type: object}}, description: Of Kubernetes.}
                status:
                  properties:
                    labels: {type: object, additionalProperties: {type: string}, description: Seen.}
      """;

  @Test
  void everyFieldIsARow() throws IOException {
    Crd crd = new Crd("things.yaml", CRD, Deliverables.YAML.readTree(CRD));
    assertThat(Reference.files(List.of(crd))).containsOnlyKeys("docs/reference/api/thing.md");
    assertThat(Reference.files(List.of(crd)).get("docs/reference/api/thing.md"))
        .startsWith("# Thing\n")
        .contains(
            "A thing.\n",
            "`kubectl explain th.spec`",
            "apiVersion: example.com/v1\nkind: Thing\n",
            "## spec\n\n| rules |\n|---|\n| mode: keep it. |\n\n",
            "| `mode` | string, required, `Fast` `Safe` | `Safe` | How. |\n",
            "| `size` | number or string, at most 9 |  | Big \\| small. |\n",
            "| `parts` | list of objects, 1 to 4 items |  | All. |\n",
            "| `parts[].name` | string, matches `a\\|b` |  |  |\n",
            "| `resources` | object |  | Of Kubernetes. |\n",
            "## status\n",
            "| `labels` | map of strings |  | Seen. |\n")
        .doesNotContain("limits");
  }
}
