// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.check;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.ReservedNames;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.outcome.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is said of a control plane that has a name from before the schema reserved it: it goes on,
 * and another owner can want objects of the same names. Pure.
 */
public final class NameNotice {
  private NameNotice() {}

  /** The notice, if one is due. */
  public static Optional<Problem> of(ControlPlane controlPlane) {
    String name = controlPlane.getMetadata().getName();
    List<String> reserved = new ArrayList<>();
    if (ReservedNames.isOfControlPlane(name)) {
      reserved.add("metadata.name " + name);
    }
    StorageSpec.stores(controlPlane.getSpec().storage()).stream()
        .map(StoreTemplate::name)
        .filter(ReservedNames::isOfStore)
        .map(store -> "spec.storage.stores " + store)
        .forEach(reserved::add);
    return reserved.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.NameReserved,
                "%s: new control planes cannot have such a name, since objects of another owner can have"
                    + " the same names. This control plane keeps it. In namespace %s, create no"
                    + " ControlPlane, SchedulerPool or StoreShard whose name begins with the first part"
                    + " of %s.",
                String.join(", ", reserved),
                controlPlane.getMetadata().getNamespace(),
                name));
  }
}
