// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads pods. For one thread: equal specs become one instance. */
final class PodReader {
  private static final Set<String> OWNERS =
      Set.of("v1/ReplicationController", "apps/v1/ReplicaSet", "apps/v1/StatefulSet");

  private static final Set<String> OPERATORS = Set.of("", "Equal", "Exists", "Gt", "Lt");
  private static final Set<String> EFFECTS =
      Set.of("", Taint.NO_SCHEDULE, Taint.PREFER_NO_SCHEDULE, Taint.NO_EXECUTE);
  private static final Set<String> PREEMPTION = Set.of("Never", "PreemptLowerPriority");
  private static final int MOST_WEIGHT = 100;

  private final Pool pool;
  private final Version version;
  private final RequestsReader requests;

  PodReader(Pool pool, Version version, RequestsReader requests) {
    this.pool = pool;
    this.version = version;
    this.requests = requests;
  }

  Pod read(Fields object, String name) {
    Fields meta = object.child("metadata");
    Fields status = object.child("status");
    String phase = status.string("phase");
    PodSpec spec = pool.one(spec(meta, object.child("spec"), status));
    String nodeName = pool.string(object.child("spec").string("nodeName"));
    String uid = uid(meta);
    return new Pod(
        name,
        spec,
        nodeName.isEmpty() ? uid : "",
        nodeName,
        pool.string(status.string("nominatedNodeName")),
        phase.equals("Succeeded") || phase.equals("Failed"),
        meta.time("creationTimestamp"),
        status.time("startTime"),
        meta.has("deletionTimestamp") && isPreempted(status),
        pool.string(object.child("spec").child("schedulingGroup").string("podGroupName")));
  }

  private PodSpec spec(Fields meta, Fields spec, Fields status) {
    String namespace = pool.string(meta.string("namespace", "default"));
    Fields affinity = spec.child("affinity");
    return new PodSpec(
        namespace,
        pool.one(Labels.of(meta.stringMap("labels"))),
        pool.string(spec.string("schedulerName", "default-scheduler")),
        priority(spec),
        !spec.oneOf("preemptionPolicy", "PreemptLowerPriority", PREEMPTION).equals("Never"),
        meta.has("deletionTimestamp"),
        spec.children("schedulingGates").stream().map(gate -> gate.string("name")).toList(),
        requests.read(spec, status),
        nodeChoice(spec, affinity.child("nodeAffinity")),
        tolerations(spec),
        hostPorts(spec),
        neighbours(affinity, namespace),
        spec.children("topologySpreadConstraints").stream()
            .map(Selectors::spreadConstraint)
            .toList(),
        owner(meta),
        images(spec),
        spec.children("initContainers").size() + spec.children("containers").size(),
        features(spec),
        VolumeReader.volumesOf(meta, spec),
        claims(meta, spec, status),
        containerDevices(spec));
  }

  private static List<Toleration> tolerations(Fields spec) {
    return tolerations(spec, toleration -> toleration.oneOf("effect", "", EFFECTS));
  }

  /** Of what may have effects that are not known yet, which keep nobody away. */
  static List<Toleration> anyTolerations(Fields parent) {
    return tolerations(parent, toleration -> toleration.string("effect"));
  }

  private static List<Toleration> tolerations(Fields parent, Function<Fields, String> effect) {
    return parent.children("tolerations").stream()
        .map(
            t ->
                new Toleration(
                    t.string("key"),
                    t.oneOf("operator", "", OPERATORS),
                    t.string("value"),
                    effect.apply(t)))
        .toList();
  }

  private static String uid(Fields meta) {
    return meta.string("uid", meta.string("namespace", "default") + "/" + meta.string("name"));
  }

