// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Settings of a store of the engine Memory. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!has(self.prefixes) || self.prefixes.all(p, self.prefixes.exists_one(q, q.prefix =="
            + " p.prefix))",
    message = "memory.prefixes: contains a prefix twice; keep one")
public record MemoryEngineSpec(
    @JsonPropertyDescription(
            "Failures that an acknowledged write survives. Memory: none, since the write"
                + " is in memory only. Buffered: the end of the process, but not of the machine."
                + " Fsync: loss of power, if the volume survives it. Default: Fsync for a"
                + " Critical store, Buffered for a BestEffort store.")
        StoreDurability durability,
    @Pattern(SIZE)
        @JsonPropertyDescription(
            "Largest size of all kept versions, for example 512Mi or 2Gi. Above it the store"
                + " refuses new versions until deletions and compaction make room. The container's"
                + " memory is the upper bound. Default: that bound, and at most a third of the"
                + " volume's size. A new store of a ControlPlane also gets at most what a"
                + " kube-apiserver loads within its memory limit: the limit in"
                + " spec.apiServer.resources, or the model's (then at least 256Mi). The store keeps"
                + " that quota until you name another.")
        String quota,
    @Pattern(SIZE)
        @JsonPropertyDescription(
            "Largest memory of one kube-apiserver that has loaded the store's objects, for example"
                + " 512Mi or 2Gi. The store estimates that memory from the objects' bytes, and for"
                + " custom resources from the number of their maps, lists and fields. Events do not"
                + " count. Above the quota, the store refuses new data until deletions make room."
                + " Default: no limit, or for a new store of a ControlPlane without a quota, the"
                + " memory that a kube-apiserver has for its objects. The store keeps that value"
                + " until you name another.")
        String loadQuota,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Settings for keys with certain prefixes, for example {prefix:"
                + " /registry/events/, history: 1m}; the longest matching prefix counts. A"
                + " Critical store of durability Fsync keeps /registry/leases/kube-node-lease/"
                + " and /registry/events/ in memory only, unless an entry sets their durability."
                + " A store of an older bundle does so from its next bundle on.")
        List<StorePrefix> prefixes) {

  /** Without a quota of what is loaded. */
  public MemoryEngineSpec(StoreDurability durability, String quota, List<StorePrefix> prefixes) {
    this(durability, quota, null, prefixes);
  }

  /** Memory that the store's container asks for when its resources say nothing of it. */
  public static final String DEFAULT_MEMORY_REQUEST = "256Mi";

  /** Its limit then: by it the store finds out how much it may hold. */
  public static final String DEFAULT_MEMORY_LIMIT = "4Gi";

  /** Sizes as users write them: rules over quantities would cost the API server too much. */
  static final String SIZE = "^[1-9][0-9]{0,3}(Mi|Gi)$";

  private static final long SPARE_VOLUME_BYTES = 256L << 20;
  private static final long COPIES_ON_VOLUME = 3;

  /**
   * Bytes that a store may hold: what was asked for, else a part of the volume, where there may be
   * an old snapshot, a log as long, and a new snapshot. The store itself takes no more than its
   * container's memory allows.
   *
   * @param volumeBytes size of the volume, if there is a bound
   */
  public static OptionalLong quotaBytes(MemoryEngineSpec memory, Optional<Long> volumeBytes) {
    if (memory != null && memory.quota != null) {
      return OptionalLong.of(new Quantity(memory.quota).getNumericalAmount().longValue());
    }
    return volumeBytes
        .map(size -> OptionalLong.of((size - SPARE_VOLUME_BYTES) / COPIES_ON_VOLUME))
        .orElse(OptionalLong.empty());
  }

  /** Bytes of a kube-apiserver's memory that the store's objects may take, if there is a bound. */
  public static OptionalLong loadQuotaBytes(MemoryEngineSpec memory) {
    return memory == null || memory.loadQuota == null
        ? OptionalLong.empty()
        : OptionalLong.of(new Quantity(memory.loadQuota).getNumericalAmount().longValue());
  }

  /** Bytes of a volume on which a store may hold so much: the reverse of {@link #quotaBytes}. */
  public static long volumeBytes(long quotaBytes) {
    return quotaBytes * COPIES_ON_VOLUME + SPARE_VOLUME_BYTES;
  }
}
