// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.overlay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/** An object on its way through overlays, with the names that it had. One thread. */
final class Item {
  private static final String LOCAL = "config.kubernetes.io/local-config";

  final ObjectNode object;
  final Gvk gvk;
  final String file;
  final int line;
  private final Set<Id> earlier = new LinkedHashSet<>();
  private Id before;

  /** Name and namespace; {@code default} for an object that names no namespace. */
  record Id(String namespace, String name) {}

  Item(ObjectNode object, String file, int line) {
    this.object = object;
    this.gvk = Gvk.of(object.path("apiVersion").asText(""), object.path("kind").asText(""));
    this.file = file;
    this.line = line;
    before = id();
  }

  Id id() {
    String namespace = metadata().path("namespace").asText("");
    return new Id(
        Scopes.isClusterScoped(gvk) ? "" : namespace.isEmpty() ? "default" : namespace, name());
  }

  String name() {
    return metadata().path("name").asText("");
  }

  JsonNode metadata() {
    return object.path("metadata");
  }

  /** Begins a level: what the object is called now is what others of the level call it. */
  void begin() {
    before = id();
    earlier.add(before);
  }

  Id before() {
    return before;
  }

  /** Whether a name from any level is meant. */
  boolean wasCalled(Id other) {
    return before.equals(other) || earlier.contains(other);
  }

  /** The names at the beginnings of all levels until now. */
  Set<String> earlierNames() {
    Set<String> names = new LinkedHashSet<>();
    earlier.forEach(id -> names.add(id.name()));
    return names;
  }

  /** Whether any of the ids that the object has or had is meant. */
  boolean hasId(Predicate<Id> meant) {
    return meant.test(id()) || meant.test(before) || earlier.stream().anyMatch(meant);
  }

  boolean isIn(String namespace) {
    return before.namespace().equals(namespace)
        || id().namespace().equals(namespace)
        || earlier.stream().anyMatch(id -> id.namespace().equals(namespace));
  }

  /** Whether the object is for tools only. */
  boolean isLocal() {
    return metadata().path("annotations").path(LOCAL).asText("").equals("true");
  }

  /** What must be unique. */
  String key() {
    Id id = id();
    return gvk.groupKind() + " " + id.namespace() + "/" + id.name();
  }

  String place() {
    return file + ":" + line;
  }
}
