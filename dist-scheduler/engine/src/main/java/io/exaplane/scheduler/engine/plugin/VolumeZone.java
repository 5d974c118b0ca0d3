// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.NodeTable;
import io.exaplane.scheduler.engine.model.PodClass;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.Volumes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Keeps pods in the zones and regions of their volumes, by the labels of both. */
public final class VolumeZone implements Plugin {
  private static final String NAME = "VolumeZone";
  private static final Status ELSEWHERE =
      Status.unresolvable(NAME, "node(s) had no available volume zone");

  /** The labels that count, and what older ones are called now. */
  private static final Map<String, String> KEYS = new LinkedHashMap<>();

  static {
    KEYS.put("failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone");
    KEYS.put("failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region");
    KEYS.put("topology.kubernetes.io/zone", null);
    KEYS.put("topology.kubernetes.io/region", null);
  }

  /**
   * Where a volume is.
   *
   * @param key of a label of nodes
   * @param values that it may have
   */
  public record Place(String key, Set<String> values) {}

  /** Where a volume is, by its labels; nothing if they do not say. */
  public static List<Place> placesOf(PersistentVolume volume) {
    List<Place> places = new ArrayList<>();
    for (String key : KEYS.keySet()) {
      Set<String> values = values(volume.labels().get(key));
      if (!values.isEmpty()) {
        places.add(new Place(key, values));
      }
    }
    return places;
  }

  /** A label with an empty part does not count at all. */
  private static Set<String> values(String label) {
    Set<String> values = new TreeSet<>();
    if (label != null) {
      for (String value : label.split("__", -1)) {
        if (value.isBlank()) {
          return Set.of();
        }
        values.add(value.strip());
      }
    }
    return values;
  }

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
    boolean claims = pods.spec().volumes().stream().anyMatch(v -> v.kind() == Volume.Kind.CLAIM);
    return claims ? new ZoneFilter(pods.spec(), cluster) : null;
  }

  private static final class ZoneFilter extends Filter {
    private final PodSpec pod;
    private final Volumes volumes;
    private final NodeTable nodes;
    private final List<Place> places = new ArrayList<>();

    ZoneFilter(PodSpec pod, Cluster cluster) {
      super(NAME);
      this.pod = pod;
      volumes = cluster.volumes();
      nodes = cluster.nodes();
    }

    @Override
    public PreFilter prepare() {
      places.clear();
      for (Volume volume : pod.volumes()) {
        if (volume.kind() == Volume.Kind.CLAIM) {
          Status problem = addPlaces(volume);
          if (problem != null) {
            return PreFilter.reject(problem);
          }
        }
      }
      return places.isEmpty() ? PreFilter.SKIP : PreFilter.ALL_NODES;
    }

    private Status addPlaces(Volume volume) {
      if (volume.id().isEmpty()) {
        return Status.unresolvable(NAME, "PersistentVolumeClaim had no name");
      }
      Claim claim = volumes.claim(pod.namespace(), volume.id());
      if (claim == null) {
        return ClaimStatus.notFound(NAME, volume.id());
      }
      if (claim.volumeName().isEmpty()) {
        return withoutVolume(claim);
      }
      PersistentVolume persistent = volumes.volume(claim.volumeName());
      if (persistent == null) {
        return Status.unresolvable(
            NAME, "persistentvolume \"%s\" not found".formatted(claim.volumeName()));
      }
      places.addAll(placesOf(persistent));
      return null;
    }

    private Status withoutVolume(Claim claim) {
      if (claim.storageClass().isEmpty()) {
        return Status.unresolvable(
            NAME, "PersistentVolumeClaim had no pv name and storageClass name");
      }
      StorageClass storageClass = volumes.storageClass(claim.storageClass());
      if (storageClass == null) {
        return Status.unresolvable(
            NAME, "storageclass.storage.k8s.io \"%s\" not found".formatted(claim.storageClass()));
      }
      if (storageClass.bindingMode().isEmpty()) {
        return Status.unresolvable(
            NAME,
            "VolumeBindingMode not set for StorageClass \"%s\"".formatted(storageClass.name()));
      }
      return storageClass.waitsForConsumer()
          ? null
          : Status.unresolvable(NAME, "PersistentVolume had no name");
    }

    @Override
    public long test(int node) {
      Labels labels = nodes.node(node).labels();
      if (KEYS.keySet().stream().allMatch(key -> labels.get(key) == null)) {
        return PASSES;
      }
      for (Place place : places) {
        String value = labels.get(place.key());
        if (value == null && KEYS.get(place.key()) != null) {
          value = labels.get(KEYS.get(place.key()));
        }
        if (value == null || !place.values().contains(value)) {
          return 1;
        }
      }
      return PASSES;
    }

    @Override
    public Status explain(long verdict) {
      return ELSEWHERE;
    }
  }
}
