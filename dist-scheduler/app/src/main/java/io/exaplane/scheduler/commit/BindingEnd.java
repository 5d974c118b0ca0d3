// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import java.util.Set;

/**
 * What became of a binding.
 *
 * @param trouble why the pod is not there, or null
 * @param allocated uids of claims that have what they were given all the same
 */
public record BindingEnd(String trouble, Set<String> allocated) {
  public boolean isThere() {
    return trouble == null;
  }
}
