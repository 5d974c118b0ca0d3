// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes up volumes: claims in every state, disks of several kinds, classes that find or make. */
final class VolumeMaker {
  private static final int CLAIMS = 6;
  private static final String OLD_ZONE = "failure-domain.beta.kubernetes.io/zone";
  private static final String SELECTED = "volume.kubernetes.io/selected-node";

  private final Dice dice;
  private final List<Map<String, Object>> objects = new ArrayList<>();
  private int volumes;

  VolumeMaker(Dice dice) {
    this.dice = dice;
  }

  /** Classes, volumes, claims, and what nodes and drivers say. */
  List<Map<String, Object>> objects(int nodes) {
    classes();
    for (int node = 0; node < nodes; node++) {
      if (!dice.chance(0.2)) {
        csiNode(node);
      }
    }
    for (String namespace : PodMaker.NAMESPACES) {
      for (int i = 0; i < CLAIMS; i++) {
        if (!dice.chance(0.08)) {
          claim(namespace, "c" + i, nodes, null);
        }
      }
    }
    for (int i = dice.below(5); i > 0; i--) {
      volume(dice.one("local", "fast"), nodes, null);
    }
    return objects;
  }

  private void classes() {
    objects.add(
        storageClass("local", "kubernetes.io/no-provisioner", "WaitForFirstConsumer", null));
    objects.add(storageClass("fast", "csi.example.org", "WaitForFirstConsumer", null));
    objects.add(storageClass("now", "csi.example.org", "Immediate", null));
    objects.add(storageClass("roomy", "room.example.org", "WaitForFirstConsumer", null));
    objects.add(storageClass("ebs", "kubernetes.io/aws-ebs", "WaitForFirstConsumer", null));
    objects.add(
        storageClass(
            "zonal",
            "csi.example.org",
            "WaitForFirstConsumer",
            List.of(
                map(
                    "matchLabelExpressions",
                    List.of(
                        map(
                            "key",
                            NodeMaker.ZONE,
                            "values",
                            List.of("eu-west-0", "eu-west-1")))))));
    objects.add(driver("csi.example.org", false));
    objects.add(driver("room.example.org", true));
    for (int i = dice.below(3); i > 0; i--) {
      objects.add(
          map(
              "apiVersion", "storage.k8s.io/v1",
              "kind", "CSIStorageCapacity",
              "metadata", map("name", "room" + i, "namespace", "kube-system"),
              "storageClassName", "roomy",
              "capacity", dice.one("1Gi", "10Gi", null),
              "maximumVolumeSize", dice.one("2Gi", "20Gi", null),
              "nodeTopology",
                  dice.one(map("matchLabels", map(NodeMaker.ZONE, "eu-west-0")), map(), null)));
    }
  }

  private static Map<String, Object> storageClass(
      String name, String provisioner, String mode, List<Map<String, Object>> topologies) {
    return map(
        "apiVersion",
        "storage.k8s.io/v1",
        "kind",
        "StorageClass",
        "metadata",
        map("name", name),
        "provisioner",
        provisioner,
        "volumeBindingMode",
        mode,
        "allowedTopologies",
        topologies);
  }

  private static Map<String, Object> driver(String name, boolean capacity) {
    return map(
        "apiVersion",
        "storage.k8s.io/v1",
        "kind",
        "CSIDriver",
        "metadata",
        map("name", name),
        "spec",
        map("storageCapacity", capacity));
  }

  private void csiNode(int node) {
    List<Map<String, Object>> drivers = new ArrayList<>();
    for (String driver :
        List.of(
            "csi.example.org", "room.example.org", "ebs.csi.aws.com", "pd.csi.storage.gke.io")) {
      drivers.add(
          map(
              "name",
              driver,
              "nodeID",
              "n" + node,
              "allocatable",
              dice.chance(0.6) ? map("count", dice.between(0, 3)) : null));
    }
    String migrated =
        dice.one("kubernetes.io/aws-ebs,kubernetes.io/gce-pd", "kubernetes.io/cinder", null);
    objects.add(
        map(
            "apiVersion",
            "storage.k8s.io/v1",
            "kind",
            "CSINode",
            "metadata",
            map(
                "name",
                "n" + node,
                "annotations",
                migrated == null
                    ? null
                    : map("storage.alpha.kubernetes.io/migrated-plugins", migrated)),
            "spec",
            map("drivers", drivers)));
  }

