// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.Set;

/** Resources for which kube-apiserver keeps no watch cache. */
final class Uncached {
  private static final Set<String> RESOURCES = Set.of("events", "events.k8s.io/events");

  private Uncached() {}

  static boolean is(String resource) {
    return RESOURCES.contains(resource);
  }
}
