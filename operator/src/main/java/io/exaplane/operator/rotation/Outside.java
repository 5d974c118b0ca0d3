// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.rotation;

import java.util.List;

/**
 * Who outside of the control plane does not follow a rotation yet. Immutable.
 *
 * @param behind in words, as "2 of 5 nodes of NodePool edge"; empty if all follow
 * @param override what the annotation has to say so that the rotation goes on without them
 * @param overridden whether a person said so
 */
public record Outside(List<String> behind, String override, boolean overridden) {
  /** Of a key that nobody outside has to follow. */
  public static final Outside NONE = new Outside(List.of(), "", false);

  public Outside {
    behind = List.copyOf(behind);
  }

  /** Whether the old key may go. */
  public boolean follows() {
    return behind.isEmpty() || overridden;
  }
}
