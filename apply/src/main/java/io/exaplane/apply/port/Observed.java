// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.ObjectKey;
import java.util.List;

/**
 * An object as the server has it, reduced to what the engine decides by. Immutable. {@code
 * entry.Observe} makes it from JSON.
 *
 * @param key the object
 * @param uid {@code metadata.uid}
 * @param resourceVersion {@code metadata.resourceVersion}; a number that only grows (Kubernetes
 *     promises so from 1.35 on, and each earlier version with etcd does)
 * @param generation {@code metadata.generation}; 0 when absent
 * @param deleting whether {@code metadata.deletionTimestamp} is set
 * @param partOf the label {@code applyset.kubernetes.io/part-of}; empty when absent
 * @param valuesHash hash of the values that our manager owns; 0 when only metadata was read
 * @param health by the status; {@link Health#UNKNOWN} when only metadata was read
 * @param managers {@code metadata.managedFields}
 */
public record Observed(
    ObjectKey key,
    String uid,
    long resourceVersion,
    long generation,
    boolean deleting,
    String partOf,
    long valuesHash,
    Health health,
    List<FieldManager> managers) {
  public Observed {
    managers = List.copyOf(managers);
  }
}
