// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps pods on nodes where their volumes can be used, found or made. Source:
 * pkg/scheduler/framework/plugins/volumebinding.
 *
 * @param shape scores by how much of the room for volumes is taken, in percent, ascending; empty if
 *     nodes are not scored, as until 1.36
 */
public record VolumeBinding(List<ScoringStrategy.Point> shape) implements Plugin {
  static final String NAME = "VolumeBinding";

  /** kube-scheduler's default shape: more free room scores higher. */
  static final List<ScoringStrategy.Point> LEAST_TAKEN =
      List.of(new ScoringStrategy.Point(0, Scorer.MAX), new ScoringStrategy.Point(100, 0));

  private static final String[] REASONS = {
    "node(s) didn't match PersistentVolume's node affinity",
    "node(s) didn't find available persistent volumes to bind",
    "node(s) did not have enough free storage",
    "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
  };

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean isAboutVolumes() {
    return true;
  }

  @Override
  public Filter filter(PodClass pods, Cluster cluster) {
    boolean claims = pods.spec().volumes().stream().anyMatch(Volume::isClaim);
    return claims ? new BindingFilter(pods.spec(), cluster) : null;
  }

  /** A pod without claims is scored, too, as kube-scheduler does: everywhere alike. */
  @Override
  public Scorer scorer(PodClass pods, Cluster cluster) {
    if (shape.isEmpty()) {
      return null;
    }
    boolean claims = pods.spec().volumes().stream().anyMatch(Volume::isClaim);
    return claims ? new VolumeScorer(pods.spec(), cluster, shape) : new Alike();
  }

  /** Every node is worth the same: nothing. */
  private static final class Alike extends Scorer {
    Alike() {
      super(NAME);
    }

    @Override
    public Scope scope() {
      return Scope.NODE;
    }

    @Override
    public long score(int node) {
      return 0;
    }
  }

  /** Whether nodes differ in what they are worth to a pod's volumes. */
  public boolean tellsNodesApart(PodSpec pod, Volumes volumes) {
    return !shape.isEmpty() && pod.volumes().stream().anyMatch(v -> isDelayed(v, pod, volumes));
  }

  private static boolean isDelayed(Volume volume, PodSpec pod, Volumes volumes) {
    Claim claim = volume.isClaim() ? volumes.claim(pod.namespace(), volume.id()) : null;
    return claim != null && !claim.isBound();
  }

  /** What a pod's claims that wait for its node get there. */
  public static VolumePlan plan(PodSpec pod, Node node, Volumes volumes) {
    if (pod.volumes().stream().noneMatch(Volume::isClaim)) {
      return VolumePlan.NONE;
    }
    List<Claim> delayed = new ArrayList<>();
    for (Volume volume : pod.volumes()) {
      Claim claim = volume.isClaim() ? volumes.claim(pod.namespace(), volume.id()) : null;
      if (claim != null && !claim.isBound()) {
        delayed.add(claim);
      }
    }
    return new ClaimMatch(volumes, node, delayed, ClaimMatch.candidates(volumes, delayed)).plan();
  }

  /** How far the claims of a pod are that goes to a node. */
  public enum Progress {
    /** Some are not bound yet, or their volumes not known. */
    WAITING,
    /** All are bound, and can be used there. */
    READY,
    /** A claim is gone or lost, or bound to a volume that cannot be used there. */
    UNUSABLE
  }

  /** How far the claims of a pod are that goes to this node. */
  public static Progress progress(PodSpec pod, Node node, Volumes volumes) {
    List<Claim> bound = new ArrayList<>();
    boolean waits = false;
    for (Volume volume : pod.volumes()) {
      if (volume.isClaim()) {
        Claim claim = volumes.claim(pod.namespace(), volume.id());
        if (claim == null || claim.lost()) {
          return Progress.UNUSABLE;
        }
        waits |= !claim.isBound() || volumes.volume(claim.volumeName()) == null;
        bound.add(claim);
      }
    }
    if (waits) {
      return Progress.WAITING;
    }
    boolean usable = new BoundClaims(volumes, node).test(bound) == Filter.PASSES;
    return usable ? Progress.READY : Progress.UNUSABLE;
  }

  private static final class BindingFilter extends Filter {
    private final PodSpec pod;
    private final Cluster cluster;
    private final Volumes volumes;
    private final List<Claim> bound = new ArrayList<>();
    private final List<Claim> delayed = new ArrayList<>();
    private List<PersistentVolume> candidates = List.of();

    BindingFilter(PodSpec pod, Cluster cluster) {
      super(NAME);
      this.pod = pod;
      this.cluster = cluster;
      volumes = cluster.volumes();
    }

    @Override
    public PreFilter prepare() {
      bound.clear();
      delayed.clear();
      for (Volume volume : pod.volumes()) {
        Status problem = volume.isClaim() ? problemOf(volume) : null;
        if (problem != null) {
          return PreFilter.reject(problem);
        }
      }
      boolean immediate = false;
      for (Volume volume : pod.volumes()) {
        if (volume.isClaim()) {
          immediate |= !sort(volumes.claim(pod.namespace(), volume.id()));
        }
      }
      candidates = ClaimMatch.candidates(volumes, delayed);
      return immediate
          ? PreFilter.reject(
              Status.unresolvable(NAME, "pod has unbound immediate PersistentVolumeClaims"))
          : PreFilter.ALL_NODES;
    }

    private Status problemOf(Volume volume) {
      Claim claim = volumes.claim(pod.namespace(), volume.id());
      if (claim == null) {
        return volume.kind() == Volume.Kind.CLAIM
            ? ClaimStatus.notFound(NAME, volume.id())
            : Status.unresolvable(
                NAME,
                "waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                    .formatted(volume.id()));
      }
      if (claim.lost()) {
        return Status.unresolvable(
            NAME,
            "persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                .formatted(claim.name(), claim.volumeName()));
      }
      if (claim.terminating()) {
        return Status.unresolvable(
            NAME, "persistentvolumeclaim \"%s\" is being deleted".formatted(claim.name()));
      }
      return ClaimStatus.isOwned(claim, volume)
          ? null
          : ClaimStatus.notOwned(NAME, claim, pod, volume);
    }

    /** False if the claim should have been bound before the pod is scheduled. */
    private boolean sort(Claim claim) {
      if (claim.isBound()) {
        bound.add(claim);
        return true;
      }
      StorageClass storageClass = volumes.storageClass(claim.storageClass());
      boolean waits = storageClass != null && storageClass.waitsForConsumer();
      if (waits && claim.volumeName().isEmpty()) {
        delayed.add(claim);
        return true;
      }
      return false;
    }

    @Override
    public long test(int id) {
      Node node = cluster.nodes().node(id);
      long verdict = bound.isEmpty() ? PASSES : new BoundClaims(volumes, node).test(bound);
      return delayed.isEmpty()
          ? verdict
          : verdict | new ClaimMatch(volumes, node, delayed, candidates).test();
    }

    @Override
    public Status explain(long verdict) {
      List<String> reasons = new ArrayList<>();
      for (int i = 0; i < REASONS.length; i++) {
        if ((verdict & 1L << i) != 0) {
          reasons.add(REASONS[i]);
        }
      }
      return new Status(NAME, Code.UNSCHEDULABLE_AND_UNRESOLVABLE, reasons);
    }
  }
}
