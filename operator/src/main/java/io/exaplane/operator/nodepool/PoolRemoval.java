// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.NodePoolStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.hosted.PoolTokens;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Takes a pool's tokens out of the hosted cluster when the pool is deleted. It waits three minutes
 * for an API that does not answer, as the removal of a ControlPlane does; a token that is left
 * behind ends by itself. Thread-safe.
 */
final class PoolRemoval {
  private static final Duration MOST = Duration.ofMinutes(3);
  private static final Duration AGAIN = Duration.ofSeconds(5);

  private final PoolTokens tokens;
  private final EventRecorder events;
  private final Clock clock;
  private final Instant begun;

  PoolRemoval(PoolTokens tokens, EventRecorder events, Clock clock) {
    this.tokens = tokens;
    this.events = events;
    this.clock = clock;
    this.begun = clock.instant();
  }

  /**
   * What the removal waits for.
   *
   * @param again when to look again
   */
  record Wait(Problem why, Duration again) {}

  /**
   * Deletes the tokens; nothing is waited for when that is done, or is to be done no more.
   *
   * @param agents why the pool's agents are not given back yet
   * @param nodes why the pool's nodes that were being upgraded do not take pods again yet
   */
  Optional<Wait> wait(
      NodePool pool,
      Optional<ControlPlane> controlPlane,
      Optional<String> agents,
      Optional<String> nodes) {
    if (controlPlane.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> tokens = obstacle(pool, controlPlane.get());
    Optional<String> why = tokens.or(() -> agents).or(() -> nodes);
    if (why.isEmpty()) {
      events.tell(
          pool, new News(false, Reason.Removing, "The pool's tokens are deleted. " + stay(pool)));
      return Optional.empty();
    }
    Instant deleted = Instant.parse(pool.getMetadata().getDeletionTimestamp());
    // An operator that has just begun has no connections yet.
    Instant end = (deleted.isAfter(begun) ? deleted : begun).plus(MOST);
    if (clock.instant().isBefore(end)) {
      return Optional.of(
          new Wait(
              Problem.of(
                  Reason.Removing,
                  "The pool is being deleted, and waits until %s to delete its tokens and to give its"
                      + " agents and nodes back: %s. No action is needed.",
                  end,
                  why.get()),
              AGAIN));
    }
    agents.ifPresent(left -> tellOfAgents(pool, left));
    nodes.ifPresent(left -> tellOfNodes(pool, left));
    if (tokens.isPresent()) {
      tellOfTokens(pool, tokens.get());
    }
    return Optional.empty();
  }

  private void tellOfAgents(NodePool pool, String why) {
    events.tell(
        pool,
        new News(
            true,
            Reason.Removing,
            "The operator could not restore updateStrategy of the pool's DaemonSets: %s. In the hosted cluster, set spec.updateStrategy.type of each DaemonSet with the annotation %s, and remove the annotation."
                .formatted(why, NodePoolNames.AGENT_WAVES)));
  }

  private void tellOfNodes(NodePool pool, String why) {
    events.tell(
        pool,
        new News(
            true,
            Reason.Removing,
            "These nodes are still cordoned after an unfinished upgrade: %s. In the hosted cluster, run 'kubectl uncordon NODE' for each node with the annotation %s, and remove the annotation."
                .formatted(why, NodePoolNames.UPGRADE)));
  }

  private void tellOfTokens(NodePool pool, String why) {
    events.tell(
        pool,
        new News(
            true,
            Reason.Removing,
            "The pool's tokens are not deleted: %s. %sTo end them, run 'kubectl -n kube-system delete secrets -l %s=%s' in the hosted cluster. %s"
                .formatted(
                    why,
                    expiry(pool),
                    NodePoolNames.POOL_UID,
                    pool.getMetadata().getUid(),
                    stay(pool))));
  }

  private Optional<String> obstacle(NodePool pool, ControlPlane controlPlane) {
    try {
      return tokens.revoke(pool, controlPlane)
          ? Optional.empty()
          : Optional.of(
              "the API of ControlPlane %s does not answer"
                  .formatted(controlPlane.getMetadata().getName()));
    } catch (KubernetesClientException e) {
      return Optional.of(Refusals.of(e).why());
    }
  }

  private static String expiry(NodePool pool) {
    return Optional.ofNullable(pool.getStatus())
        .map(NodePoolStatus::joinSecretRef)
        .map(NodePoolStatus.JoinSecret::expires)
        .map("The last one works until %s. "::formatted)
        .orElse("");
  }

  private static String stay(NodePool pool) {
    return "Nodes that joined stay. To remove them, run 'kubectl delete nodes -l %s=%s' in the hosted cluster."
        .formatted(NodePoolNames.NODE_LABEL, pool.getMetadata().getName());
  }
}
