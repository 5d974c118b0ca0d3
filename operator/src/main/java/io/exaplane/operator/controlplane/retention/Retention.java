// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.retention;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Collection;
import java.util.List;

/** What people are told of data and keys that outlive a control plane. Pure. */
public final class Retention {
  private Retention() {}

  /** One took over what another of its name left. */
  public static String takenOver(ControlPlane controlPlane, String uid) {
    return "Took over the data and certificates of the deleted ControlPlane %s with UID %s."
        .formatted(controlPlane.getMetadata().getName(), uid);
  }

  /**
   * One is removed, and leaves this.
   *
   * @param secrets of its long-lived ones those that are there
   */
  static String left(ControlPlane controlPlane, List<String> claims, Collection<Secret> secrets) {
    return "Kept %s and the Secrets %s. A ControlPlane %s in this namespace takes them over. To remove them, run '%s'."
        .formatted(
            String.join(", ", claims),
            String.join(", ", keys(controlPlane, secrets)),
            controlPlane.getMetadata().getName(),
            startAnew(controlPlane, secrets));
  }

  /** The command that lets data and keys go. */
  static String startAnew(ControlPlane controlPlane, Collection<Secret> secrets) {
    return "kubectl -n %s delete pvc -l %s=%s && %s"
        .formatted(
            controlPlane.getMetadata().getNamespace(),
            ControlPlaneNames.CONTROL_PLANE_LABEL,
            controlPlane.getMetadata().getName(),
            deleteSecrets(controlPlane, secrets));
  }

  /** The command that lets the keys go. */
  static String deleteSecrets(ControlPlane controlPlane, Collection<Secret> secrets) {
    return "kubectl -n %s delete secret --ignore-not-found %s"
        .formatted(
            controlPlane.getMetadata().getNamespace(),
            String.join(" ", keys(controlPlane, secrets)));
  }

  /** The key of encryption outlives the field: objects may need the key until all are plain. */
  private static List<String> keys(ControlPlane controlPlane, Collection<Secret> secrets) {
    ControlPlaneNames names = new ControlPlaneNames(controlPlane);
    boolean isThere =
        secrets.stream()
            .anyMatch(secret -> names.encryptionKey().equals(secret.getMetadata().getName()));
    return names.longLivedSecrets(isThere || controlPlane.getSpec().encryption() != null);
  }
}
