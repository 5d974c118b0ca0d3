// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.check;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.Problem;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Labels that a kubelet can register with. A kubelet does not start with any other of kubernetes.io
 * or k8s.io, since a node could call pods to itself with them (admission plugin NodeRestriction).
 * Pure.
 */
final class PoolLabels {
  private static final int MOST_PREFIX = 253;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern PREFIX =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern VALUE =
      Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?");
  private static final Pattern KUBERNETES = Pattern.compile("(.*\\.)?(kubernetes|k8s)\\.io");

  /** Of pkg/kubelet/apis/well_known_labels.go, without those that the kubelet sets itself. */
  private static final Pattern OF_KUBELETS =
      Pattern.compile("(.*\\.)?(kubelet|node)\\.kubernetes\\.io");

  private static final Set<String> WELL_KNOWN =
      Set.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

  private PoolLabels() {}

  /** The first label, by key, that no kubelet takes. */
  static Optional<Problem> problem(PoolContext context) {
    Map<String, String> labels = context.pool().getSpec().labels();
    return labels == null
        ? Optional.empty()
        : new TreeMap<>(labels)
            .entrySet().stream()
                .flatMap(label -> objection(label.getKey(), label.getValue()).stream())
                .findFirst()
                .map(message -> new Problem(Reason.InvalidLabels, message));
  }

  private static Optional<String> objection(String key, String value) {
    int slash = key.indexOf('/');
    String prefix = slash < 0 ? "" : key.substring(0, slash);
    if (!NAME.matcher(key.substring(slash + 1)).matches()
        || slash >= 0 && (prefix.length() > MOST_PREFIX || !PREFIX.matcher(prefix).matches())) {
      return Optional.of(
          "spec.labels %s: the key is not a name of at most 63 characters with an optional DNS prefix, for example example.com/rack. Correct the key."
              .formatted(key));
    }
    if (!VALUE.matcher(value).matches()) {
      return Optional.of(
          "spec.labels %s: the value '%s' is not empty or a name of at most 63 characters. Correct the value."
              .formatted(key, value));
    }
    if (prefix.equals(Names.GROUP)) {
      return Optional.of(
          "spec.labels %s: the prefix %s is for labels that Exaplane sets. Use a prefix of your own."
              .formatted(key, Names.GROUP));
    }
    return KUBERNETES.matcher(prefix).matches()
            && !OF_KUBELETS.matcher(prefix).matches()
            && !WELL_KNOWN.contains(key)
        ? Optional.of(
            "spec.labels %s: a kubelet may not set this label of Kubernetes, and would not start. Use a prefix of your own, or set the label with 'kubectl label node'."
                .formatted(key))
        : Optional.empty();
  }
}
