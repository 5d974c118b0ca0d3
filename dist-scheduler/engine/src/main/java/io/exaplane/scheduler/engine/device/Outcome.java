// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.device;

import io.exaplane.scheduler.engine.model.device.Allocation;
import java.util.List;
import java.util.function.Supplier;

/** What was found on a node. Allocations are put into words when somebody asks for them. */
public final class Outcome {
  private static final Outcome NOT_ENOUGH = new Outcome(null, false);
  private static final Outcome INVALID_POOLS = new Outcome(null, true);

  private final boolean invalidPools;
  private Supplier<List<Allocation>> found;
  private List<Allocation> allocations;

  private Outcome(Supplier<List<Allocation>> found, boolean invalidPools) {
    this.found = found;
    this.invalidPools = invalidPools;
  }

  static Outcome of(Supplier<List<Allocation>> found) {
    return new Outcome(found, false);
  }

  static Outcome notEnough(boolean invalidPools) {
    return invalidPools ? INVALID_POOLS : NOT_ENOUGH;
  }

  /** Whether there is enough for all claims. */
  public boolean isEnough() {
    return this != NOT_ENOUGH && this != INVALID_POOLS;
  }

  /** If there is not enough, whether some pools are not valid, which may be the reason. */
  public boolean invalidPools() {
    return invalidPools;
  }

  /** If there is enough, what each claim would be given. */
  public List<Allocation> allocations() {
    if (allocations == null) {
      allocations = found.get();
      found = null;
    }
    return allocations;
  }
}
