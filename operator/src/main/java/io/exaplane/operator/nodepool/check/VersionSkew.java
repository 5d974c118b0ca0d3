// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.Optional;

/** A kubelet is not newer than the API, and at most three minor versions older. Pure. */
final class VersionSkew {
  /** Of Kubernetes' version skew policy. */
  private static final int MOST_OLDER = 3;

  private VersionSkew() {}

  /** What is wrong with the version; nothing is wrong before the API has one. */
  static Optional<Problem> problem(PoolContext context) {
    String own = context.pool().getSpec().version();
    Optional<String> api = context.apiVersion();
    if (own == null || api.isEmpty()) {
      return Optional.empty();
    }
    int older = minor(api.get()) - minor(own);
    return older >= 0 && older <= MOST_OLDER
        ? Optional.empty()
        : Optional.of(
            Problem.of(
                Reason.VersionSkew,
                "spec.version %s: ControlPlane %s runs %s, and a kubelet must be of the same minor version or at most %d minor versions older. Set a version from 1.%d to 1.%d.",
                own,
                context.controlPlaneName(),
                api.get(),
                MOST_OLDER,
                minor(api.get()) - MOST_OLDER,
                minor(api.get())));
  }

  private static int minor(String version) {
    return Integer.parseInt(version.split("\\.")[1]);
  }
}
