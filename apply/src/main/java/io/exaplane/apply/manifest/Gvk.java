// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

/**
 * A kind in one version. Immutable.
 *
 * @param group API group; empty for the core group
 * @param version version, such as {@code v1}
 * @param kind kind, such as {@code ConfigMap}
 */
public record Gvk(String group, String version, String kind) {
  /**
   * Splits {@code apiVersion}.
   *
   * @param apiVersion {@code group/version}, or {@code version} alone for the core group
   * @param kind kind
   * @return both as one value
   */
  public static Gvk of(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? new Gvk("", apiVersion, kind)
        : new Gvk(apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
  }

  /**
   * The inverse of {@link #of}.
   *
   * @return {@code group/version}, or {@code version} alone for the core group
   */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /**
   * The form of KEP-3659's annotation {@code contains-group-kinds}.
   *
   * @return {@code Kind.group}, or {@code Kind} alone for the core group
   */
  public String groupKind() {
    return group.isEmpty() ? kind : kind + "." + group;
  }

  @Override
  public String toString() {
    return apiVersion() + " " + kind;
  }
}
