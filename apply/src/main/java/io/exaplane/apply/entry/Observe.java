// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;
import java.util.ArrayList;
import java.util.List;

/** From an object's JSON to what the engine decides by. Pure; any thread. */
public final class Observe {
  /** The label that says to which set an object belongs (KEP-3659). */
  public static final String PART_OF = "applyset.kubernetes.io/part-of";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Observe() {}

  /**
   * Reads an object.
   *
   * @param gvk its kind: objects in lists name none
   * @param object the whole object, or its metadata
   * @param content which of the two it is
   * @param manager our name as a field manager
   * @return what the engine decides by
   * @throws IllegalArgumentException when the metadata lacks name, uid or a numeric resourceVersion
   */
  public static Observed of(Gvk gvk, JsonNode object, Content content, String manager) {
    JsonNode metadata = object.path("metadata");
    String name = metadata.path("name").asText("");
    String uid = metadata.path("uid").asText("");
    String version = metadata.path("resourceVersion").asText("");
    if (name.isEmpty() || uid.isEmpty()) {
      throw new IllegalArgumentException(
          "metadata of an object of " + gvk + " has no name or no uid; ask the server's owner");
    }
    List<FieldManager> managers = managers(metadata.path("managedFields"));
    boolean full = content == Content.FULL;
    return new Observed(
        new ObjectKey(gvk.group(), gvk.kind(), metadata.path("namespace").asText(""), name),
        uid,
        number(gvk, version),
        metadata.path("generation").asLong(0),
        metadata.hasNonNull("deletionTimestamp"),
        metadata.path("labels").path(PART_OF).asText(""),
        full ? OwnedHash.values(object, managers, manager) : 0,
        full ? HealthRules.of(gvk, object) : Health.UNKNOWN,
        managers);
  }

  private static long number(Gvk gvk, String version) {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "metadata.resourceVersion: '"
              + version
              + "' of an object of "
              + gvk
              + " must be a number; use a server that keeps its objects in etcd's API",
          e);
    }
  }

  static List<FieldManager> managers(JsonNode array) {
    List<FieldManager> managers = new ArrayList<>(array.size());
    for (JsonNode one : array) {
      managers.add(
          new FieldManager(
              one.path("manager").asText(""),
              one.path("operation").asText(""),
              one.path("subresource").asText(""),
              one.path("apiVersion").asText(""),
              one.path("time").asText(""),
              bytes(one.path("fieldsV1"))));
    }
    return managers;
  }

  private static byte[] bytes(JsonNode fields) {
    try {
      return fields.isMissingNode() ? new byte[] {'{', '}'} : JSON.writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("metadata.managedFields can't be written again", e);
    }
  }
}
