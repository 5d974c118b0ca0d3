// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.PatchVersion;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of Kubernetes that a file names: by the tag of an image, or in a field for it. */
final class RunningVersion {
  private static final String VERSION = "([vV]?1\\.\\d{1,3}(?:\\.\\d{1,3})?(?:[-+~_][\\w.+~-]*)?)";
  private static final Pattern TAG =
      Pattern.compile("[^:]*(?::\\d+/[^:]*)?:" + VERSION + "(?:@.*)?");

  /** Fields of kubeadm, kops, Rancher, kubespray and minikube; what components log and answer. */
  private static final List<Pattern> FIELDS =
      List.of(
          Pattern.compile("(?i)\"?\\bkube(?:rnetes)?[_-]?version\"?\\s*[:=]\\s*[\"']?" + VERSION),
          Pattern.compile("\"Version\" info=\"" + VERSION),
          Pattern.compile("\\bgitVersion\"?\\s*[:=]\\s*[\"']?" + VERSION),
          Pattern.compile(
              "\\b(?:kube-apiserver|kube-controller-manager|kube-scheduler|kubelet|hyperkube|kindest/node|k3s|rke2-runtime)(?:-\\w+)?:"
                  + VERSION));

  /** Objects whose {@code version} is that of Kubernetes. */
  private static final Pattern OF_CLUSTERS =
      Pattern.compile("cluster\\.x-k8s\\.io/|core\\.gardener\\.cloud/|kamaji\\.clastix\\.io/");

  private static final Pattern OF_CLUSTER =
      Pattern.compile("(?m)(?:^|[{,])\\s*(?:- )?\"?version\"?:\\s*[\"']?" + VERSION);

  private RunningVersion() {}

  /** As the file writes it; nothing if it names none. */
  static Optional<String> of(String text, Running running) {
    Matcher tag = TAG.matcher(running.image());
    if (tag.matches() && isVersion(tag.group(1))) {
      return Optional.of(tag.group(1));
    }
    for (Pattern field : FIELDS) {
      Matcher matcher = field.matcher(text);
      if (matcher.find() && isVersion(matcher.group(1))) {
        return Optional.of(matcher.group(1));
      }
    }
    Matcher matcher = OF_CLUSTER.matcher(text);
    return OF_CLUSTERS.matcher(text).find() && matcher.find() && isVersion(matcher.group(1))
        ? Optional.of(matcher.group(1))
        : Optional.empty();
  }

  private static boolean isVersion(String text) {
    try {
      PatchVersion.parse(text);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
