// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.scheduler.kube.ObjectListener;
import io.exaplane.scheduler.kube.Resource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;

/** What a listener knows by what it was told: which version of which object. */
final class Mirror implements ObjectListener {
  private final Map<Resource, Map<String, String>> versions = new ConcurrentHashMap<>();
  private final AtomicInteger lists = new AtomicInteger();

  @Override
  public void put(Resource resource, Map<String, Object> object) {
    Map<?, ?> meta = (Map<?, ?>) object.get("metadata");
    of(resource).put(key(meta), String.valueOf(meta.get("resourceVersion")));
  }

  @Override
  public void remove(Resource resource, Map<String, Object> object) {
    of(resource).remove(key((Map<?, ?>) object.get("metadata")));
  }

  @Override
  public void retain(Resource resource, BiPredicate<String, String> isThere) {
    lists.incrementAndGet();
    of(resource)
        .keySet()
        .removeIf(
            key -> {
              int slash = key.indexOf('/');
              return !isThere.test(key.substring(0, slash), key.substring(slash + 1));
            });
  }

  /** By namespace and name, the versions. */
  Map<String, String> of(Resource resource) {
    return versions.computeIfAbsent(resource, kind -> new ConcurrentSkipListMap<>());
  }

  /** How many lists were told to their end, of all kinds. */
  int lists() {
    return lists.get();
  }

  static String key(Map<?, ?> meta) {
    Object namespace = meta.get("namespace");
    return (namespace == null ? "" : namespace) + "/" + meta.get("name");
  }
}
