// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.order;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Manifest;
import java.io.IOException;
import java.util.Optional;

/**
 * What a CustomResourceDefinition defines. Immutable.
 *
 * @param groupKind as in {@code Gvk.groupKind}
 * @param namespaced whether objects of the kind live in namespaces
 */
public record Definition(String groupKind, boolean namespaced) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Reads a manifest.
   *
   * @param manifest any manifest
   * @return empty unless it is a definition that names group and kind
   */
  public static Optional<Definition> of(Manifest manifest) {
    if (!manifest.gvk().kind().equals("CustomResourceDefinition")
        || !manifest.gvk().group().equals("apiextensions.k8s.io")) {
      return Optional.empty();
    }
    try {
      JsonNode spec = JSON.readTree(manifest.body()).path("spec");
      String group = spec.path("group").asText("");
      String kind = spec.path("names").path("kind").asText("");
      return group.isEmpty() || kind.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Definition(
                  kind + "." + group, spec.path("scope").asText("").equals("Namespaced")));
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }
}
