// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.ResourceType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the engine relies on of an API server, in few words: server-side apply with ownership and
 * conflicts, versions, deletion with finalizers, namespaces, definitions, webhooks. It also judges:
 * an apply that changes nothing, and a deletion of what we did not apply, are mistakes of the
 * engine.
 */
final class ModelServer {
  static final String US = "exaplane";
  static final Gvk WIDGET = new Gvk("example.com", "v1", "Widget");
  static final ObjectKey WIDGETS =
      new ObjectKey("apiextensions.k8s.io", "CustomResourceDefinition", "", "widgets.example.com");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, ResourceType> BUILT_IN = new TreeMap<>();

  static {
    type("", "v1", "Namespace", "namespaces", false);
    type("", "v1", "ConfigMap", "configmaps", true);
    type("apps", "v1", "Deployment", "deployments", true);
    type(
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        "customresourcedefinitions",
        false);
    type(
        "admissionregistration.k8s.io",
        "v1",
        "ValidatingWebhookConfiguration",
        "validatingwebhookconfigurations",
        false);
  }

  /** A change, for watches. */
  record Change(long version, String groupKind, ModelObject before, ModelObject after) {}

  /** Refusals of requests. */
  static final class Refused extends Exception {
    private static final long serialVersionUID = 1;
    final transient Failure failure;

    Refused(int code, String reason, String message, List<Failure.Cause> causes) {
      super(reason);
      failure = new Failure(code, reason, message, 0, false, causes);
    }
  }

  final Map<ObjectKey, ModelObject> objects = new TreeMap<>(ModelServer::compare);
  final List<Change> history = new ArrayList<>();
  final List<String> mistakes = new ArrayList<>();

  /**
   * Of these, nobody but the server knows whether an apply was done: one more may change nothing.
   */
  final Set<ObjectKey> uncertain = new HashSet<>();

  /** Objects that a webhook refuses. */
  final Set<ObjectKey> refusing = new HashSet<>();

  final Map<ObjectKey, Long> appliedManifest = new HashMap<>();
  final Map<ObjectKey, Long> appliedVersion = new HashMap<>();
  boolean mutating;
  long version = 10;
  long compacted;
  long nowMs;
  long applies;
  long needless;
  private long uids;

  private static void type(String group, String version, String kind, String plural, boolean in) {
    Gvk gvk = new Gvk(group, version, kind);
    BUILT_IN.put(
        gvk.groupKind(), new ResourceType(gvk, plural, in, Set.of("list", "watch", "patch")));
  }

  private static int compare(ObjectKey one, ObjectKey other) {
    return one.toString().compareTo(other.toString());
  }

  Discovery discovery() {
    Map<Gvk, ResourceType> types = new HashMap<>();
    BUILT_IN.values().forEach(one -> types.put(one.gvk(), one));
    if (served(WIDGET.groupKind())) {
      types.put(WIDGET, new ResourceType(WIDGET, "widgets", true, Set.of("list", "watch")));
    }
    return new Discovery(types, Set.of());
  }

  boolean served(String groupKind) {
    if (BUILT_IN.containsKey(groupKind)) {
      return true;
    }
    ModelObject definition = objects.get(WIDGETS);
    return definition != null && definition.health == Health.CURRENT && !definition.deleting;
  }

