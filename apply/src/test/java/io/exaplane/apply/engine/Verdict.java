// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What must hold at the end of a simulated history. */
final class Verdict {
  private final Simulation world;
  private final ModelServer server;
  private final Engine engine;

  Verdict(Simulation world, Engine engine) {
    this.world = world;
    server = world.server;
    this.engine = engine;
  }

  void check() {
    Map<ObjectKey, Manifest> wanted = new HashMap<>();
    Map<ObjectKey, Set<String>> sets = new HashMap<>();
    for (ApplySet set : world.sets) {
      for (Manifest one : world.wanted.get(set).manifests()) {
        boolean scoped =
            !one.key().kind().equals("Namespace")
                && !one.key().equals(ModelServer.WIDGETS)
                && !one.gvk().equals(Wishes.WEBHOOK);
        ObjectKey key =
            scoped && one.key().namespace().isEmpty() ? one.key().in("default") : one.key();
        sets.computeIfAbsent(key, any -> new HashSet<>()).add(set.id());
        wanted.putIfAbsent(key, one);
      }
      if (!engine.idle(set)) {
        mistake("source " + set.name() + " never came to rest: " + bad(set));
      }
    }
    wanted.forEach((key, manifest) -> stands(key, manifest, sets.get(key)));
    for (ModelObject one : server.objects.values()) {
      boolean ours =
          !one.paths(ModelServer.US + "/Apply").isEmpty()
              && world.sets.stream().anyMatch(set -> set.id().equals(one.partOf()));
      boolean container =
          State.groupKind(one.key).equals("Namespace") || one.key.equals(ModelServer.WIDGETS);
      if (ours && !wanted.containsKey(one.key) && !container && pruning(one.partOf())) {
        mistake(one.key + " is still there, but no source wants it");
      }
    }
    world.foreign.forEach(this::untouched);
    for (int at = 0; at < 3; at++) {
      ObjectKey key = new ObjectKey("", "ConfigMap", "default", "foreign-" + at);
      if (!world.foreign.containsKey(key)) {
        mistake(key + " of others was applied");
      }
    }
  }

  /** A source with a manifest that another source has also does not prune. */
  private boolean pruning(String partOf) {
    for (ApplySet set : world.sets) {
      if (set.id().equals(partOf)) {
        return engine.summary(set).good();
      }
    }
    return false;
  }

  private String bad(ApplySet set) {
    StringBuilder words = new StringBuilder(engine.summary(set).halted());
    for (Summary.Item one : engine.summary(set).items()) {
      words.append(' ').append(one.key()).append(' ').append(one.outcome()).append(one.words());
    }
    return words.toString();
  }

  private void stands(ObjectKey key, Manifest manifest, Set<String> sets) {
    if (world.foreign.containsKey(key)) {
      return;
    }
    ModelObject object = server.objects.get(key);
    if (object == null) {
      mistake(key + " does not exist; " + world.sets.stream().map(this::bad).toList());
      return;
    }
    if (!sets.contains(object.partOf())) {
      mistake(key + " has the label '" + object.partOf() + "'");
    }
    if (sets.size() > 1) {
      // Which of the two sources has it depends on who came first.
      return;
    }
    Map<String, String> leaves = ModelServer.leaves(manifest.body());
    leaves.forEach(
        (path, value) -> {
          boolean webhook = server.mutating && path.endsWith("mutated");
          if (!webhook && !value.equals(object.leaves.get(path))) {
            mistake(key + " has " + path + "=" + object.leaves.get(path) + ", not " + value);
          }
          if (!object.paths(ModelServer.US + "/Apply").contains(path)) {
            mistake(key + ": " + path + " is not ours");
          }
        });
  }

  private void untouched(ObjectKey key, Map<String, String> leaves) {
    boolean wanted =
        world.wanted.values().stream()
            .flatMap(one -> one.manifests().stream())
            .anyMatch(one -> one.key().name().equals(key.name()));
    ModelObject object = server.objects.get(key);
    boolean inside = key.namespace().equals("shop") || key.kind().equals("Widget");
    if (object == null && inside) {
      return;
    }
    if (object == null || !wanted && !object.leaves.entrySet().containsAll(leaves.entrySet())) {
      mistake(key + " of others was touched");
    }
  }

  private void mistake(String words) {
    server.mistakes.add(words);
  }
}
