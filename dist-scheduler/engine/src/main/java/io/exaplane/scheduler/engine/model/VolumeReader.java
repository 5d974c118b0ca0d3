// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.volume.Claim;
import io.exaplane.scheduler.engine.model.volume.CsiDriver;
import io.exaplane.scheduler.engine.model.volume.CsiNode;
import io.exaplane.scheduler.engine.model.volume.PersistentVolume;
import io.exaplane.scheduler.engine.model.volume.StorageCapacity;
import io.exaplane.scheduler.engine.model.volume.StorageClass;
import io.exaplane.scheduler.engine.model.volume.Volume;
import io.exaplane.scheduler.engine.model.volume.VolumeAttachment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Reads volumes of pods, and the objects that are about volumes. */
final class VolumeReader {
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins";

  /** Fields of volumes that are disks, with the field that identifies the disk. */
  private static final Map<String, Volume.Kind> KINDS = new LinkedHashMap<>();

  private static final Map<Volume.Kind, String> IDS = new HashMap<>();

  static {
    disk("gcePersistentDisk", Volume.Kind.GCE_PERSISTENT_DISK, "pdName");
    disk("awsElasticBlockStore", Volume.Kind.AWS_ELASTIC_BLOCK_STORE, "volumeID");
    disk("iscsi", Volume.Kind.ISCSI, "iqn");
    disk("rbd", Volume.Kind.RBD, "image");
    disk("cinder", Volume.Kind.CINDER, "volumeID");
    disk("azureDisk", Volume.Kind.AZURE_DISK, "diskURI");
    disk("azureFile", Volume.Kind.AZURE_FILE, "shareName");
    disk("vsphereVolume", Volume.Kind.VSPHERE, "volumePath");
    disk("portworxVolume", Volume.Kind.PORTWORX, "volumeID");
  }

  private static void disk(String field, Volume.Kind kind, String id) {
    KINDS.put(field, kind);
    IDS.put(kind, id);
  }

  private static final Set<String> BINDING_MODES = Set.of("", "Immediate", "WaitForFirstConsumer");
  private static final Set<String> VOLUME_MODES = Set.of("Filesystem", "Block");
  private static final Set<String> ACCESS_MODES =
      Set.of("ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod");

  private VolumeReader() {}

  static List<Volume> volumesOf(Fields meta, Fields spec) {
    List<Volume> volumes = new ArrayList<>();
    for (Fields volume : spec.children("volumes")) {
      String name = volume.string("name");
      if (volume.has("persistentVolumeClaim")) {
        Fields claim = volume.child("persistentVolumeClaim");
        volumes.add(
            new Volume(Volume.Kind.CLAIM, name, claim.string("claimName"), false, List.of()));
      } else if (volume.has("ephemeral")) {
        List<String> pod = List.of(meta.string("uid"), meta.string("name"));
        volumes.add(
            new Volume(Volume.Kind.EPHEMERAL, name, meta.string("name") + "-" + name, false, pod));
      }
      KINDS.forEach(
          (field, kind) -> {
            if (volume.has(field)) {
              volumes.add(disk(name, kind, volume.child(field)));
            }
          });
    }
    return volumes;
  }

  private static Volume disk(String name, Volume.Kind kind, Fields disk) {
    boolean readOnly = disk.bool("readOnly", false);
    if (kind != Volume.Kind.RBD) {
      return new Volume(kind, name, disk.string(IDS.get(kind)), readOnly, List.of());
    }
    String image = disk.string("pool") + "/" + disk.string("image");
    return new Volume(kind, name, image, readOnly, disk.strings("monitors"));
  }

  static Claim claim(Fields object) {
    Fields meta = object.child("metadata");
    Fields spec = object.child("spec");
    Fields annotations = meta.child("annotations");
    return new Claim(
        meta.string("namespace", "default"),
        meta.string("name"),
        meta.string("uid"),
        storageClassOf(meta, spec),
        spec.string("volumeName"),
        annotations.has(BIND_COMPLETED),
        object.child("status").string("phase").equals("Lost"),
        meta.has("deletionTimestamp"),
        annotations.has(SELECTED_NODE) ? annotations.string(SELECTED_NODE) : null,
        accessModes(spec),
        bytes(spec.child("resources").child("requests"), "storage"),
        spec.oneOf("volumeMode", "Filesystem", VOLUME_MODES),
        spec.string("volumeAttributesClassName"),
        spec.has("selector") ? Selectors.labelSelector(spec, "selector") : null,
        controllerUid(meta));
  }

  private static String storageClassOf(Fields meta, Fields spec) {
    Fields annotations = meta.child("annotations");
    return annotations.has(CLASS_ANNOTATION)
        ? annotations.string(CLASS_ANNOTATION)
        : spec.string("storageClassName");
  }

