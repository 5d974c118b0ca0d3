// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.version.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Command lines of kube-controller-manager and kube-scheduler. Pure. */
final class ControllerFlags {
  static final int CONTROLLER_MANAGER_PORT = 10257;
  static final int SCHEDULER_PORT = 10259;
  private static final String PKI = ApiServerFlags.PKI;
  private static final JsonMapper JSON = new JsonMapper();

  private ControllerFlags() {}

  /**
   * Of kube-controller-manager, which takes one certificate only for the CA that signs.
   *
   * @param trust the file with all CAs that are trusted
   */
  static List<String> controllerManager(Inputs inputs, Tuned tuned, String trust) {
    var spec = inputs.controlPlane().spec();
    List<String> podCIDRs = NetworkSpec.podCIDRs(spec.network());
    List<String> flags = new ArrayList<>();
    flags.add("--allocate-node-cidrs=" + !podCIDRs.isEmpty());
    flags.addAll(common(trust));
    if (!podCIDRs.isEmpty()) {
      flags.add("--cluster-cidr=" + String.join(",", podCIDRs));
    }
    flags.add("--cluster-name=" + inputs.controlPlane().name());
    flags.add("--cluster-signing-cert-file=" + PKI + "ca.crt");
    flags.add("--cluster-signing-key-file=" + PKI + "ca.key");
    flags.add("--controllers=*,bootstrapsigner,tokencleaner");
    flags.add("--root-ca-file=" + trust);
    flags.add("--service-account-private-key-file=" + PKI + "sa.key");
    flags.add(
        "--service-cluster-ip-range=" + String.join(",", NetworkSpec.serviceCIDRs(spec.network())));
    flags.add("--use-service-account-credentials=true");
    flags.addAll(
        GraceFloor.under(
            tuned.flags(Component.KUBE_CONTROLLER_MANAGER),
            inputs.controlPlane().asked(),
            ControllerManagerSpec.extraArgs(spec.controllerManager()).stream()
                .anyMatch(argument -> argument.name().equals(GraceFloor.NAME))));
    return flags;
  }

  static List<String> scheduler(Tuned tuned) {
    List<String> flags = new ArrayList<>(common(PKI + "ca.crt"));
    if (tuned.schedulerConfiguration().isPresent()) {
      flags.add("--config=" + ComponentDeployment.CONFIGURATION_FILE);
    }
    flags.addAll(tuned.flags(Component.KUBE_SCHEDULER));
    return flags;
  }

  private static List<String> common(String trust) {
    return List.of(
        "--authentication-kubeconfig=" + PKI + "kubeconfig",
        "--authorization-kubeconfig=" + PKI + "kubeconfig",
        "--bind-address=::",
        "--client-ca-file=" + trust,
        "--kubeconfig=" + PKI + "kubeconfig",
        "--leader-elect=true",
        "--requestheader-client-ca-file=" + PKI + "front-proxy-ca.crt",
        "--tls-cert-file=" + PKI + "server.crt",
        "--tls-private-key-file=" + PKI + "server.key");
  }

  /** kube-scheduler's file: what it would take from flags beside it, it takes from here. */
  static Optional<String> schedulerConfiguration(Tuned tuned) {
    return tuned.schedulerConfiguration().map(ControllerFlags::withKubeconfig);
  }

  private static String withKubeconfig(Map<String, Object> configuration) {
    Tuning.put(configuration, "clientConnection.kubeconfig", PKI + "kubeconfig");
    try {
      return JSON.writeValueAsString(configuration);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the configuration cannot be written", e);
    }
  }
}
