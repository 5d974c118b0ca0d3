// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Numbers;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Memory that each kube-apiserver gets beyond the model's, since one was killed for its memory, or
 * is about to be. Immutable.
 *
 * @param shortage the container whose limit is too small
 * @param grown the limit that was applied when one was too small before
 * @param storedBytes what the stores hold that it loads
 * @param loads memory, bytes, in which it loads that, by the model
 */
public record MemoryGrowth(
    Optional<MemoryShortage> shortage, Optional<Quantity> grown, double storedBytes, double loads) {
  /** On its Deployment: the limit that was applied. */
  public static final String ANNOTATION = "exaplane.io/grown-memory";

  private static final Pattern AMOUNT = Pattern.compile("[1-9]\\d{0,9}(Mi|Gi)");

  private static final int FACTOR = 2;
  private static final String FIELD = "spec.apiServer.resources";

  /** The limit that was applied, as a Deployment says it; nothing if that is no amount. */
  public static Optional<Quantity> applied(Deployment deployment) {
    return Optional.ofNullable(deployment.getMetadata().getAnnotations())
        .flatMap(annotations -> Optional.ofNullable(annotations.get(ANNOTATION)))
        .filter(AMOUNT.asMatchPredicate())
        .map(Quantity::new);
  }

  /**
   * The limits that would do, the best first: the model's, or that to which it grew. A limit that
   * was too small gives a larger one, once: it is not too small any more when it has grown. Stores
   * count versions that a kube-apiserver does not load, so twice what was too small is tried, too.
   */
  List<Quantity> limits(Quantity model) {
    double had =
        Stream.concat(Stream.of(model), grown.stream())
            .mapToDouble(MemoryGrowth::bytes)
            .max()
            .orElseThrow();
    double tooSmall = shortage.map(MemoryShortage::limitBytes).orElse(0.0);
    return tooSmall < had
        ? List.of(quantity(had))
        : Stream.of(enough(), FACTOR * tooSmall).distinct().map(MemoryGrowth::quantity).toList();
  }

  /** The least that would do. */
  private double enough() {
    return Math.max(FACTOR * shortage.map(MemoryShortage::limitBytes).orElse(0.0), loads);
  }

  private static double bytes(Quantity quantity) {
    return quantity.getNumericalAmount().doubleValue();
  }

  private static Quantity quantity(double bytes) {
    return ContainerRequests.mebibytes((long) (Numbers.roundUp(bytes, Bytes.MIB) / Bytes.MIB));
  }

  /** What is said of it while the user's own resources count. */
  Optional<Problem> ofNamed() {
    return shortage.map(
        end ->
            new Problem(
                end.reason(),
                "%s; %s. Raise the memory in %s to at least %s"
                    .formatted(end.text(), loading(), FIELD, Bytes.text(enough()))));
  }

  /**
   * What is said of it when the user named no memory.
   *
   * @param limit that each is to have
   * @param has whether each has it
   */
  Optional<Problem> ofLimit(Quantity limit, boolean has) {
    return shortage.map(
        end ->
            new Problem(
                end.reason(),
                "%s; %s. %s"
                    .formatted(
                        end.text(),
                        loading(),
                        has
                            ? "Each kube-apiserver gets a limit of %s. To change that limit, set %s"
                                .formatted(limit, FIELD)
                            : "No node has room for a kube-apiserver of %s, so the operator changed nothing. Add a larger node, or set %s"
                                .formatted(limit, FIELD))));
  }

  private String loading() {
    return "the stores held %s when they were last asked, and a kube-apiserver needs %s to load that, by the model"
        .formatted(Bytes.text(storedBytes), Bytes.text(loads));
  }
}
