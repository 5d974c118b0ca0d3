// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.Patience;
import io.exaplane.operator.status.Verdict;

/** Whether the administrator's kubeconfig is there. Pure. */
public final class KubeconfigReadyCondition {
  private KubeconfigReadyCondition() {}

  /** From what was seen. */
  public static Verdict of(Observed observed) {
    String secret = observed.controlPlane().names().adminKubeconfig();
    return observed.pki().secrets().contains(secret)
        ? Verdict.yes(
            Reason.AsExpected, "Secret %s holds the administrator's kubeconfig.".formatted(secret))
        : Verdict.no(
            Reason.Creating,
            "The operator writes the kubeconfig when the endpoint has an address."
                + Patience.NO_ACTION);
  }
}
