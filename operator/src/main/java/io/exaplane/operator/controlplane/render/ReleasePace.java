// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.RestartSpec;
import io.exaplane.operator.wait.WaitForDependencies;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many pods of a component the first container lets start a minute: {@code
 * spec.restart.releasePerMinute}. The number of pods is part of the template, and it stays while
 * the user changes neither the pace nor the version: scaling alone must replace no pod. Immutable.
 *
 * @param perMinute how many may start a minute
 * @param pods for how many the template is made
 */
record ReleasePace(int perMinute, int pods) {
  /** On the Deployment: the pace for which the pods are made, as {@code 10/20}. */
  static final String ANNOTATION = "exaplane.io/release-pace";

  private static final Pattern TEXT = Pattern.compile("([1-9]\\d{0,5})/(\\d{1,6})");

  /**
   * The pace of a template.
   *
   * @param existing the Deployment as it is, if it is of the version that it is to have
   */
  static ReleasePace of(RestartSpec policy, int replicas, Optional<Deployment> existing) {
    int perMinute = RestartSpec.releasePerMinute(policy);
    return existing
        .map(deployment -> applied(deployment, perMinute))
        .filter(before -> before.perMinute == perMinute)
        .orElseGet(() -> new ReleasePace(perMinute, replicas));
  }

  /** What a Deployment says; one of an older operator is as one of the replicas that it has. */
  private static ReleasePace applied(Deployment deployment, int perMinute) {
    return Optional.ofNullable(deployment.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(ANNOTATION))
        .map(TEXT::matcher)
        .filter(Matcher::matches)
        .map(
            text ->
                new ReleasePace(Integer.parseInt(text.group(1)), Integer.parseInt(text.group(2))))
        .orElseGet(
            () ->
                new ReleasePace(
                    perMinute, Optional.ofNullable(deployment.getSpec().getReplicas()).orElse(1)));
  }

  /**
   * What tells the first container; nothing if all pods may start in the same minute. A variable,
   * because the first container of an older bundle takes an argument that it does not know for a
   * URL.
   */
  List<EnvVar> environment() {
    return pods <= perMinute
        ? List.of()
        : List.of(new EnvVar(WaitForDependencies.RELEASE, toString(), null));
  }

  /** As {@code 10/20}: ten a minute, of twenty pods. */
  @Override
  public String toString() {
    return perMinute + "/" + pods;
  }
}
