// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.status.Verdict;

/** Whether clients reach the API at the address that status tells. Pure. */
public final class EndpointReadyCondition {
  private EndpointReadyCondition() {}

  /** From what was seen. */
  public static Verdict of(Observed observed) {
    return observed
        .endpointProblem()
        .map(problem -> Verdict.no(problem.reason(), problem.message()))
        .orElseGet(
            () -> {
              Endpoint endpoint = observed.endpoint().orElseThrow();
              return Verdict.yes(
                  Reason.AsExpected,
                  "Clients reach the API at %s, port %d."
                      .formatted(endpoint.host(), endpoint.port()));
            });
  }
}