  private static List<PodClaim> claims(Fields meta, Fields spec, Fields status) {
    List<PodClaim> claims = new ArrayList<>();
    for (Fields claim : spec.children("resourceClaims")) {
      String name = claim.string("name");
      if (claim.has("resourceClaimName")) {
        String named = claim.string("resourceClaimName");
        claims.add(new PodClaim(name, PodClaim.Origin.NAMED, named, "", ""));
      } else {
        PodClaim.Origin origin = PodClaim.Origin.UNKNOWN;
        String made = "";
        if (claim.has("resourceClaimTemplateName")) {
          origin = PodClaim.Origin.TO_BE_MADE;
          for (Fields known : status.children("resourceClaimStatuses")) {
            if (origin == PodClaim.Origin.TO_BE_MADE && known.string("name").equals(name)) {
              made = known.string("resourceClaimName");
              origin =
                  known.has("resourceClaimName")
                      ? PodClaim.Origin.MADE
                      : PodClaim.Origin.NOT_NEEDED;
            }
          }
        }
        claims.add(new PodClaim(name, origin, made, meta.string("name"), uid(meta)));
      }
    }
    if (status.has("extendedResourceClaimStatus")) {
      String made = status.child("extendedResourceClaimStatus").string("resourceClaimName");
      claims.add(new PodClaim("", PodClaim.Origin.FOR_EXTENDED_RESOURCES, made, "", ""));
    }
    return List.copyOf(claims);
  }

  /** Of containers that ask for a resource that may stand for devices. */
  private List<ContainerDevices> containerDevices(Fields spec) {
    List<ContainerDevices> all = new ArrayList<>();
    int index = 0;
    for (Fields container : spec.children("initContainers")) {
      boolean sidecar = container.string("restartPolicy").equals("Always");
      addDevices(container, index++, sidecar, all);
    }
    for (Fields container : spec.children("containers")) {
      addDevices(container, index++, true, all);
    }
    return List.copyOf(all);
  }

  private void addDevices(
      Fields container, int index, boolean longLived, List<ContainerDevices> to) {
    Fields list = container.child("resources").child("requests");
    boolean any = false;
    for (String resource : list.names()) {
      any |= Surroundings.mayBeDevice(resource);
    }
    if (!any) {
      return;
    }
    TreeMap<String, BigDecimal> requests = new TreeMap<>(this.requests.quantities(list));
    TreeMap<String, ContainerDevices.Wanted> wanted = new TreeMap<>();
    int place = 0;
    for (Map.Entry<String, BigDecimal> request : requests.entrySet()) {
      BigDecimal count = request.getValue();
      boolean whole = count.stripTrailingZeros().scale() <= 0;
      if (Surroundings.mayBeDevice(request.getKey()) && whole && count.signum() != 0) {
        long times = Quantity.whole(count);
        wanted.put(request.getKey(), new ContainerDevices.Wanted(times, place));
      }
      place++;
    }
    if (!wanted.isEmpty()) {
      to.add(new ContainerDevices(container.string("name"), index, longLived, wanted));
    }
  }

  private static int priority(Fields spec) {
    long priority = spec.integer("priority", 0);
    if (priority != (int) priority) {
      throw new InvalidObjectException(
          spec.path("priority"), priority, "it has to fit into 32 bits", "check its PriorityClass");
    }
    return (int) priority;
  }

  private static boolean isPreempted(Fields status) {
    for (Fields condition : status.children("conditions")) {
      if (condition.string("type").equals("DisruptionTarget")) {
        return condition.string("status").equals("True")
            && condition.string("reason").equals("PreemptionByScheduler");
      }
    }
    return false;
  }

  private static PodSpec.NodeChoice nodeChoice(Fields spec, Fields affinity) {
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    List<NodeSelector.Preferred> preferred = new ArrayList<>();
    for (Fields term : affinity.children("preferredDuringSchedulingIgnoredDuringExecution")) {
      preferred.add(
          new NodeSelector.Preferred(
              term.between("weight", 1, MOST_WEIGHT), Selectors.term(term.child("preference"))));
    }
    return new PodSpec.NodeChoice(
        spec.has("nodeSelector") ? LabelSelector.ofLabels(spec.stringMap("nodeSelector")) : null,
        affinity.has(required) ? Selectors.nodeSelector(affinity.child(required)) : null,
        preferred);
  }

