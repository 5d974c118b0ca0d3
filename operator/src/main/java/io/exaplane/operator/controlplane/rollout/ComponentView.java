// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.rollout;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one pass sees of a component, and wants of it. Immutable.
 *
 * @param component as "apiserver"
 * @param serves whether its pods are kube-apiservers, which settle by their own metrics
 * @param template identity of the template that is wanted
 * @param isBack whether that is an earlier one, since the one of the spec did not settle
 * @param replicas that are wanted
 * @param live its Deployment, if it is there
 */
public record ComponentView(
    String component,
    boolean serves,
    String template,
    boolean isBack,
    int replicas,
    Optional<Live> live) {

  /**
   * A Deployment as it is.
   *
   * @param template identity of its template; null if an earlier operator wrote it
   * @param replicas that it asks for
   * @param hold how far it goes by itself
   * @param observed whether its counts are those of its newest spec
   * @param updated pods of its newest template
   * @param total its pods
   * @param ready pods that are ready
   * @param available pods that Kubernetes counts as available
   * @param newest pods of the newest template; empty while they are not known
   * @param youngest the pod that was made last
   * @param counted whether as many pods were seen as it counts
   * @param refusal why the API server takes no pod of it, if it does not
   */
  public record Live(
      String template,
      int replicas,
      Hold hold,
      boolean observed,
      int updated,
      int total,
      int ready,
      int available,
      List<PodView> newest,
      Optional<PodView> youngest,
      boolean counted,
      Optional<String> refusal) {

    /** Whether pods of another template are left: a new Deployment has none. */
    boolean replaces() {
      return total > updated;
    }

    /** The first trouble of some of its pods, or why there are none; null without trouble. */
    String words(List<PodView> pods) {
      return pods.stream()
          .filter(pod -> pod.readySince().isEmpty())
          .findFirst()
          .map(
              pod ->
                  "pod %s: %s"
                      .formatted(pod.name(), pod.trouble().orElse("it does not become ready")))
          .or(() -> refusal.map("the management cluster refuses a new pod: %s"::formatted))
          .orElse(null);
    }
  }

  /**
   * A pod.
   *
   * @param readySince since when it is ready, if it is
   * @param load what its metrics say, as far as they could be read
   * @param trouble why it is not ready, in words
   */
  public record PodView(
      String name,
      Optional<Instant> readySince,
      Optional<ServerLoad> load,
      Optional<String> trouble) {}
}
