// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.condition;

import io.exaplane.api.v1alpha1.GuardMode;
import io.exaplane.api.v1alpha1.GuardSpec;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.controlplane.hosted.GuardVerdict;
import io.exaplane.operator.status.Verdict;

/** Whether kube-controller-manager may declare nodes dead and delete their pods. Pure. */
public final class NodeEvictionsAllowedCondition {
  private static final String OVERRIDE =
      " To allow evictions all the same, set spec.guard.mode to Observe.";

  private NodeEvictionsAllowedCondition() {}

  /**
   * By what the guard decided.
   *
   * @param spec with every field filled in
   */
  public static Verdict of(GuardVerdict guard, GuardSpec spec) {
    if (guard.mode() == GuardMode.Off) {
      return Verdict.yes(
          Reason.GuardOff,
          "The meltdown guard is off (spec.guard.mode). Evictions are not held back.");
    }
    if (!guard.refusal().isEmpty()) {
      return Verdict.yes(
          Reason.FreezeRefused,
          "The meltdown guard decided to %s, but the hosted API refuses: %s. %s"
              .formatted(
                  guard.isFrozen() ? "hold back evictions" : "let evictions continue",
                  guard.refusal(),
                  "See the ValidatingAdmissionPolicyBinding exaplane-node-freeze in the hosted cluster."));
    }
    if (guard.isFrozen()) {
      return guard.mode() == GuardMode.Enforce
          ? Verdict.no(guard.cause(), frozen(guard, spec))
          : Verdict.yes(
              guard.cause(),
              guard.numbers()
                  + " The meltdown guard would hold back evictions, but spec.guard.mode is Observe. "
                  + action(guard.cause()));
    }
    return guard.countsLeases()
        ? Verdict.yes(
            Reason.AsExpected,
            "Endpoint, store and Leases are good. kube-controller-manager may evict pods of dead nodes.")
        : Verdict.yes(
            Reason.LeasesNotCounted,
            "The store of node Leases does not count them: the store is an etcd, or of an earlier bundle, or the operator cannot reach the store's ports 2379 and 2381. The meltdown guard goes by endpoint and store alone.");
  }

  private static String frozen(GuardVerdict guard, GuardSpec spec) {
    return "%s kube-controller-manager declares no node dead and deletes no pod until %d checks in a row are good. %s%s"
        .formatted(guard.numbers(), spec.goodProbesToThaw(), action(guard.cause()), OVERRIDE);
  }

  private static String action(Reason cause) {
    return switch (cause) {
      case EndpointUnreachable ->
          "Check the load balancer, firewall and routes of the published endpoint; see EndpointReady.";
      case LeaseStoreUnreachable -> "See StoresReady for the store and the next action.";
      default -> "Check the network between these nodes and the published endpoint.";
    };
  }
}