  private static TreeSet<String> accessModes(Fields spec) {
    TreeSet<String> modes = new TreeSet<>(spec.strings("accessModes"));
    if (!ACCESS_MODES.containsAll(modes)) {
      throw new InvalidObjectException(
          spec.path("accessModes"),
          modes,
          "each has to be one of " + TextList.of(ACCESS_MODES),
          "fix the volume");
    }
    return modes;
  }

  private static BigDecimal bytes(Fields list, String name) {
    return list.parsed(name, null, Quantity::parse);
  }

  private static String controllerUid(Fields meta) {
    for (Fields owner : meta.children("ownerReferences")) {
      if (owner.bool("controller", false)) {
        return owner.string("uid");
      }
    }
    return "";
  }

  static PersistentVolume volume(Fields object) {
    Fields meta = object.child("metadata");
    Fields spec = object.child("spec");
    Fields claim = spec.child("claimRef");
    Fields affinity = spec.child("nodeAffinity");
    BigDecimal capacity = bytes(spec.child("capacity"), "storage");
    return new PersistentVolume(
        meta.string("name"),
        Labels.of(meta.stringMap("labels")),
        storageClassOf(meta, spec),
        capacity == null ? BigDecimal.ZERO : capacity,
        spec.has("claimRef")
            ? new PersistentVolume.ClaimReference(
                claim.string("namespace"), claim.string("name"), claim.string("uid"))
            : null,
        object.child("status").string("phase").equals("Available"),
        meta.has("deletionTimestamp"),
        accessModes(spec),
        spec.oneOf("volumeMode", "Filesystem", VOLUME_MODES),
        spec.string("volumeAttributesClassName"),
        affinity.has("required") ? Selectors.nodeSelector(affinity.child("required")) : null,
        source(spec));
  }

  private static PersistentVolume.Source source(Fields spec) {
    if (spec.has("csi")) {
      Fields csi = spec.child("csi");
      return new PersistentVolume.Source(csi.string("driver"), csi.string("volumeHandle"), null);
    }
    for (Map.Entry<String, Volume.Kind> kind : KINDS.entrySet()) {
      if (spec.has(kind.getKey())) {
        String id = spec.child(kind.getKey()).string(IDS.get(kind.getValue()));
        return new PersistentVolume.Source("", id, kind.getValue());
      }
    }
    return null;
  }

  static StorageClass storageClass(Fields object) {
    List<StorageClass.Topologies> topologies = new ArrayList<>();
    for (Fields term : object.children("allowedTopologies")) {
      topologies.add(
          new StorageClass.Topologies(
              term.children("matchLabelExpressions").stream()
                  .map(e -> new StorageClass.Condition(e.string("key"), e.strings("values")))
                  .toList()));
    }
    return new StorageClass(
        object.child("metadata").string("name"),
        object.string("provisioner"),
        object.oneOf("volumeBindingMode", "", BINDING_MODES),
        topologies);
  }

  static CsiNode csiNode(Fields object) {
    Fields meta = object.child("metadata");
    Set<String> drivers = new HashSet<>();
    Map<String, Integer> limits = new HashMap<>();
    for (Fields driver : object.child("spec").children("drivers")) {
      drivers.add(driver.string("name"));
      if (driver.child("allocatable").has("count")) {
        int count = (int) driver.child("allocatable").integer("count", 0);
        limits.put(driver.string("name"), count);
      }
    }
    Set<String> migrated = new HashSet<>();
    if (meta.child("annotations").has(MIGRATED)) {
      migrated.addAll(Arrays.asList(meta.child("annotations").string(MIGRATED).split(",")));
    }
    return new CsiNode(meta.string("name"), drivers, limits, migrated);
  }

  static CsiDriver driver(Fields object, String name) {
    Fields spec = object.child("spec");
    return new CsiDriver(
        name,
        spec.bool("storageCapacity", false),
        spec.bool("preventPodSchedulingIfMissing", false));
  }

  static VolumeAttachment attachment(Fields object) {
    Fields spec = object.child("spec");
    return new VolumeAttachment(
        object.child("metadata").string("name"),
        spec.string("attacher"),
        spec.string("nodeName"),
        spec.child("source").string("persistentVolumeName"));
  }

  static StorageCapacity capacity(Fields object) {
    Fields meta = object.child("metadata");
    BigDecimal largest = bytes(object, "maximumVolumeSize");
    BigDecimal room = bytes(object, "capacity");
    BigDecimal limit = largest != null ? largest : room;
    return new StorageCapacity(
        meta.string("namespace", "default") + "/" + meta.string("name"),
        object.string("storageClassName"),
        limit == null ? null : Quantity.whole(limit),
        room == null ? null : Quantity.whole(room),
        object.has("nodeTopology") ? Selectors.labelSelector(object, "nodeTopology") : null);
  }
}
