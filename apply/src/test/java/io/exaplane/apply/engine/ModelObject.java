// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** An object of the model server: leaves by path, and who owns them. */
final class ModelObject {
  /** Between the elements of a path: names of labels have dots and slashes. */
  static final String STEP = "\n";

  static final String LABEL = "metadata" + STEP + "labels" + STEP + Observe.PART_OF;
  private static final ObjectMapper JSON = new ObjectMapper();

  final ObjectKey key;
  final String uid;
  long version;
  long generation;
  boolean deleting;
  boolean finalizer;
  Health health = Health.UNKNOWN;
  final Map<String, String> leaves = new TreeMap<>();
  final Map<String, Owned> owners = new TreeMap<>();

  /** A manager with its operation, its fields, and the second in which they last changed. */
  record Owned(String manager, String operation, long second, Set<String> paths) {}

  ModelObject(ObjectKey key, String uid) {
    this.key = key;
    this.uid = uid;
  }

  ModelObject copy() {
    ModelObject copy = new ModelObject(key, uid);
    copy.version = version;
    copy.generation = generation;
    copy.deleting = deleting;
    copy.finalizer = finalizer;
    copy.health = health;
    copy.leaves.putAll(leaves);
    owners.forEach(
        (name, one) ->
            copy.owners.put(
                name, new Owned(one.manager, one.operation, one.second, new TreeSet<>(one.paths))));
    return copy;
  }

  String partOf() {
    return leaves.getOrDefault(LABEL, "");
  }

  Set<String> paths(String owner) {
    Owned owned = owners.get(owner);
    return owned == null ? Set.of() : owned.paths;
  }

  boolean sameAs(ModelObject other) {
    return leaves.equals(other.leaves)
        && owners.keySet().equals(other.owners.keySet())
        && owners.entrySet().stream()
            .allMatch(one -> one.getValue().paths.equals(other.owners.get(one.getKey()).paths));
  }

  Observed observed(String manager, boolean full) {
    List<FieldManager> managers = new ArrayList<>();
    for (Owned one : owners.values()) {
      managers.add(
          new FieldManager(
              one.manager, one.operation, "", "v1", Long.toString(one.second), json(one.paths)));
    }
    StringBuilder values = new StringBuilder();
    for (String path : paths(manager + "/Apply")) {
      values.append(path).append('=').append(leaves.get(path)).append(';');
    }
    return new Observed(
        key,
        uid,
        version,
        generation,
        deleting,
        partOf(),
        full ? Hashes.of(values.toString().getBytes(StandardCharsets.UTF_8)) : 0,
        full ? health : Health.UNKNOWN,
        managers);
  }

  private static byte[] json(Set<String> paths) {
    ObjectNode root = JSON.createObjectNode();
    for (String path : paths) {
      ObjectNode at = root;
      for (String step : path.split(STEP)) {
        ObjectNode next = (ObjectNode) at.get("f:" + step);
        at = next == null ? at.putObject("f:" + step) : next;
      }
    }
    return root.toString().getBytes(StandardCharsets.UTF_8);
  }
}
