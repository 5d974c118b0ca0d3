// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The number of kube-apiservers that their pods' template is made for: not every change of the
 * number may replace all of them. More of them share the load, so each does with what it has. Pure.
 */
public final class TemplateReplicas {
  /** On the Deployment of kube-apiserver: the number that its pods are made for. */
  public static final String ANNOTATION = "exaplane.io/sized-for-replicas";

  /** Up to so many nodes each kube-apiserver has memory to carry all of the load. */
  private static final int SMALL_NODES = 1_000;

  /** One may be away, so two are made for what one carries; a single one has flags of its own. */
  private static final int PAIR = 2;

  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,2}");

  private TemplateReplicas() {}

  /**
   * The number that pods are made for.
   *
   * @param before the number for which those were made that run, if any do
   */
  static int of(ControlPlaneSpec spec, Optional<Integer> before) {
    int replicas = ApiServerSpec.replicas(spec.apiServer());
    // A client of a single kube-apiserver has no other to be sent to.
    return before
        .filter(number -> number >= PAIR)
        .map(number -> Math.min(number, replicas))
        .orElseGet(() -> spec.maxNodes() <= SMALL_NODES ? Math.min(PAIR, replicas) : replicas);
  }

  /** What a Deployment says; one of an older operator was made for the replicas that it has. */
  public static Optional<Integer> applied(Deployment deployment) {
    return Optional.ofNullable(deployment.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(ANNOTATION))
        .filter(NUMBER.asMatchPredicate())
        .map(Integer::valueOf)
        .or(() -> Optional.ofNullable(deployment.getSpec().getReplicas()));
  }
}
