// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads nodes. For one thread: what nodes have in common becomes one instance. */
final class NodeReader {
  private static final Set<String> EFFECTS =
      Set.of(Taint.NO_SCHEDULE, Taint.PREFER_NO_SCHEDULE, Taint.NO_EXECUTE);

  private final Pool pool;
  private final RequestsReader requests;

  NodeReader(Pool pool, RequestsReader requests) {
    this.pool = pool;
    this.requests = requests;
  }

  Node read(Fields object, String name) {
    Fields meta = object.child("metadata");
    Fields spec = object.child("spec");
    Fields status = object.child("status");
    Map<String, BigDecimal> allocatable = requests.quantities(status.child("allocatable"));
    return new Node(
        pool.string(name),
        Labels.of(meta.stringMap("labels")).in(pool),
        spec.bool("unschedulable", false),
        pool.one(taints(spec)),
        pool.one(Amounts.of(allocatable)),
        Math.toIntExact(
            Math.min(
                Integer.MAX_VALUE,
                Quantity.whole(allocatable.getOrDefault(Amounts.PODS, BigDecimal.ZERO)))),
        pool.one(images(status)),
        pool.one(new TreeSet<>(status.strings("declaredFeatures"))));
  }

  private static List<Taint> taints(Fields spec) {
    return taints(spec, taint -> taint.oneOf("effect", "", EFFECTS));
  }

  /** Of what may have effects that are not known yet, which keep nobody away. */
  static List<Taint> anyTaints(Fields parent) {
    return taints(parent, taint -> taint.string("effect"));
  }

  private static List<Taint> taints(Fields parent, Function<Fields, String> effect) {
    return parent.children("taints").stream()
        .map(taint -> taint(taint, effect.apply(taint)))
        .toList();
  }

  /** One, with an effect that may not be known yet. */
  static Taint anyTaint(Fields taint) {
    return taint(taint, taint.string("effect"));
  }

  private static Taint taint(Fields taint, String effect) {
    return new Taint(taint.string("key"), taint.string("value"), effect);
  }

  /** Of two entries with the same name the later one counts, as in kube-scheduler's cache. */
  private SortedMap<String, Long> images(Fields status) {
    SortedMap<String, Long> images = new TreeMap<>();
    for (Fields image : status.children("images")) {
      long sizeBytes = image.integer("sizeBytes", 0);
      image.strings("names").forEach(name -> images.put(pool.string(name), sizeBytes));
    }
    return images;
  }
}
