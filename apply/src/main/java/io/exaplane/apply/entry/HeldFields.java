// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.port.FieldManager;
import java.util.List;
import java.util.Optional;

/**
 * Fields that we own and are to leave to others from now on. Without a second owner, the server
 * would remove such a field with our next apply: {@code spec.replicas} would fall to its default.
 * So a second field manager applies the values as they are first. Pure.
 */
public final class HeldFields {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HeldFields() {}

  /**
   * The name of the manager that holds fields for another one.
   *
   * @param manager our name as a field manager
   * @return its name
   */
  public static String holder(String manager) {
    return manager + "-ignored";
  }

  /**
   * What the second manager is to apply before we apply.
   *
   * @param live the whole object
   * @param manager our name as a field manager
   * @param pointers JSON pointers of the fields; those that lead through lists are not held
   * @return the object with these fields alone, at the version that was read; empty if we own none
   */
  public static Optional<ObjectNode> of(ObjectNode live, String manager, List<String> pointers) {
    List<FieldManager> managers = Observe.managers(live.at("/metadata/managedFields"));
    ObjectNode part = JSON.createObjectNode();
    boolean isNeeded = false;
    for (String pointer : pointers) {
      boolean isOurs = owns(managers, manager, pointer);
      JsonNode value = live.at(pointer);
      if (value.isMissingNode() || !isOurs && !owns(managers, holder(manager), pointer)) {
        continue;
      }
      isNeeded |= isOurs;
      put(part, pointer, value);
    }
    if (!isNeeded) {
      return Optional.empty();
    }
    part.set("apiVersion", live.get("apiVersion"));
    part.set("kind", live.get("kind"));
    ObjectNode metadata = part.withObject("/metadata");
    for (String one : List.of("name", "namespace", "resourceVersion")) {
      if (live.path("metadata").has(one)) {
        metadata.set(one, live.path("metadata").get(one));
      }
    }
    return Optional.of(part);
  }

  /** Whether the path, through maps only, stands in the set of a manager. */
  private static boolean owns(List<FieldManager> managers, String name, String pointer) {
    for (FieldManager one : managers) {
      if (!one.isApplyOf(name)) {
        continue;
      }
      JsonNode set = OwnedHash.tree(one);
      for (String step : steps(pointer)) {
        set = set.path("f:" + step);
      }
      if (!set.isMissingNode()) {
        return true;
      }
    }
    return false;
  }

  private static void put(ObjectNode part, String pointer, JsonNode value) {
    String[] steps = steps(pointer);
    ObjectNode at = part;
    for (int i = 0; i + 1 < steps.length; i++) {
      JsonNode child = at.get(steps[i]);
      at = child instanceof ObjectNode map ? map : at.putObject(steps[i]);
    }
    at.set(steps[steps.length - 1], value);
  }

  private static String[] steps(String pointer) {
    String[] steps = pointer.substring(1).split("/", -1);
    for (int i = 0; i < steps.length; i++) {
      steps[i] = steps[i].replace("~1", "/").replace("~0", "~");
    }
    return steps;
  }
}
