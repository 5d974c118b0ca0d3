// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.cel;

import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is said of a device, by domain. To those who look up, every domain is there; some are empty.
 * Source: dynamic-resource-allocation/cel/compile.go, newStringInterfaceMapWithDefault.
 */
final class Domains extends AbstractMap<String, Object> {
  private final Map<String, Object> values = new HashMap<>();

  /**
   * Adds a value.
   *
   * @param name with a domain, or without
   * @param domain of names that have none
   */
  @SuppressWarnings("unchecked")
  void add(String name, String domain, Object value) {
    int slash = name.indexOf('/');
    String of = slash < 0 ? domain : name.substring(0, slash);
    String id = name.substring(slash + 1);
    ((Map<String, Object>) values.computeIfAbsent(of, d -> new HashMap<String, Object>()))
        .put(id, value);
  }

  /** Whether there is anything in a domain. */
  boolean has(Object domain) {
    return values.containsKey(domain);
  }

  @Override
  public Object get(Object key) {
    return values.getOrDefault(key, Map.of());
  }

  @Override
  public boolean containsKey(Object key) {
    return true;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return values.entrySet();
  }
}
