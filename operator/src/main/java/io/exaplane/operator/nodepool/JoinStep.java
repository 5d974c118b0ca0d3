// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.dependent.Adoption;
import io.exaplane.operator.hosted.HostedBootstrap;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.condition.Material;
import io.exaplane.operator.nodepool.condition.Pause;
import io.exaplane.operator.nodepool.hosted.BootstrapToken;
import io.exaplane.operator.nodepool.hosted.PoolTokens;
import io.exaplane.operator.nodepool.observe.PoolObserved;
import io.exaplane.operator.nodepool.render.JoinSecret;
import io.exaplane.operator.outcome.NeedsPersonException;
import io.exaplane.operator.outcome.Outcomes;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.status.EventRecorder;
import io.exaplane.operator.status.News;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The step of a pass that makes what hosts join with: a token in the hosted cluster, and the Secret
 * that has it. What is as it should be is only read. Thread-safe.
 */
final class JoinStep {
  private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
  private static final String FIELD_MANAGER = "exaplane-operator";

  private final PoolTokens tokens;
  private final EventRecorder events;

  JoinStep(PoolTokens tokens, EventRecorder events) {
    this.tokens = tokens;
    this.events = events;
  }

  /** What there is to join with after the pass; writes that are refused are in the outcomes. */
  Material carryOut(PoolObserved observed, KubernetesClient client, Outcomes outcomes) {
    NodePool pool = observed.pool();
    String name = new NodePoolNames(pool).joinSecret();
    Optional<Secret> there =
        Optional.ofNullable(
            client.secrets().inNamespace(pool.getMetadata().getNamespace()).withName(name).get());
    Optional<Material.Written> written =
        there.filter(secret -> secret.hasOwnerReferenceFor(pool)).flatMap(JoinStep::written);
    Optional<Problem> held = held(observed);
    if (held.isPresent()) {
      return Material.missing(written, held.get());
    }
    ControlPlane controlPlane = observed.controlPlane().orElseThrow();
    if (!tokens.isConnected(controlPlane)) {
      return Material.unasked(written, silent(controlPlane));
    }
    Optional<BootstrapToken> token = token(pool, controlPlane, outcomes);
    if (token.isEmpty()) {
      return Material.missing(written, silent(controlPlane));
    }
    Secret wanted =
        JoinSecret.of(
            pool,
            controlPlane,
            observed.version().orElseThrow(),
            observed.endpoint().orElseThrow(),
            observed.kubelet(),
            new JoinSecret.Token(token.get().id(), token.get().text(), token.get().expires()));
    return write(pool, there, written, wanted, client, outcomes);
  }

  /** Why nothing is made now. */
  private static Optional<Problem> held(PoolObserved observed) {
    String controlPlane = observed.controlPlaneName();
    if (observed.problem().isPresent()) {
      return Optional.of(
          new Problem(
              observed.problem().get().reason(),
              "The spec is refused. See ConfigurationValid for the rule and the next action."));
    }
    if (observed.isPaused()) {
      return Optional.of(
          new Problem(
              Reason.Paused,
              "Here "
                  + Pause.text(
                      controlPlane,
                      observed.controlPlane().orElseThrow().getSpec().pausedUntil())));
    }
    if (observed.running().isEmpty()) {
      return Optional.of(
          Problem.of(
              Reason.WaitingForControlPlane,
              "ControlPlane %s does not run yet. No action is needed.",
              controlPlane));
    }
    if (observed.isUnavailable()) {
      // Asked, a silent API would hold the pass up; the ControlPlane's own passes know.
      return Optional.of(silent(observed.controlPlane().orElseThrow()));
    }
    return observed.endpoint().isEmpty()
        ? Optional.of(
            Problem.of(
                Reason.WaitingForCertificates,
                "The Secret with the kubeconfig of ControlPlane %s does not exist yet, so the"
                    + " address of the API is unknown. No action is needed.",
                controlPlane))
        : Optional.empty();
  }

  private static Problem silent(ControlPlane controlPlane) {
    return Problem.of(
        Reason.WaitingForAPIServer,
        "The API of ControlPlane %s does not answer the operator yet. No action is needed.",
        controlPlane.getMetadata().getName());
  }

  private Optional<BootstrapToken> token(
      NodePool pool, ControlPlane controlPlane, Outcomes outcomes) {
    try {
      return tokens.ensure(pool, controlPlane);
    } catch (KubernetesClientException e) {
      // One that does not answer is waited for; what one refuses a person has to see.
      if (!Refusals.of(e).passes()) {
        outcomes.refused(e);
      }
      return Optional.empty();
    }
  }

  private Material write(
      NodePool pool,
      Optional<Secret> there,
      Optional<Material.Written> written,
      Secret wanted,
      KubernetesClient client,
      Outcomes outcomes) {
    Material ready = Material.ready(written(wanted).orElseThrow());
    if (there.filter(secret -> has(secret, wanted)).isPresent()) {
      return ready;
    }
    try {
      Secret made =
          Adoption.create(
              wanted,
              pool,
              client,
              secret ->
                  client
                      .resource(secret)
                      .fieldManager(FIELD_MANAGER)
                      .forceConflicts()
                      .serverSideApply());
      tell(pool, written, tokenId(there), wanted);
      return has(made, wanted) ? ready : Material.missing(written, takenOver(wanted));
    } catch (NeedsPersonException e) {
      return Material.missing(written, new Problem(Reason.SecretOfAnother, e.getMessage()));
    } catch (KubernetesClientException e) {
      outcomes.refused(e);
      return Material.missing(written, takenOver(wanted));
    }
  }

  private static Problem takenOver(Secret wanted) {
    return Problem.of(
        Reason.Creating,
        "The operator has not written Secret %s yet. No action is needed.",
        wanted.getMetadata().getName());
  }

  /** Whoever copied the script to a machine image has to know that its token ends. */
  private void tell(
      NodePool pool, Optional<Material.Written> before, Optional<String> formerId, Secret wanted) {
    if (before.isPresent()
        && formerId.isPresent()
        && !formerId.get().equals(tokenId(Optional.of(wanted)).orElseThrow())) {
      events.tell(
          pool,
          new News(
              false,
              Reason.TokenRotated,
              "Secret %s has a new bootstrap token, which works until %s. The former one works until %s."
                  .formatted(
                      wanted.getMetadata().getName(),
                      written(wanted).orElseThrow().expires(),
                      before.get().expires())));
    }
  }

  private static boolean has(Secret there, Secret wanted) {
    return HostedBootstrap.contains(
        SERIALIZATION.convertValue(there, JsonNode.class),
        SERIALIZATION.convertValue(wanted, JsonNode.class));
  }

  /** What a Secret says of itself; nothing if somebody took its annotation away. */
  private static Optional<Material.Written> written(Secret secret) {
    try {
      return annotation(secret, NodePoolNames.EXPIRES)
          .map(Instant::parse)
          .map(expires -> new Material.Written(secret.getMetadata().getName(), expires));
    } catch (DateTimeException changed) {
      return Optional.empty();
    }
  }

  private static Optional<String> tokenId(Optional<Secret> secret) {
    return secret.flatMap(found -> annotation(found, NodePoolNames.TOKEN_ID));
  }

  private static Optional<String> annotation(Secret secret, String key) {
    return Optional.ofNullable(
        Objects.requireNonNullElse(secret.getMetadata().getAnnotations(), Map.<String, String>of())
            .get(key));
  }
}
