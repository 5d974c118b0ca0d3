// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import io.exaplane.scheduler.engine.model.volume.Volume;
import java.util.List;
import java.util.stream.Stream;

/**
 * All of a pod that decides where it may run and what it means to others, but who it is: pods that
 * are equal in this are one class, judged once.
 *
 * @param labels of the pod
 * @param preempts whether it may take the place of pods of lower priority (preemptionPolicy is not
 *     Never)
 * @param terminating whether the pod is being deleted
 * @param affinity which nodes it wants
 * @param neighbours which pods it wants to be near to or far from
 * @param spread its own constraints, hard and soft in the order of the spec
 * @param owner the controller whose pods are spread by default, or null
 * @param images of init containers, containers and image volumes, in this order, as a runtime names
 *     them
 * @param containerCount how many containers it has, init containers included
 * @param features of the node that it cannot do without
 * @param volumes that plugins look at
 * @param claims of devices
 * @param containerDevices what its containers ask for of resources that may stand for devices
 */
public record PodSpec(
    String namespace,
    Labels labels,
    String schedulerName,
    int priority,
    boolean preempts,
    boolean terminating,
    List<String> schedulingGates,
    Requests requests,
    NodeChoice affinity,
    List<Toleration> tolerations,
    List<HostPort> hostPorts,
    Neighbours neighbours,
    List<SpreadConstraint> spread,
    Owner owner,
    List<String> images,
    int containerCount,
    List<String> features,
    List<Volume> volumes,
    List<PodClaim> claims,
    List<ContainerDevices> containerDevices) {
  private static final NodeChoice NO_CHOICE = new NodeChoice(null, null, List.of());

  /** The same without labels and owner: what is left decides unless somebody selects pods. */
  public PodSpec unlabelled() {
    return with(Labels.NONE, null, volumes);
  }

  /** The same without volumes. */
  public PodSpec withoutVolumes() {
    return with(labels, owner, List.of());
  }

  /** What matters of a pod that is on a node, or waits for one, to others that look at nodes. */
  public PodSpec asSeenByOthers() {
    return new PodSpec(
        namespace,
        labels,
        "",
        priority,
        true,
        terminating,
        List.of(),
        requests,
        NO_CHOICE,
        List.of(),
        hostPorts,
        neighbours,
        List.of(),
        null,
        List.of(),
        0,
        List.of(),
        List.of(),
        List.of(),
        List.of());
  }

  private PodSpec with(Labels otherLabels, Owner otherOwner, List<Volume> otherVolumes) {
    return new PodSpec(
        namespace,
        otherLabels,
        schedulerName,
        priority,
        preempts,
        terminating,
        schedulingGates,
        requests,
        affinity,
        tolerations,
        hostPorts,
        neighbours,
        spread,
        otherOwner,
        images,
        containerCount,
        features,
        otherVolumes,
        claims,
        containerDevices);
  }

  /**
   * Which nodes a pod wants.
   *
   * @param selector labels that a node has to have (spec.nodeSelector), or null
   * @param required what a node has to match besides, or null
   * @param preferred what makes a node better
   */
  public record NodeChoice(
      LabelSelector selector, NodeSelector required, List<NodeSelector.Preferred> preferred) {
    public boolean isUnconditional() {
      return selector == null && required == null;
    }

    /** Whether a node has the labels and matches the terms. */
    public boolean allows(String nodeName, Labels labels) {
      return (selector == null || selector.matches(labels))
          && (required == null || required.matches(nodeName, labels));
    }
  }

  /** Which pods a pod wants to be near to (affinity) or far from (anti-affinity). */
  public record Neighbours(
      List<AffinityTerm> requiredAffinity,
      List<AffinityTerm> requiredAntiAffinity,
      List<AffinityTerm.Weighted> preferredAffinity,
      List<AffinityTerm.Weighted> preferredAntiAffinity) {
    public static final Neighbours NONE =
        new Neighbours(List.of(), List.of(), List.of(), List.of());

    /** All of them. */
    public Stream<AffinityTerm> terms() {
      return Stream.of(
              requiredAffinity.stream(),
              requiredAntiAffinity.stream(),
              preferredAffinity.stream().map(AffinityTerm.Weighted::term),
              preferredAntiAffinity.stream().map(AffinityTerm.Weighted::term))
          .flatMap(each -> each);
    }
  }

  /** The ReplicationController, ReplicaSet or StatefulSet that made the pod. */
  public record Owner(String kind, String name) {}
}
