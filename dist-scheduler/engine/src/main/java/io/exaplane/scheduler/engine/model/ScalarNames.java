// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers for the names of scalar resources. */
final class ScalarNames {
  private final Map<String, Integer> ids = new HashMap<>();
  private final List<String> names = new ArrayList<>();

  /** The number of a name, a new one if it is new. */
  int id(String name) {
    return ids.computeIfAbsent(
        name,
        n -> {
          names.add(n);
          return names.size() - 1;
        });
  }

  /** The number of a name, or -1. */
  int known(String name) {
    return ids.getOrDefault(name, -1);
  }

  String name(int id) {
    return names.get(id);
  }
}
