// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.operator.config.BuiltinResources;
import java.util.List;
import java.util.Set;

/**
 * The Kubernetes minors that can be run and, for each, the built-in resources that a store can
 * hold. Immutable.
 */
public final class SupportedVersions {
  private SupportedVersions() {}

  /** The minors, in order. */
  public static Set<String> minors() {
    return BuiltinResources.byMinor().keySet();
  }

  /** The minors as users read them: 1.35, 1.36 and 1.37. */
  static String text() {
    List<String> minors = BuiltinResources.MINORS;
    return String.join(", ", minors.subList(0, minors.size() - 1)) + " and " + minors.getLast();
  }

  /** The minor of a version: 1.36 of 1.36.3. */
  public static String minor(String version) {
    return version.substring(0, version.lastIndexOf('.'));
  }

  /** The stored resources of a minor as {@code group/resource}. */
  public static Set<String> resources(String minor) {
    return BuiltinResources.byMinor().get(minor);
  }
}
