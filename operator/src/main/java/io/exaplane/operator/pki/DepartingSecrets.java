// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.names.ControlPlaneNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The long-lived Secrets of a control plane that is being removed. Keeps nothing. */
public final class DepartingSecrets {
  private DepartingSecrets() {}

  /**
   * Lets them stay, with a label that says that they outlived their owner, or go with it. Those of
   * others are left alone, and so are those that are as they should be.
   */
  public static void settle(
      ControlPlane controlPlane,
      Collection<Secret> secrets,
      boolean retained,
      KubernetesClient client) {
    Map<String, String> labels = new TreeMap<>(new ControlPlaneNames(controlPlane).labels());
    if (retained) {
      labels.put(ControlPlaneNames.RETAINED_LABEL, "true");
    }
    SecretStore store = new SecretStore(client, controlPlane, labels, _ -> null);
    secrets.stream()
        .filter(secret -> Ownership.isOf(secret, controlPlane))
        .forEach(secret -> store.tie(secret, retained));
  }
}
