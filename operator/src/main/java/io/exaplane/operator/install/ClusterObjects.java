// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.install;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** The objects as they should be, and whether they are. Pure. */
final class ClusterObjects {
  private static final List<String> FILES =
      List.of("/deletion-protection.yaml", "/store-priority.yaml");

  private ClusterObjects() {}

  /** All of them, in the order in which they are to be made. */
  static List<HasMetadata> wanted(KubernetesSerialization serialization) {
    return FILES.stream().flatMap(file -> read(file, serialization).stream()).toList();
  }

  private static List<HasMetadata> read(String file, KubernetesSerialization serialization) {
    try (InputStream yaml = ClusterObjects.class.getResourceAsStream(file)) {
      Object objects = serialization.unmarshal(yaml);
      return objects instanceof Collection<?> all
          ? all.stream().map(HasMetadata.class::cast).toList()
          : List.of((HasMetadata) objects);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Whether an object says all that is wanted. What an API server adds is no difference, and
   * neither is a zero value that it leaves out.
   */
  static boolean says(JsonNode there, JsonNode wanted) {
    if (wanted.isObject()) {
      return wanted.properties().stream()
          .allMatch(
              (Map.Entry<String, JsonNode> field) ->
                  says(there.path(field.getKey()), field.getValue()));
    }
    if (wanted.isArray()) {
      boolean same = there.isArray() && there.size() == wanted.size();
      for (int i = 0; same && i < wanted.size(); i++) {
        same = says(there.get(i), wanted.get(i));
      }
      return same;
    }
    return there.equals(wanted) || there.isMissingNode() && isZero(wanted);
  }

  private static boolean isZero(JsonNode value) {
    return value.isBoolean() && !value.booleanValue()
        || value.isNumber() && value.doubleValue() == 0
        || value.isTextual() && value.textValue().isEmpty();
  }
}