  private static PodSpec.Neighbours neighbours(Fields affinity, String namespace) {
    if (!affinity.has("podAffinity") && !affinity.has("podAntiAffinity")) {
      return PodSpec.Neighbours.NONE;
    }
    Fields near = affinity.child("podAffinity");
    Fields far = affinity.child("podAntiAffinity");
    return new PodSpec.Neighbours(
        required(near, namespace),
        required(far, namespace),
        preferred(near, namespace),
        preferred(far, namespace));
  }

  private static List<AffinityTerm> required(Fields affinity, String namespace) {
    return affinity.children("requiredDuringSchedulingIgnoredDuringExecution").stream()
        .map(term -> affinityTerm(term, namespace))
        .toList();
  }

  private static List<AffinityTerm.Weighted> preferred(Fields affinity, String namespace) {
    return affinity.children("preferredDuringSchedulingIgnoredDuringExecution").stream()
        .map(
            term ->
                new AffinityTerm.Weighted(
                    term.between("weight", 1, MOST_WEIGHT),
                    affinityTerm(term.child("podAffinityTerm"), namespace)))
        .toList();
  }

  private static AffinityTerm affinityTerm(Fields term, String namespace) {
    TreeSet<String> namespaces = new TreeSet<>(term.strings("namespaces"));
    if (namespaces.isEmpty() && !term.has("namespaceSelector")) {
      namespaces.add(namespace);
    }
    return new AffinityTerm(
        namespaces,
        Selectors.labelSelector(term, "namespaceSelector"),
        Selectors.labelSelector(term, "labelSelector"),
        term.required("topologyKey"));
  }

  private static List<HostPort> hostPorts(Fields spec) {
    List<HostPort> ports = new ArrayList<>();
    for (Fields container : spec.children("initContainers")) {
      if (container.string("restartPolicy").equals("Always")) {
        addHostPorts(container, ports);
      }
    }
    spec.children("containers").forEach(container -> addHostPorts(container, ports));
    return ports;
  }

  private static void addHostPorts(Fields container, List<HostPort> ports) {
    for (Fields port : container.children("ports")) {
      if (port.integer("hostPort", 0) > 0) {
        ports.add(
            HostPort.of(
                port.string("hostIP"), port.string("protocol"), (int) port.integer("hostPort", 0)));
      }
    }
  }

  private static PodSpec.Owner owner(Fields meta) {
    for (Fields owner : meta.children("ownerReferences")) {
      if (owner.bool("controller", false)) {
        String kind = owner.string("apiVersion") + "/" + owner.string("kind");
        return OWNERS.contains(kind)
            ? new PodSpec.Owner(owner.string("kind"), owner.string("name"))
            : null;
      }
    }
    return null;
  }

  private List<String> images(Fields spec) {
    List<String> images = new ArrayList<>();
    spec.children("initContainers")
        .forEach(container -> images.add(runtimeName(container.string("image"))));
    spec.children("containers")
        .forEach(container -> images.add(runtimeName(container.string("image"))));
    if (version.atLeast(Version.V1_36)) {
      spec.children("volumes").stream()
          .filter(volume -> volume.has("image"))
          .forEach(volume -> images.add(runtimeName(volume.child("image").string("reference"))));
    }
    return images;
  }

  /** With the tag that a runtime adds. Source: pkg/scheduler/framework/plugins/imagelocality. */
  static String runtimeName(String image) {
    return image.lastIndexOf(':') <= image.lastIndexOf('/') ? image + ":latest" : image;
  }

  /**
   * Source: component-helpers/nodedeclaredfeatures/features, those that a pod to be scheduled can
   * need.
   */
  private static List<String> features(Fields spec) {
    Set<String> features = new LinkedHashSet<>();
    for (String list : List.of("containers", "initContainers")) {
      for (Fields container : spec.children(list)) {
        for (Fields rule : container.children("restartPolicyRules")) {
          if (rule.string("action").equals("RestartAllContainers")) {
            features.add("RestartAllContainersOnContainerExits");
          }
        }
      }
    }
    if (spec.bool("hostNetwork", false) && !spec.bool("hostUsers", true)) {
      features.add("UserNamespacesHostNetworkSupport");
    }
    return List.copyOf(features);
  }
}