  /** Leaves of a body: everything but type, name and namespace. */
  static Map<String, String> leaves(byte[] body) {
    Map<String, String> leaves = new TreeMap<>();
    try {
      flatten(JSON.readTree(body), "", leaves);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    leaves.remove("apiVersion");
    leaves.remove("kind");
    leaves.remove("metadata" + ModelObject.STEP + "name");
    leaves.remove("metadata" + ModelObject.STEP + "namespace");
    return leaves;
  }

  private static void flatten(JsonNode node, String path, Map<String, String> leaves) {
    for (Map.Entry<String, JsonNode> one : node.properties()) {
      String at = path.isEmpty() ? one.getKey() : path + ModelObject.STEP + one.getKey();
      if (one.getValue().isObject()) {
        flatten(one.getValue(), at, leaves);
      } else {
        leaves.put(at, one.getValue().asText());
      }
    }
  }

  /** Server-side apply; the judge looks on when it is ours. */
  ModelObject apply(
      ObjectKey key, Map<String, String> wanted, String manager, boolean force, long manifest)
      throws Refused {
    admit(key);
    ModelObject before = objects.get(key);
    ModelObject after = before == null ? new ModelObject(key, "uid-" + ++uids) : before.copy();
    String owner = manager + "/Apply";
    conflicts(after, owner, wanted, force);
    for (String old : after.paths(owner)) {
      if (!wanted.containsKey(old) && !owned(after, old, owner)) {
        after.leaves.remove(old);
      }
    }
    after.leaves.putAll(wanted);
    if (mutating && manager.equals(US)) {
      after.leaves.put("data" + ModelObject.STEP + "added", "by webhook");
      after.leaves.computeIfPresent(
          "data" + ModelObject.STEP + "mutated", (path, any) -> "by webhook");
    }
    long second = nowMs / 1000;
    Set<String> paths = new TreeSet<>(wanted.keySet());
    ModelObject.Owned old = after.owners.get(owner);
    after.owners.put(
        owner, new ModelObject.Owned(manager, "Apply", old == null ? second : old.second(), paths));
    boolean same = before != null && before.sameAs(after);
    if (!same) {
      after.owners.put(owner, new ModelObject.Owned(manager, "Apply", second, paths));
    }
    if (manager.equals(US)) {
      judge(key, same, manifest);
    }
    ModelObject result = same ? before : store(before, after);
    if (manager.equals(US)) {
      appliedVersion.put(key, result.version);
    }
    return result;
  }

  private void judge(ObjectKey key, boolean same, long manifest) {
    applies++;
    if (same) {
      needless++;
    }
    if (same && !uncertain.contains(key)) {
      mistakes.add("an apply of " + key + " changed nothing");
    }
    appliedManifest.put(key, manifest);
  }

  private void admit(ObjectKey key) throws Refused {
    if (!served(State.groupKind(key))) {
      throw new Refused(
          404, "NotFound", "the server could not find the requested resource", List.of());
    }
    if (refusing.contains(key)) {
      throw new Refused(403, "Forbidden", "admission webhook denied the request", List.of());
    }
    if (key.namespace().isEmpty() || key.namespace().equals("default")) {
      return;
    }
    ModelObject namespace = objects.get(new ObjectKey("", "Namespace", "", key.namespace()));
    if (namespace == null) {
      throw new Refused(
          404, "NotFound", "namespaces \"" + key.namespace() + "\" not found", List.of());
    }
    if (namespace.deleting && !objects.containsKey(key)) {
      throw new Refused(
          403,
          "Forbidden",
          "namespace is being terminated",
          List.of(new Failure.Cause("NamespaceTerminating", "metadata.namespace", "")));
    }
  }

  private static boolean owned(ModelObject object, String path, String but) {
    return object.owners.entrySet().stream()
        .anyMatch(one -> !one.getKey().equals(but) && one.getValue().paths().contains(path));
  }

  private static void conflicts(
      ModelObject object, String owner, Map<String, String> wanted, boolean force) throws Refused {
    List<Failure.Cause> causes = new ArrayList<>();
    for (Map.Entry<String, ModelObject.Owned> other : object.owners.entrySet()) {
      if (other.getKey().equals(owner)) {
        continue;
      }
      for (String path : new ArrayList<>(other.getValue().paths())) {
        if (wanted.containsKey(path) && !wanted.get(path).equals(object.leaves.get(path))) {
          causes.add(
              new Failure.Cause(
                  "FieldManagerConflict",
                  "." + path.replace(ModelObject.STEP, "."),
                  "conflict with \"" + other.getValue().manager() + "\""));
          other.getValue().paths().remove(path);
        }
      }
    }
    if (!causes.isEmpty() && !force) {
      throw new Refused(409, "Conflict", "Apply failed with conflicts", causes);
    }
    object.owners.values().removeIf(one -> one.paths().isEmpty());
  }

  /** An update by somebody else: null removes a leaf. Changed leaves change their owner. */
  void update(ObjectKey key, String manager, Map<String, String> changes) {
    ModelObject before = objects.get(key);
    ModelObject after = before == null ? new ModelObject(key, "uid-" + ++uids) : before.copy();
    String owner = manager + "/Update";
    Set<String> mine = new TreeSet<>(after.paths(owner));
    for (Map.Entry<String, String> one : changes.entrySet()) {
      String path = one.getKey();
      if (java.util.Objects.equals(one.getValue(), after.leaves.get(path))) {
        continue;
      }
      after.owners.values().forEach(other -> other.paths().remove(path));
      mine.remove(path);
      if (one.getValue() == null) {
        after.leaves.remove(path);
      } else {
        after.leaves.put(path, one.getValue());
        mine.add(path);
      }
    }
    after.owners.values().removeIf(one -> one.paths().isEmpty());
    after.owners.remove(owner);
    if (!mine.isEmpty()) {
      after.owners.put(owner, new ModelObject.Owned(manager, "Update", nowMs / 1000, mine));
    }
    if (before == null || !before.sameAs(after)) {
      store(before, after);
    }
  }

  private ModelObject store(ModelObject before, ModelObject after) {
    after.version = ++version;
    boolean hasStatus = full(State.groupKind(after.key));
    if (hasStatus) {
      after.generation++;
      after.health = after.key.kind().equals("Namespace") ? Health.CURRENT : Health.IN_PROGRESS;
      if (before != null && before.health == Health.CURRENT && after.key.equals(WIDGETS)) {
        after.health = Health.CURRENT;
      }
    }
    objects.put(after.key, after);
    history.add(new Change(version, State.groupKind(after.key), before, after));
    return after;
  }

  static boolean full(String groupKind) {
    return io.exaplane.apply.entry.HealthRules.needsStatus(groupKind);
  }

  /** A controller writes a status: ready, or just another heartbeat. */
  void status(ObjectKey key) {
    ModelObject before = objects.get(key);
    if (before == null) {
      return;
    }
    ModelObject after = before.copy();
    after.version = ++version;
    after.health = full(State.groupKind(key)) ? Health.CURRENT : Health.UNKNOWN;
    objects.put(key, after);
    history.add(new Change(version, State.groupKind(key), before, after));
  }

  /** Our deletion. */
  void delete(DeleteRequest request) throws Refused {
    ModelObject object = objects.get(request.key());
    if (object == null) {
      throw new Refused(404, "NotFound", "not found", List.of());
    }
    boolean other =
        request.resourceVersion() != 0 && request.resourceVersion() != object.version
            || !request.uid().equals(object.uid);
    if (other) {
      throw new Refused(409, "Conflict", "the precondition does not hold", List.of());
    }
    if (object.paths(US + "/Apply").isEmpty() || object.partOf().isEmpty()) {
      mistakes.add(object.key + " was deleted, but is not ours");
    }
    delete(object.key);
  }

  /** Anybody's deletion. */
  void delete(ObjectKey key) {
    ModelObject before = objects.get(key);
    if (before == null || before.deleting) {
      return;
    }
    if (before.finalizer || key.kind().equals("Namespace")) {
      ModelObject after = before.copy();
      after.version = ++version;
      after.deleting = true;
      objects.put(key, after);
      history.add(new Change(version, State.groupKind(key), before, after));
    } else {
      remove(key);
    }
  }

  /** The end of an object: with what lives in it. */
  void remove(ObjectKey key) {
    ModelObject before = objects.remove(key);
    if (before == null) {
      return;
    }
    version++;
    history.add(new Change(version, State.groupKind(key), before, null));
    for (ModelObject one : new ArrayList<>(objects.values())) {
      boolean inside =
          key.kind().equals("Namespace") && one.key.namespace().equals(key.name())
              || key.equals(WIDGETS) && one.key.kind().equals("Widget");
      if (inside) {
        remove(one.key);
      }
    }
  }
}
