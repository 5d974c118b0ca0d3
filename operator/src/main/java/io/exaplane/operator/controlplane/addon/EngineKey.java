// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonAccountRef;
import java.util.Optional;

/**
 * What sources of one engine have in common. Sources that share an engine share its watches, and an
 * object that moves from one to the other is not deleted in between. Immutable.
 *
 * @param force whether fields of other managers are taken
 * @param prune whether objects that a source lost are deleted
 * @param account whom the engine impersonates
 */
record EngineKey(boolean force, boolean prune, Optional<AddonAccountRef> account) {
  /** The same with the operator's own rights. */
  EngineKey withoutAccount() {
    return new EngineKey(force, prune, Optional.empty());
  }
}
