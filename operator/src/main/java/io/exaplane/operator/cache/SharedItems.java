// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import io.exaplane.api.v1alpha1.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The objects of an informer, without what nobody reads of them: who manages which field, which is
 * half of a small object; nor the data of join Secrets. Several informers that see the same object
 * in the same version keep one copy between them. Only for objects that are no dependents:
 * server-side apply compares by the managed fields. Thread-safe.
 *
 * @param <R> the kind
 */
public final class SharedItems<R extends HasMetadata> implements ItemStore<R> {
  /** By UID, for all informers of this process. */
  private static final Map<String, WeakReference<HasMetadata>> NEWEST = new ConcurrentHashMap<>();

  private final Map<String, R> items = new ConcurrentHashMap<>();

  @Override
  public String getKey(R object) {
    String namespace = object.getMetadata().getNamespace();
    return (namespace == null ? "" : namespace) + "/" + object.getMetadata().getName();
  }

  @Override
  public R put(String key, R object) {
    return items.put(key, shared(object));
  }

  @SuppressWarnings("unchecked")
  private R shared(R object) {
    String uid = object.getMetadata().getUid();
    if (uid == null) {
      return object;
    }
    object.getMetadata().setManagedFields(List.of());
    if (object instanceof Secret secret && isOfNodePool(secret)) {
      secret.setData(null);
    }
    String version = object.getMetadata().getResourceVersion();
    HasMetadata newest =
        NEWEST
            .compute(
                uid,
                (_, reference) -> {
                  HasMetadata known = reference == null ? null : reference.get();
                  boolean same =
                      known != null
                          && known.getClass() == object.getClass()
                          && known.getMetadata().getResourceVersion().equals(version);
                  return same ? reference : new WeakReference<>(object);
                })
            .get();
    return newest == null || newest.getClass() != object.getClass() ? object : (R) newest;
  }

  /** Its script is large, in three forms, and whoever needs it asks the API server. */
  private static boolean isOfNodePool(Secret secret) {
    return secret.getMetadata().getLabels() != null
        && secret.getMetadata().getLabels().containsKey(Names.NODE_POOL_LABEL);
  }

  @Override
  public R remove(String key) {
    R gone = items.remove(key);
    if (gone != null && gone.getMetadata().getUid() != null) {
      NEWEST.remove(gone.getMetadata().getUid());
    }
    return gone;
  }

  @Override
  public Stream<String> keySet() {
    return items.keySet().stream();
  }

  @Override
  public Stream<R> values() {
    return items.values().stream();
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public R get(String key) {
    return items.get(key);
  }
}
