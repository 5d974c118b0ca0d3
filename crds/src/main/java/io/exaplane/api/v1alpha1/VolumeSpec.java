// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Optional;

/** Where a store keeps its data. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.storageClassName) || !has(self.type) || self.type == 'PersistentVolume'",
    message =
        "storage.storageClassName: is for type PersistentVolume only; remove it or change"
            + " storage.type")
@ValidationRule(
    value = "!has(self.size) || quantity(string(self.size)).compareTo(quantity('1Gi')) >= 0",
    message =
        "storage.size: must be at least 1Gi, since journal and snapshots, or etcd's "
            + "write-ahead log, need space; choose a larger size")
public record VolumeSpec(
    @JsonPropertyDescription(
            "PersistentVolume: the data outlives the pod. EmptyDir: the data is lost with the pod;"
                + " for BestEffort stores. EmptyDirLosesDataWithPod: the same for a Critical store;"
                + " an eviction, a drain or a lost node deletes every object of the hosted cluster."
                + " Default: PersistentVolume for a Critical store or when storageClassName is set,"
                + " EmptyDir for a BestEffort store.")
        VolumeType type,
    @JsonPropertyDescription(
            "Size of a PersistentVolume's claim (default: the size that the store's memory"
                + " can fill, at least 10Gi), or limit of an EmptyDir (default: none). For"
                + " example 50Gi. A larger size grows the claim in place if its StorageClass"
                + " allows expansion, and the store's quota follows. A smaller size is refused.")
        Quantity size,
    @Size(max = 253)
        @JsonPropertyDescription("StorageClass of the claim. Default: the management cluster's.")
        String storageClassName) {

  /** The same of another size. */
  public VolumeSpec ofSize(Quantity other) {
    return new VolumeSpec(type, other, storageClassName);
  }

  /** What Kubernetes documents as etcd's suggested maximum. */
  private static final long ETCD_QUOTA_BYTES = 8L << 30;

  private static final long ETCD_LOG_BYTES = 512L << 20;

  public static final Quantity DEFAULT_CLAIM = new Quantity("10Gi");

  /** Bytes of the volume, if there is a bound. */
  public static Optional<Long> bytes(VolumeSpec volume, Criticality criticality) {
    return Optional.ofNullable(volume)
        .map(VolumeSpec::size)
        .or(
            () ->
                type(volume, criticality).outlivesPod()
                    ? Optional.of(DEFAULT_CLAIM)
                    : Optional.empty())
        .map(size -> size.getNumericalAmount().longValue());
  }

  /**
   * Bytes that an etcd is given on the volume: below a size that is asked for by what its
   * write-ahead log takes (five files of 64 MB and the one that is preallocated), so that it raises
   * its alarm before the disk is full.
   */
  public static long etcdQuotaBytes(VolumeSpec volume) {
    return volume == null || volume.size == null
        ? ETCD_QUOTA_BYTES
        : Math.min(ETCD_QUOTA_BYTES, volume.size.getNumericalAmount().longValue() - ETCD_LOG_BYTES);
  }

  /** The kind of volume, with the default of such a store filled in. */
  public static VolumeType type(VolumeSpec volume, Criticality criticality) {
    if (volume != null && volume.type != null) {
      return volume.type;
    }
    boolean kept = criticality != Criticality.BestEffort;
    return kept || volume != null && volume.storageClassName != null
        ? VolumeType.PersistentVolume
        : VolumeType.EmptyDir;
  }
}