  /** A claim; if it belongs to a pod, the volume of which it is. */
  void claim(String namespace, String name, int nodes, String ownerUid) {
    String storageClass =
        dice.one("local", "fast", "fast", "now", "roomy", "ebs", "zonal", "absent");
    boolean bound = dice.chance(0.5);
    String uid = "uid-" + namespace + "-" + name;
    String volume = null;
    if (bound) {
      volume =
          dice.chance(0.05)
              ? "lost"
              : volume(storageClass, nodes, map("namespace", namespace, "name", name, "uid", uid));
      if (volume.startsWith("pv") && dice.chance(0.3)) {
        attachment(volume, nodes);
      }
    }
    Map<String, Object> annotations =
        map("pv.kubernetes.io/bind-completed", bound && !dice.chance(0.1) ? "yes" : null);
    if (!bound && dice.chance(0.15)) {
      annotations.put(SELECTED, "n" + dice.below(nodes));
    }
    objects.add(
        map(
            "apiVersion", "v1",
            "kind", "PersistentVolumeClaim",
            "metadata",
                map(
                    "name",
                    name,
                    "namespace",
                    namespace,
                    "uid",
                    uid,
                    "annotations",
                    annotations.isEmpty() ? null : annotations,
                    "deletionTimestamp",
                    dice.chance(0.03) ? "2026-02-01T00:00:00Z" : null,
                    "finalizers",
                    List.of("kubernetes.io/pvc-protection"),
                    "ownerReferences",
                    ownerUid == null
                        ? null
                        : List.of(
                            map(
                                "apiVersion",
                                "v1",
                                "kind",
                                "Pod",
                                "name",
                                "p",
                                "uid",
                                ownerUid,
                                "controller",
                                true))),
            "spec",
                map(
                    "accessModes",
                    List.of(
                        dice.one(
                            "ReadWriteOnce", "ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod")),
                    "storageClassName",
                    dice.chance(0.05) ? null : storageClass,
                    "volumeName",
                    volume,
                    "volumeMode",
                    dice.one("Filesystem", "Filesystem", "Block", null),
                    "selector",
                    dice.chance(0.1) ? map("matchLabels", map("tier", "gold")) : null,
                    "resources",
                    map("requests", map("storage", dice.one("1Gi", "2Gi", "5Gi")))),
            "status", map("phase", dice.chance(0.02) ? "Lost" : bound ? "Bound" : "Pending")));
  }

  private String volume(String storageClass, int nodes, Map<String, Object> claim) {
    String name = "pv" + volumes++;
    Map<String, Object> reference = claim;
    if (claim == null && dice.chance(0.3)) {
      reference = map("namespace", dice.one(PodMaker.NAMESPACES), "name", "c" + dice.below(CLAIMS));
    }
    Map<String, Object> spec =
        map(
            // No two alike: kube-scheduler takes any of those that are equally small.
            "capacity",
            map("storage", (2_000_000_000L + volumes * 1_000_003L) + ""),
            "accessModes",
            dice.one(
                List.of("ReadWriteOnce", "ReadWriteMany"),
                List.of("ReadWriteOnce"),
                List.of("ReadWriteOncePod", "ReadWriteOnce")),
            "storageClassName",
            storageClass,
            "volumeMode",
            dice.one("Filesystem", "Filesystem", "Block", null),
            "claimRef",
            reference,
            "nodeAffinity",
            dice.chance(0.6)
                ? map("required", map("nodeSelectorTerms", List.of(nodeTerm(nodes))))
                : null);
    spec.putAll(source(name));
    objects.add(
        map(
            "apiVersion",
            "v1",
            "kind",
            "PersistentVolume",
            "metadata",
            map("name", name, "labels", labels()),
            "spec",
            spec,
            "status",
            map("phase", claim != null ? "Bound" : dice.chance(0.8) ? "Available" : "Released")));
    return name;
  }

