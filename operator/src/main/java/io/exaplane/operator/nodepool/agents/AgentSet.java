// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.agents;

import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategy;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The little of a DaemonSet that the operator keeps. Immutable.
 *
 * @param isObserved whether kube-controller-manager has seen the newest template
 * @param strategy type of its updateStrategy
 * @param told the operator's sentence on it; "" without one
 * @param isLeaving whether it is being deleted
 * @param findings of {@code exactl lists}; "" without any
 * @param account its pods' ServiceAccount, as kube-system/cilium; "" for the account default
 */
record AgentSet(
    String namespace,
    String name,
    String uid,
    String resourceVersion,
    long generation,
    boolean isObserved,
    String strategy,
    String told,
    LabelSelector selector,
    int minReadySeconds,
    boolean isLeaving,
    String findings,
    String account) {
  static final String ON_DELETE = "OnDelete";
  private static final int LONGEST = 512;
  private static final Pattern FINDINGS =
      Pattern.compile("\\d{4}-\\d{2}-\\d{2}: [A-Za-z]+ \\(\\d+\\)(?:, [A-Za-z]+ \\(\\d+\\))*");

  static AgentSet of(DaemonSet set) {
    ObjectMeta metadata = set.getMetadata();
    long generation = Objects.requireNonNullElse(metadata.getGeneration(), 0L);
    Long observed = set.getStatus() == null ? null : set.getStatus().getObservedGeneration();
    return new AgentSet(
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        metadata.getResourceVersion(),
        generation,
        observed != null && observed >= generation,
        Optional.ofNullable(set.getSpec().getUpdateStrategy())
            .map(DaemonSetUpdateStrategy::getType)
            .orElse(""),
        metadata.getAnnotations() == null
            ? ""
            : metadata.getAnnotations().getOrDefault(NodePoolNames.AGENT_WAVES, ""),
        set.getSpec().getSelector(),
        Objects.requireNonNullElse(set.getSpec().getMinReadySeconds(), 0),
        metadata.getDeletionTimestamp() != null,
        metadata.getAnnotations() == null
            ? ""
            : findings(metadata.getAnnotations().getOrDefault(NodePoolNames.LISTS_FINDINGS, "")),
        account(set));
  }

  /** The account default belongs to unrelated programs, which are no agents. */
  private static String account(DaemonSet set) {
    return Optional.ofNullable(set.getSpec().getTemplate())
        .map(PodTemplateSpec::getSpec)
        .map(PodSpec::getServiceAccountName)
        .filter(name -> !name.isEmpty() && !name.equals("default"))
        .map(name -> set.getMetadata().getNamespace() + "/" + name)
        .orElse("");
  }

  /** Whoever may change the DaemonSet may write anything: only what exactl writes is shown. */
  private static String findings(String annotation) {
    return annotation.length() <= LONGEST && FINDINGS.matcher(annotation).matches()
        ? annotation
        : "";
  }

  /** As kube-system/cilium. */
  String text() {
    return namespace + "/" + name;
  }

  /** Whether the operator restarts its pods, and says so. */
  boolean isHeld(String sentence) {
    return strategy.equals(ON_DELETE) && told.equals(sentence);
  }
}
