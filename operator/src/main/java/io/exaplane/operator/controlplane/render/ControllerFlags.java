// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.SchedulerSpec;
import java.util.ArrayList;
import java.util.List;

/** Command lines of kube-controller-manager and kube-scheduler. Pure. */
final class ControllerFlags {
  static final int CONTROLLER_MANAGER_PORT = 10257;
  static final int SCHEDULER_PORT = 10259;
  private static final String PKI = ApiServerFlags.PKI;

  private ControllerFlags() {}

  static List<String> controllerManager(Inputs inputs) {
    var spec = inputs.controlPlane().getSpec();
    List<String> podCIDRs = NetworkSpec.podCIDRs(spec.network());
    List<String> flags = new ArrayList<>();
    flags.add("--allocate-node-cidrs=" + !podCIDRs.isEmpty());
    flags.addAll(common());
    if (!podCIDRs.isEmpty()) {
      flags.add("--cluster-cidr=" + String.join(",", podCIDRs));
    }
    flags.add("--cluster-name=" + inputs.controlPlane().getMetadata().getName());
    flags.add("--cluster-signing-cert-file=" + PKI + "ca.crt");
    flags.add("--cluster-signing-key-file=" + PKI + "ca.key");
    flags.add("--controllers=*,bootstrapsigner,tokencleaner");
    flags.add("--root-ca-file=" + PKI + "ca.crt");
    flags.add("--service-account-private-key-file=" + PKI + "sa.key");
    flags.add(
        "--service-cluster-ip-range=" + String.join(",", NetworkSpec.serviceCIDRs(spec.network())));
    flags.add("--use-service-account-credentials=true");
    extra(flags, ControllerManagerSpec.extraArgs(spec.controllerManager()));
    return flags;
  }

  static List<String> scheduler(Inputs inputs) {
    List<String> flags = new ArrayList<>(common());
    extra(flags, SchedulerSpec.extraArgs(inputs.controlPlane().getSpec().scheduler()));
    return flags;
  }

  private static List<String> common() {
    return List.of(
        "--authentication-kubeconfig=" + PKI + "kubeconfig",
        "--authorization-kubeconfig=" + PKI + "kubeconfig",
        "--bind-address=::",
        "--client-ca-file=" + PKI + "ca.crt",
        "--kubeconfig=" + PKI + "kubeconfig",
        "--leader-elect=true",
        "--requestheader-client-ca-file=" + PKI + "front-proxy-ca.crt",
        "--tls-cert-file=" + PKI + "server.crt",
        "--tls-private-key-file=" + PKI + "server.key");
  }

  private static void extra(List<String> flags, List<ExtraArg> extra) {
    extra.stream().map(ExtraArg::flag).forEach(flags::add);
  }
}
