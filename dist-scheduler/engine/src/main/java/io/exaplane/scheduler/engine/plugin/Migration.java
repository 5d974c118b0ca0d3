// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.NodeSelector;
import io.exaplane.scheduler.engine.model.Requirement;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.Volume;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Volumes of Kubernetes' own plugins as the CSI drivers see them that took over. Source:
 * k8s.io/csi-translation-lib.
 */
public final class Migration {
  private static final String ZONE = "topology.kubernetes.io/zone";
  private static final String REGION = "topology.kubernetes.io/region";
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String OLD_REGION = "failure-domain.beta.kubernetes.io/region";

  /**
   * A plugin and its successor.
   *
   * @param topologyKey by which the driver knows zones, or null if it knows none
   */
  private record Successor(String plugin, String driver, String topologyKey) {}

  private static final Map<Volume.Kind, Successor> SUCCESSORS =
      Map.of(
          Volume.Kind.AWS_ELASTIC_BLOCK_STORE,
          new Successor(
              "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "topology.ebs.csi.aws.com/zone"),
          Volume.Kind.GCE_PERSISTENT_DISK,
          new Successor("kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "topology.gke.io/zone"),
          Volume.Kind.CINDER,
          new Successor(
              "kubernetes.io/cinder",
              "cinder.csi.openstack.org",
              "topology.cinder.csi.openstack.org/zone"),
          Volume.Kind.AZURE_DISK,
          new Successor("kubernetes.io/azure-disk", "disk.csi.azure.com", null),
          Volume.Kind.PORTWORX,
          new Successor("kubernetes.io/portworx-volume", "pxd.portworx.com", null));

  private Migration() {}

  /** The driver that took over a kind of volumes, or null. */
  public static String driverOf(Volume.Kind kind) {
    return SUCCESSORS.containsKey(kind) ? SUCCESSORS.get(kind).driver() : null;
  }

  /** The driver that took over a provisioner; the provisioner itself if none did. */
  static String driverOf(String provisioner) {
    for (Successor successor : SUCCESSORS.values()) {
      if (successor.plugin().equals(provisioner)) {
        return successor.driver();
      }
    }
    return provisioner;
  }

  /** Whether the plugin of a kind was taken over on a node, by the node's own word. */
  static boolean isOn(Volume.Kind kind, CsiNode node) {
    return node != null
        && SUCCESSORS.containsKey(kind)
        && node.migrated().contains(SUCCESSORS.get(kind).plugin());
  }

  /** How a driver names a disk that a pod or a volume names so. */
  static String handle(Volume.Kind kind, String id, PersistentVolume volume) {
    return switch (kind) {
      case AWS_ELASTIC_BLOCK_STORE -> id.substring(id.lastIndexOf('/') + 1);
      case GCE_PERSISTENT_DISK -> "projects/UNSPECIFIED/" + place(volume) + "/disks/" + id;
      default -> id;
    };
  }

  private static String place(PersistentVolume volume) {
    String label = volume == null ? null : volume.labels().get(OLD_ZONE);
    if (volume != null && (label == null || label.isEmpty())) {
      label = volume.labels().get(ZONE);
    }
    if (label == null || label.isEmpty()) {
      return "zones/UNSPECIFIED";
    }
    return label.contains("__")
        ? "regions/" + label.substring(0, label.indexOf("__")).replaceFirst("-[^-]*$", "")
        : "zones/" + label;
  }

  /** The volume as the driver on the node sees it: its zones under the driver's own key. */
  static PersistentVolume translated(PersistentVolume volume, CsiNode node) {
    Volume.Kind kind = volume.source() == null ? null : volume.source().kind();
    if (kind == null || !isOn(kind, node) || SUCCESSORS.get(kind).topologyKey() == null) {
      return volume;
    }
    return volume.usableAt(zonesUnder(SUCCESSORS.get(kind).topologyKey(), volume));
  }

  private static NodeSelector zonesUnder(String key, PersistentVolume volume) {
    List<NodeSelector.Term> terms = volume.nodes() == null ? List.of() : volume.nodes().terms();
    boolean old = usesOldKeys(volume, terms);
    String zone = old ? OLD_ZONE : ZONE;
    if (names(terms, zone)) {
      terms = renamed(terms, zone, key);
    } else {
      terms = restricted(terms, key, zones(volume.labels().get(zone)));
    }
    if (old && names(terms, OLD_REGION)) {
      terms = renamed(terms, OLD_REGION, REGION);
    }
    return volume.nodes() == null && terms.isEmpty() ? null : new NodeSelector(terms);
  }

  private static boolean usesOldKeys(PersistentVolume volume, List<NodeSelector.Term> terms) {
    if (names(terms, ZONE)) {
      return false;
    }
    return names(terms, OLD_ZONE)
        || (volume.labels().get(ZONE) == null && volume.labels().get(OLD_ZONE) != null);
  }

  private static boolean names(List<NodeSelector.Term> terms, String key) {
    return terms.stream()
        .flatMap(term -> term.expressions().stream())
        .anyMatch(e -> e.key().equals(key) && !e.values().isEmpty());
  }

  private static List<NodeSelector.Term> renamed(
      List<NodeSelector.Term> terms, String from, String to) {
    return terms.stream()
        .map(
            term ->
                new NodeSelector.Term(
                    term.expressions().stream()
                        .map(
                            e ->
                                e.key().equals(from)
                                    ? new Requirement(to, e.operator(), e.values())
                                    : e)
                        .toList(),
                    term.fields()))
        .toList();
  }

  private static List<String> zones(String label) {
    TreeSet<String> zones = new TreeSet<>();
    if (label != null) {
      Arrays.stream(label.split("__")).map(String::strip).forEach(zones::add);
      zones.remove("");
    }
    return List.copyOf(zones);
  }

  private static List<NodeSelector.Term> restricted(
      List<NodeSelector.Term> terms, String key, List<String> zones) {
    if (zones.isEmpty()) {
      return terms;
    }
    Requirement in = new Requirement(key, Requirement.Operator.IN, zones);
    List<NodeSelector.Term> result = new ArrayList<>();
    for (NodeSelector.Term term : terms) {
      List<Requirement> expressions = new ArrayList<>(term.expressions());
      expressions.add(in);
      result.add(new NodeSelector.Term(expressions, term.fields()));
    }
    return result.isEmpty() ? List.of(new NodeSelector.Term(List.of(in), List.of())) : result;
  }
}
