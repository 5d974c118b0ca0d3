// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

/**
 * What identifies an object in a cluster, whatever version of its kind a manifest uses. Immutable.
 *
 * @param group API group; empty for the core group
 * @param kind kind
 * @param namespace namespace; empty for objects of the cluster, and for manifests that name none
 * @param name name
 */
public record ObjectKey(String group, String kind, String namespace, String name) {
  /**
   * The same object in a namespace.
   *
   * @param other namespace; empty for objects of the cluster
   * @return the key
   */
  public ObjectKey in(String other) {
    return other.equals(namespace) ? this : new ObjectKey(group, kind, other, name);
  }

  /**
   * For messages: {@code Deployment.apps shop/web}.
   *
   * @return kind, group, namespace and name
   */
  @Override
  public String toString() {
    return (group.isEmpty() ? kind : kind + "." + group)
        + " "
        + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
