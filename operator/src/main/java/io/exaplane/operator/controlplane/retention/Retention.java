// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.names.ControlPlaneNames;
import java.util.List;

/** What people are told of data and keys that outlive a control plane. Pure. */
public final class Retention {
  private Retention() {}

  /** One took over what another of its name left. */
  public static String takenOver(ControlPlane controlPlane, String uid) {
    return "Took over the data and certificates of the deleted ControlPlane %s with UID %s."
        .formatted(controlPlane.getMetadata().getName(), uid);
  }

  /** One is removed, and leaves this. */
  static String left(ControlPlane controlPlane, List<String> claims) {
    return "Kept %s and the Secrets %s. A ControlPlane %s in this namespace takes them over. To remove them, run '%s'."
        .formatted(
            String.join(", ", claims),
            String.join(
                ", ",
                new ControlPlaneNames(controlPlane)
                    .longLivedSecrets(controlPlane.getSpec().encryption() != null)),
            controlPlane.getMetadata().getName(),
            startAnew(controlPlane));
  }

  /** The command that lets data and keys go. */
  static String startAnew(ControlPlane controlPlane) {
    return "kubectl -n %s delete pvc -l %s=%s && %s"
        .formatted(
            controlPlane.getMetadata().getNamespace(),
            ControlPlaneNames.CONTROL_PLANE_LABEL,
            controlPlane.getMetadata().getName(),
            deleteSecrets(controlPlane));
  }

  /** The command that lets the keys go. */
  static String deleteSecrets(ControlPlane controlPlane) {
    return "kubectl -n %s delete secret --ignore-not-found %s"
        .formatted(
            controlPlane.getMetadata().getNamespace(),
            String.join(
                " ",
                new ControlPlaneNames(controlPlane)
                    .longLivedSecrets(controlPlane.getSpec().encryption() != null)));
  }
}
