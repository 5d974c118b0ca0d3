// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import java.util.List;

/**
 * A user of a hosted cluster in whose name the operator asks. Immutable.
 *
 * @param name as Kubernetes knows the user
 * @param groups of the user
 */
public record ImpersonatedUser(String name, List<String> groups) {
  public ImpersonatedUser {
    groups = List.copyOf(groups);
  }

  /** A service account, with the groups that its own token would give. */
  public static ImpersonatedUser serviceAccount(String namespace, String name) {
    return new ImpersonatedUser(
        "system:serviceaccount:" + namespace + ":" + name,
        List.of(
            "system:serviceaccounts",
            "system:serviceaccounts:" + namespace,
            "system:authenticated"));
  }
}