  private Map<String, Object> labels() {
    Map<String, Object> labels =
        map(
            NodeMaker.ZONE,
            dice.chance(0.3)
                ? dice.one("eu-west-0", "eu-west-1", "eu-west-0__eu-west-1", "")
                : null,
            OLD_ZONE,
            dice.chance(0.15) ? dice.one("eu-west-0", "eu-west-2") : null,
            "tier",
            dice.chance(0.4) ? "gold" : null);
    return labels.isEmpty() ? null : labels;
  }

  private Map<String, Object> nodeTerm(int nodes) {
    return dice.one(
        map(
            "matchExpressions",
            List.of(
                map(
                    "key",
                    NodeMaker.HOSTNAME,
                    "operator",
                    "In",
                    "values",
                    List.of("n" + dice.below(nodes), "n" + dice.below(nodes))))),
        map(
            "matchExpressions",
            List.of(
                map(
                    "key",
                    NodeMaker.ZONE,
                    "operator",
                    "In",
                    "values",
                    List.of("eu-west-0", "eu-west-1")))),
        map(
            "matchExpressions",
            List.of(map("key", OLD_ZONE, "operator", "In", "values", List.of("eu-west-0")))),
        map("matchExpressions", List.of(map("key", "rack", "operator", "Exists"))));
  }

  private Map<String, Object> source(String name) {
    return dice.one(
        map("csi", map("driver", "csi.example.org", "volumeHandle", name)),
        map("csi", map("driver", "csi.example.org", "volumeHandle", name)),
        map("awsElasticBlockStore", map("volumeID", "vol-" + name)),
        map("gcePersistentDisk", map("pdName", name)),
        map("local", map("path", "/mnt/" + name)));
  }

  private void attachment(String volume, int nodes) {
    objects.add(
        map(
            "apiVersion",
            "storage.k8s.io/v1",
            "kind",
            "VolumeAttachment",
            "metadata",
            map("name", "a-" + volume),
            "spec",
            map(
                "attacher",
                "csi.example.org",
                "nodeName",
                "n" + dice.below(nodes),
                "source",
                map("persistentVolumeName", volume))));
  }

  /**
   * Volumes of a pod, with the claims of its own that it needs.
   *
   * @param waitsForNone whether it is on no node and waits for none: then some are another pod's
   */
  List<Map<String, Object>> ofPod(String namespace, String pod, int nodes, boolean waitsForNone) {
    List<Map<String, Object>> result = new ArrayList<>();
    for (int i = 0, n = dice.between(1, 3); i < n; i++) {
      String name = "v" + i;
      result.add(
          dice.one(
              claimVolume(name),
              claimVolume(name),
              claimVolume(name),
              map(
                  "name",
                  name,
                  "gcePersistentDisk",
                  map("pdName", dice.one("d1", "d2"), "readOnly", dice.chance(0.5))),
              map(
                  "name",
                  name,
                  "awsElasticBlockStore",
                  map("volumeID", dice.one("vol-1", "vol-2"), "readOnly", true)),
              map(
                  "name",
                  name,
                  "iscsi",
                  map(
                      "targetPortal",
                      "t",
                      "iqn",
                      dice.one("iqn.1", "iqn.2"),
                      "lun",
                      0,
                      "readOnly",
                      dice.chance(0.5))),
              map(
                  "name",
                  name,
                  "rbd",
                  map(
                      "monitors",
                      dice.one(List.of("a", "b"), List.of("b", "c"), List.of("d")),
                      "pool",
                      "rbd",
                      "image",
                      "i1",
                      "readOnly",
                      dice.chance(0.5))),
              map("name", name, "emptyDir", map())));
      if (dice.chance(0.15)) {
        result.set(
            i, map("name", name, "ephemeral", map("volumeClaimTemplate", map("spec", map()))));
        if (!dice.chance(0.1)) {
          claim(
              namespace,
              pod + "-" + name,
              nodes,
              waitsForNone && dice.chance(0.1) ? "another" : "uid-" + pod);
        }
      }
    }
    return result;
  }

  private Map<String, Object> claimVolume(String name) {
    return map("name", name, "persistentVolumeClaim", map("claimName", "c" + dice.below(CLAIMS)));
  }
}
