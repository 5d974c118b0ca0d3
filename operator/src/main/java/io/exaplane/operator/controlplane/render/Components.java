// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;
import static io.exaplane.tuning.version.Component.KUBE_SCHEDULER;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.SchedulerSpec;
import io.exaplane.operator.controlplane.sizing.ApiServerResources;
import io.exaplane.operator.controlplane.sizing.MemoryGrowth;
import io.exaplane.operator.controlplane.sizing.TemplateReplicas;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.net.IpAddresses;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.rollout.Rollout;
import io.exaplane.operator.rotation.RotationEpochs;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The three Deployments of a control plane. Pure. kube-controller-manager and kube-scheduler follow
 * kube-apiserver: they take a new version, start anew on new data, or take a step of a rotation,
 * only when every apiserver has.
 */
public final class Components {
  private Components() {}

  /** kube-apiserver: always what the spec says. */
  public static Deployment apiServer(Inputs inputs, Optional<Deployment> existing) {
    var spec = inputs.controlPlane().spec();
    List<String> waitFor = new ArrayList<>(List.of("--ca", ApiServerFlags.PKI + "store-ca.crt"));
    waitFor.addAll(List.of("--cert", ApiServerFlags.PKI + "store-client.crt"));
    waitFor.addAll(List.of("--key", ApiServerFlags.PKI + "store-client.key"));
    // All of them: a starting kube-apiserver ends when it can't dial one, even a BestEffort one.
    inputs.stores().forEach(store -> waitFor.add(store.url() + "/health"));
    // An address that a lost Service came back with is in no certificate yet.
    inputs.routes().forEach(route -> waitFor.add(route.url() + "/health"));
    Tuned tuned = inputs.tuned(spec.version());
    ApiServerResources resources = inputs.sized().apiServer().orElseThrow();
    Component component =
        new Component(
            ControlPlaneNames.API_SERVER,
            "kube-apiserver",
            spec.version(),
            ApiServerSpec.replicas(spec.apiServer()),
            ApiServerFlags.of(inputs, tuned),
            environment(resources),
            resources.container().orElse(null),
            ApiServerFlags.PORT,
            ApiServerFlags.livenessPath(),
            ApiServerFlags.readinessPath(inputs),
            (int) tuned.shutdownDelaySeconds() + 60,
            inputs.dataEpoch(),
            inputs.certificateEpoch().apiServer(),
            inputs.certificateEpoch().rotation().apiServer(),
            Optional.empty(),
            waitFor,
            annotations(inputs, resources));
    return ComponentDeployment.of(inputs, component, existing);
  }

  /** kube-controller-manager. */
  public static Deployment controllerManager(
      Inputs inputs, Optional<Deployment> apiServer, Optional<Deployment> existing) {
    var spec = inputs.controlPlane().spec();
    String rotation = inputs.certificateEpoch().rotation().controllerManager();
    Lead lead = Lead.of(inputs, rotation, apiServer, existing);
    String trust =
        ApiServerFlags.PKI
            + (RotationEpochs.hasCaSteps(lead.rotationEpoch())
                ? ControlPlanePki.TRUST_FILE
                : "ca.crt");
    Component component =
        new Component(
            ControlPlaneNames.CONTROLLER_MANAGER,
            "kube-controller-manager",
            lead.version(),
            ControllerManagerSpec.replicas(spec.controllerManager()),
            ControllerFlags.controllerManager(inputs, inputs.tuned(lead.version()), trust),
            List.of(),
            inputs.sized().controllers().get(KUBE_CONTROLLER_MANAGER),
            ControllerFlags.CONTROLLER_MANAGER_PORT,
            "/healthz",
            "/healthz",
            30,
            lead.dataEpoch(),
            inputs.certificateEpoch().controllerManager(),
            lead.rotationEpoch(),
            Optional.empty(),
            waitForApi(inputs, trust),
            Map.of());
    return ComponentDeployment.of(inputs, component, existing);
  }

  /** kube-scheduler. */
  public static Deployment scheduler(
      Inputs inputs, Optional<Deployment> apiServer, Optional<Deployment> existing) {
    var spec = inputs.controlPlane().spec();
    Lead lead =
        Lead.of(inputs, inputs.certificateEpoch().rotation().scheduler(), apiServer, existing);
    Tuned tuned = inputs.tuned(lead.version());
    Component component =
        new Component(
            ControlPlaneNames.SCHEDULER,
            "kube-scheduler",
            lead.version(),
            SchedulerSpec.replicas(spec.scheduler()),
            ControllerFlags.scheduler(tuned),
            List.of(),
            inputs.sized().controllers().get(KUBE_SCHEDULER),
            ControllerFlags.SCHEDULER_PORT,
            "/livez",
            "/readyz",
            30,
            lead.dataEpoch(),
            inputs.certificateEpoch().scheduler(),
            lead.rotationEpoch(),
            ControllerFlags.schedulerConfiguration(tuned),
            waitForApi(inputs, ApiServerFlags.PKI + "ca.crt"),
            Map.of());
    return ComponentDeployment.of(inputs, component, existing);
  }

  /** Of the Deployment: what a later look has to know of how its pods were made. */
  private static Map<String, String> annotations(Inputs inputs, ApiServerResources resources) {
    Map<String, String> annotations = new TreeMap<>();
    annotations.put(
        TemplateReplicas.ANNOTATION, Integer.toString(inputs.sized().templateReplicas()));
    resources
        .grown()
        .ifPresent(memory -> annotations.put(MemoryGrowth.ANNOTATION, memory.toString()));
    return annotations;
  }

  private static List<EnvVar> environment(ApiServerResources resources) {
    List<EnvVar> environment = new ArrayList<>();
    environment.add(
        new EnvVarBuilder()
            .withName("POD_IP")
            .withNewValueFrom()
            .withNewFieldRef()
            // The server's default; left out, every comparison would find a difference.
            .withApiVersion("v1")
            .withFieldPath("status.podIP")
            .endFieldRef()
            .endValueFrom()
            .build());
    resources
        .environment()
        .forEach((name, value) -> environment.add(new EnvVar(name, value, null)));
    return environment;
  }

  private static List<String> waitForApi(Inputs inputs, String trust) {
    return List.of(
        "--ca",
        trust,
        "https://"
            + IpAddresses.urlHost(inputs.serviceAddress())
            + ":"
            + inputs.servicePort()
            + ApiServerFlags.readinessPath(inputs));
  }

  /**
   * What a follower takes from its leader: the new once the apiservers have it, else what it has.
   */
  private record Lead(String version, String dataEpoch, String rotationEpoch) {
    static Lead of(
        Inputs inputs,
        String rotation,
        Optional<Deployment> apiServer,
        Optional<Deployment> existing) {
      Lead next = new Lead(inputs.controlPlane().spec().version(), inputs.dataEpoch(), rotation);
      if (existing.isEmpty()) {
        return next;
      }
      boolean followed =
          apiServer
              .filter(
                  d ->
                      Rollout.isComplete(d)
                          && Rollout.version(d).equals(next.version)
                          && Rollout.dataEpoch(d).equals(next.dataEpoch)
                          && Rollout.rotationEpoch(d)
                              .equals(inputs.certificateEpoch().rotation().apiServer()))
              .isPresent();
      return followed
          ? next
          : new Lead(
              Rollout.version(existing.get()),
              Rollout.dataEpoch(existing.get()),
              Rollout.rotationEpoch(existing.get()));
    }
  }
}
