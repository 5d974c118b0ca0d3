// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

/** What ports in the clear show to other machines; on this one they show everything. */
enum ClearPages {
  /** Whether the store lives and is ready. */
  HEALTH,
  /** Also numbers: by Kind and prefix, never by object. */
  METRICS,
  /** Also the names of namespaces that take the space. */
  ALL;

  boolean hasMetrics() {
    return this != HEALTH;
  }

  boolean hasUsage() {
    return this == ALL;
  }
}
