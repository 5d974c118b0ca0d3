// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

/** What keeps pods from a node unless they tolerate it. */
public record Taint(String key, String value, String effect) {
  public static final String NO_SCHEDULE = "NoSchedule";
  public static final String NO_EXECUTE = "NoExecute";
  public static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";

  /** Whether it keeps pods from being scheduled. */
  public boolean forbids() {
    return effect.equals(NO_SCHEDULE) || effect.equals(NO_EXECUTE);
  }
}
