// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Health;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All others in the simulated cluster: controllers, people, other tools. */
final class Opponent {
  private static final String A = "data" + ModelObject.STEP + "a";
  private final Simulation world;
  private final ModelServer server;

  Opponent(Simulation world) {
    this.world = world;
    server = world.server;
  }

  /** Objects of others, among them one with our label: a copy that somebody made by hand. */
  void start() {
    for (int at = 0; at < 3; at++) {
      ObjectKey key = new ObjectKey("", "ConfigMap", "default", "foreign-" + at);
      Map<String, String> leaves = new TreeMap<>(Map.of(A, "foreign"));
      if (at == 0) {
        leaves.put(ModelObject.LABEL, world.sets.getFirst().id());
      } else if (at == 1) {
        leaves.put(ModelObject.LABEL, "applyset-of-others-v1");
      }
      server.update(key, "kubectl-create", leaves);
      world.foreign.put(key, leaves);
    }
  }

  private ObjectKey any() {
    List<ObjectKey> keys = new ArrayList<>(server.objects.keySet());
    keys.removeIf(world.foreign::containsKey);
    return keys.isEmpty() ? null : keys.get(world.random.nextInt(keys.size()));
  }

  void act() {
    ObjectKey key = any();
    if (key == null) {
      return;
    }
    Map<String, String> changes = new HashMap<>();
    int what = world.random.nextInt(11);
    world.trace("opponent " + what + " " + key);
    switch (what) {
      case 0, 1 -> changes.put(A, "changed" + world.random.nextInt(3));
      case 2 -> changes.put(A, null);
      case 3 -> changes.put("data" + ModelObject.STEP + "other", "x" + world.random.nextInt(9));
      case 4 -> changes.put(ModelObject.LABEL, null);
      case 5 -> server.delete(key);
      case 6 -> server.objects.get(key).finalizer = world.random.nextBoolean();
      case 7 -> {
        boolean once = !server.refusing.remove(key);
        if (once) {
          server.refusing.add(key);
        }
      }
      case 8 -> {
        if (world.random.nextInt(3) == 0) {
          server.remove(ModelServer.WIDGETS);
        }
      }
      case 9 -> {
        if (world.random.nextInt(3) == 0) {
          server.delete(new ObjectKey("", "Namespace", "", "shop"));
        }
      }
      default -> takeOver(key);
    }
    if (!changes.isEmpty() && server.objects.containsKey(key)) {
      server.update(key, "kubectl-edit", changes);
    }
  }

  /** Another tool takes an object that no manifest names any more, just before we delete it. */
  private void takeOver(ObjectKey key) {
    boolean ours =
        world.wanted.values().stream()
            .flatMap(one -> one.manifests().stream())
            .anyMatch(one -> one.key().name().equals(key.name()));
    if (ours || key.kind().equals("Namespace") || key.equals(ModelServer.WIDGETS)) {
      return;
    }
    Map<String, String> leaves = new TreeMap<>(Map.of(A, "taken"));
    leaves.put(ModelObject.LABEL, "applyset-of-others-v1");
    server.update(key, "other-tool", leaves);
    if (!server.objects.get(key).deleting) {
      world.foreign.put(key, leaves);
    }
  }

  /** Those who write status. */
  void controllers() {
    for (ObjectKey key : new ArrayList<>(server.objects.keySet())) {
      boolean waits = server.objects.get(key).health == Health.IN_PROGRESS;
      if (waits && (world.calm || world.random.nextBoolean())
          || !world.calm && world.random.nextInt(20) == 0) {
        server.status(key);
      }
    }
    if (world.random.nextInt(3) == 0) {
      settle();
    }
  }

  /** Deletions come to their end. */
  void settle() {
    for (ModelObject one : new ArrayList<>(server.objects.values())) {
      if (one.deleting && server.objects.containsKey(one.key)) {
        server.remove(one.key);
      }
    }
  }

  /** Nobody refuses or holds anything any more. */
  void leave() {
    server.refusing.clear();
    server.objects.values().forEach(one -> one.finalizer = false);
  }
}
