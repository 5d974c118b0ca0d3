// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The next action for each reason for which Kubernetes does not run a pod. Pure. */
final class PodRemedy {
  private static final Map<String, String> BY_REASON = new LinkedHashMap<>();

  static {
    // Of the whole pod.
    put("Evicted", "free what the node is short of, or add a node");
    put("DeadlineExceeded", "remove activeDeadlineSeconds, which the operator never sets");
    put("NodeAffinity", "restore the node's labels, or change the pod's requirements in the spec");
    put("UnexpectedAdmissionError", "check the kubelet's log on that node");
    put("TopologyAffinityError", "change the kubelet's topology policy, or add a node");
    put("NodeShutdown", "wait until the node is back, or add a node");
    put("Terminated", "wait until the node is back, or add a node");
    put("NodeLost", "repair the node, or delete its Node object if it does not come back");
    put("Preempting", "add a node, or raise the pod's priority");
    put("PreemptionByScheduler", "add a node, or raise the pod's priority");
    put("Shutdown", "wait until the node is back, or add a node");
    // Of a container that waits.
    put(
        "CreateContainerConfigError",
        "create the Secret, ConfigMap or key that the message names, or correct the field");
    put("CreateContainerError", "check the container runtime of the node");
    put("RunContainerError", "check the container's command, mounts and security settings");
    put("PreCreateHookError", "check the container runtime of the node");
    put("PostStartHookError", "check the container's lifecycle hook");
    // Of Events.
    put("FailedMount", "create what the message names, or repair the volume");
    put("FailedAttachVolume", "detach the volume from the node that has it, or repair its driver");
    put("FailedMapVolume", "repair the volume, or its driver");
    put("VolumeResizeFailed", "repair the volume, or its driver");
    put("FailedCreatePodSandBox", "repair the network plugin or the container runtime of the node");
    put("FailedCreatePodContainer", "repair the container runtime of the node");
    put("FailedPrepareDynamicResources", "repair the device driver of the node");
    put("NetworkNotReady", "repair the network plugin of the node");
    put("Unhealthy", "see the logs of the container for what the probe was told");
    put("FailedPostStartHook", "check the container's lifecycle hook");
    put("ProvisioningFailed", "change the StorageClass or the size, or repair the provisioner");
    put("FailedBinding", "create a volume that fits the claim, or name a StorageClass");
    put(
        "WaitForFirstConsumer",
        "the volume is created when a node accepts the pod; check what keeps the pod");
    put("ExternalProvisioning", "check that the provisioner of the StorageClass runs");
    put("VolumeMismatch", "create a volume that fits the claim, or name a StorageClass");
  }

  private PodRemedy() {}

  private static void put(String reason, String action) {
    BY_REASON.put(reason, action);
  }

  /** What to do, without a semicolon before it; empty for a reason of which nothing is known. */
  static Optional<String> of(String reason) {
    return reason != null && reason.startsWith("OutOf")
        ? Optional.of("add a node with room, or lower the pod's requests")
        : Optional.ofNullable(BY_REASON.get(reason));
  }

  /** What to do, and where to see more of a pod. */
  static String of(String reason, Pod pod) {
    return of(reason).map(action -> "; " + action).orElse("")
        + "; see 'kubectl -n %s describe pod %s'"
            .formatted(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
  }
}
