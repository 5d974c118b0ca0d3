// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;

/**
 * A kube-apiserver whose memory fills up, before the kernel kills it. Two measures have to say so:
 * resident memory alone comes near the limit in a healthy process, since Go's collector lets the
 * heap grow to GOMEMLIMIT, 85 % of the limit. Immutable.
 *
 * @param residentBytes when it was seen first
 * @param liveBytes of the heap, what the last collection could not free, at that time
 */
public record MemoryPressure(
    String pod, Optional<Quantity> limit, long residentBytes, long liveBytes)
    implements MemoryShortage {
  /** It begins at this share of the limit that is resident ... */
  static final double RESIDENT = 0.85;

  /** ... while this share of the limit is live heap, which leaves the collector no room. */
  static final double LIVE = Estimate.FULL;

  /** It ends when less than this share of the limit is live heap. */
  static final double LIVE_AGAIN = 0.55;

  /**
   * What to say now of a container.
   *
   * @param before what was said of it; that stays as it is while it goes on
   */
  public static Optional<MemoryPressure> next(
      Optional<MemoryPressure> before,
      String pod,
      Quantity limit,
      long residentBytes,
      long liveBytes) {
    double bytes = limit.getNumericalAmount().doubleValue();
    Optional<MemoryPressure> same = before.filter(any -> any.limit().equals(Optional.of(limit)));
    if (same.isPresent()) {
      return same.filter(_ -> liveBytes >= LIVE_AGAIN * bytes);
    }
    return residentBytes >= RESIDENT * bytes && liveBytes >= LIVE * bytes
        ? Optional.of(new MemoryPressure(pod, Optional.of(limit), residentBytes, liveBytes))
        : Optional.empty();
  }

  @Override
  public Reason reason() {
    return Reason.MemoryScarce;
  }

  @Override
  public String text() {
    return "pod %s uses %s of its memory limit of %s, and needs %s of that for live objects"
        .formatted(
            pod,
            Bytes.text(residentBytes),
            limit.map(Quantity::toString).orElseThrow(),
            Bytes.text(liveBytes));
  }
}
