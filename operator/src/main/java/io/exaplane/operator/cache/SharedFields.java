// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapperCustomizer;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Who manages which fields, read so that objects of one shape share it: server-side apply compares
 * by the managed fields of every dependent, which would otherwise be the most that a control plane
 * takes of the heap. What is shared can't be changed. Thread-safe.
 */
@Singleton
public class SharedFields implements KubernetesClientObjectMapperCustomizer {
  private static final TypeReference<Map<String, Object>> TREE = new TypeReference<>() {};

  private final Canonical<Map<String, Object>> trees = new Canonical<>();

  @Override
  public void customize(ObjectMapper mapper) {
    mapper.registerModule(
        new SimpleModule("shared-fields").addDeserializer(FieldsV1.class, new Reader(trees)));
  }

  /** The same tree as one that is there already, from its leaves on. */
  private static Map<String, Object> shared(
      Map<String, Object> tree, Canonical<Map<String, Object>> trees) {
    if (tree.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> compact = HashMap.newHashMap(tree.size());
    tree.forEach(
        (field, below) -> {
          if (below != null) {
            compact.put(field, sharedValue(below, trees));
          }
        });
    return trees.of(Map.copyOf(compact));
  }

  @SuppressWarnings("unchecked")
  private static Object sharedValue(Object value, Canonical<Map<String, Object>> trees) {
    return value instanceof Map<?, ?> map ? shared((Map<String, Object>) map, trees) : value;
  }

  private static final class Reader extends StdDeserializer<FieldsV1> {
    private static final long serialVersionUID = 1L;

    private final transient Canonical<Map<String, Object>> trees;

    Reader(Canonical<Map<String, Object>> trees) {
      super(FieldsV1.class);
      this.trees = trees;
    }

    @Override
    public FieldsV1 deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      Map<String, Object> tree = parser.readValueAs(TREE);
      FieldsV1 fields = new FieldsV1();
      fields.setAdditionalProperties(shared(tree, trees));
      return fields;
    }
  }
}
