// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.apply.manifest.DefinitionFilter;
import io.exaplane.apply.manifest.Manifest;
import java.util.List;

/**
 * The objects of a source's files that {@code include} and {@code exclude} leave. Remembers the
 * last answer, since rounds ask often. Used by one thread.
 */
final class ChosenKinds {
  private String revision = "";
  private List<String> include = List.of();
  private List<String> exclude = List.of();
  private List<Manifest> manifests = List.of();
  private String words = "";

  /** Whether two specs choose the same kinds. */
  static boolean isSame(AddonSpec one, AddonSpec other) {
    return one.included().equals(other.included()) && one.excluded().equals(other.excluded());
  }

  /** Chooses among the objects of files. */
  void look(AddonContents contents, AddonSpec spec) {
    if (contents.revision().equals(revision)
        && spec.included().equals(include)
        && spec.excluded().equals(exclude)) {
      return;
    }
    revision = contents.revision();
    include = spec.included();
    exclude = spec.excluded();
    manifests = contents.reading().manifests();
    words = "";
    if (!include.isEmpty() || !exclude.isEmpty()) {
      choose();
    }
  }

  private void choose() {
    try {
      DefinitionFilter.Selection selection =
          DefinitionFilter.of(include, exclude).select(manifests);
      manifests = selection.manifests();
      if (!selection.unmatched().isEmpty()) {
        String pattern = selection.unmatched().getFirst();
        words =
            "%s: '%s' must match a CustomResourceDefinition of the files, so nothing new of the source is applied. Correct or delete the pattern; 'exactl crds cost -f FILE' lists the kinds."
                .formatted(include.contains(pattern) ? "include" : "exclude", pattern);
      } else if (manifests.isEmpty()) {
        words =
            "include and exclude must leave an object of the files at least, so nothing new of the source is applied. Correct the patterns.";
      }
    } catch (IllegalArgumentException e) {
      words =
          "include and exclude: %s. Nothing new of the source is applied."
              .formatted(e.getMessage());
    }
  }

  /** What is to be applied; only to be asked for while {@link #words} is empty. */
  List<Manifest> manifests() {
    return manifests;
  }

  /** Why nothing can be chosen, for people; empty if something was. */
  String words() {
    return words;
  }
}
