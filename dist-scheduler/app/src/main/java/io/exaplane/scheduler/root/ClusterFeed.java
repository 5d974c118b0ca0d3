// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.root;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.PlacedPod;
import io.exaplane.scheduler.kube.ObjectListener;
import io.exaplane.scheduler.kube.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Brings what the API server tells to the cluster's thread. An object that cannot be read costs
 * itself alone: a node is not used, a pod on a node counts by what it asks for, another pod waits.
 */
final class ClusterFeed implements ObjectListener {
  private static final Logger LOG = Logger.getLogger(ClusterFeed.class);
  private static final String NODE = "Node";
  private static final String POD = "Pod";

  /** What a pod takes from its node, beside which nothing of it matters much to others. */
  private static final Set<String> TAKEN =
      Set.of("nodeName", "containers", "initContainers", "overhead", "resources", "priority");

  private final Inbox inbox;
  private final Cluster cluster;
  private final ObjectReader reader;
  private final Consumer<Unreadable> unreadable;
  private final Consumer<String> waitsNoMore;

  /** By kind, what is known of it; of pods and nodes the cluster itself knows. */
  private final Map<String, Set<String>> known = new HashMap<>();

  /** A pod that waits, and cannot be read. */
  record Unreadable(Fields pod, String why) {}

  /**
   * Into a cluster.
   *
   * @param unreadable takes pods that wait and cannot be read
   * @param waitsNoMore takes uids of pods that are gone
   */
  ClusterFeed(
      Inbox inbox,
      Cluster cluster,
      ObjectReader reader,
      Consumer<Unreadable> unreadable,
      Consumer<String> waitsNoMore) {
    this.inbox = inbox;
    this.cluster = cluster;
    this.reader = reader;
    this.unreadable = unreadable;
    this.waitsNoMore = waitsNoMore;
  }

  @Override
  public void put(Resource resource, Map<String, Object> object) {
    inbox.put(() -> read(resource.kind(), object));
  }

  @Override
  public void remove(Resource resource, Map<String, Object> object) {
    Fields meta = Fields.of(object, resource.kind()).child("metadata");
    String namespace = meta.string("namespace");
    String name = meta.string("name");
    String uid = resource.kind().equals(POD) ? meta.string("uid") : "";
    inbox.put(
        () -> {
          forget(resource.kind(), key(namespace, name));
          if (!uid.isEmpty()) {
            waitsNoMore.accept(uid);
          }
        });
  }

  @Override
  public void retain(Resource resource, BiPredicate<String, String> isThere) {
    inbox.putAndAwait(
        () -> {
          for (String key : keys(resource.kind())) {
            int slash = key.indexOf('/');
            if (!isThere.test(key.substring(0, Math.max(slash, 0)), key.substring(slash + 1))) {
              forget(resource.kind(), key);
            }
          }
        });
  }

  /** A copy. */
  private List<String> keys(String kind) {
    List<String> keys = new ArrayList<>();
    switch (kind) {
      case POD -> cluster.pods().forEach(pod -> keys.add(pod.pod().key()));
      case NODE -> {
        for (int id = 0; id < cluster.nodes().size(); id++) {
          Node node = cluster.nodes().node(id);
          if (node != null) {
            keys.add(node.name());
          }
        }
      }
      default -> keys.addAll(known.getOrDefault(kind, Set.of()));
    }
    return keys;
  }

  private static String key(String namespace, String name) {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  private void forget(String kind, String key) {
    String uid = kind.equals(POD) ? uid(key) : "";
    int slash = key.indexOf('/');
    reader.remove(kind, key.substring(0, Math.max(slash, 0)), key.substring(slash + 1));
    Set<String> names = known.get(kind);
    if (names != null) {
      names.remove(key);
    }
    if (!uid.isEmpty()) {
      waitsNoMore.accept(uid);
    }
  }

  /** Of a pod that waits or waited; else empty. */
  private String uid(String key) {
    PlacedPod pod = cluster.pod(key);
    return pod == null ? "" : pod.pod().uid();
  }

  private void read(String kind, Map<String, Object> object) {
    Fields fields = Fields.ofObject(object);
    Fields meta = fields.child("metadata");
    String key = key(meta.string("namespace"), meta.string("name"));
    try {
      if (kind.equals(POD)) {
        readPod(fields, key);
        return;
      }
      reader.read(fields);
      if (!kind.equals(NODE)) {
        known.computeIfAbsent(kind, k -> new HashSet<>()).add(key);
      }
    } catch (InvalidObjectException e) {
      LOG.warnf("%s %s is unreadable: %s", kind, key, e.getMessage());
      forget(kind, key);
      if (kind.equals(POD)) {
        readWhatItTakes(fields, object, e.getMessage());
      }
    } catch (RuntimeException e) {
      LOG.errorf(e, "%s %s: unexpected error; report it with this stack trace", kind, key);
      forget(kind, key);
      if (kind.equals(POD)) {
        readWhatItTakes(fields, object, e.toString());
      }
    }
  }

  private void readPod(Fields pod, String key) {
    String uid = uid(key);
    reader.read(pod);
    PlacedPod now = cluster.pod(key);
    if (!uid.isEmpty() && (now == null || !now.pod().uid().equals(uid))) {
      waitsNoMore.accept(uid);
    }
  }

  private void readWhatItTakes(Fields pod, Map<String, Object> object, String why) {
    if (pod.child("spec").string("nodeName").isEmpty()) {
      unreadable.accept(new Unreadable(pod, why));
      return;
    }
    Map<String, Object> rest = new LinkedHashMap<>(object);
    Map<String, Object> spec = new LinkedHashMap<>();
    ((Map<?, ?>) object.get("spec"))
        .forEach(
            (name, value) -> {
              if (TAKEN.contains(name)) {
                spec.put((String) name, value);
              }
            });
    rest.put("spec", spec);
    try {
      reader.read(Fields.ofObject(rest));
    } catch (RuntimeException e) {
      LOG.warnf("the requests of the pod on its node are unreadable, too: %s", e.getMessage());
    }
  }
}
