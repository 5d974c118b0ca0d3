// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.operator.pod.ContainerRequests;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.rules.Kept;
import io.exaplane.tuning.version.Component;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the values that a user put in the place of the model's. Used by one thread, once. */
final class Overrides {
  private static final String DEFAULT = "the default";
  private static final String MEMORY = "requests.memory";
  private final ControlPlaneSpec spec;
  private final Tuning advised;
  private final boolean schedulerFile;
  private final List<OverriddenValue> found = new ArrayList<>();

  /**
   * For a spec.
   *
   * @param advised what the model says without them
   * @param schedulerFile whether kube-scheduler has a file that hides some of its flags
   */
  Overrides(ControlPlaneSpec spec, Tuning advised, boolean schedulerFile) {
    this.spec = spec;
    this.advised = advised;
    this.schedulerFile = schedulerFile;
  }

  List<OverriddenValue> all() {
    ofTuning(ApiServerTuning.of(spec.apiServer()));
    Arguments.COMPONENTS.forEach(this::ofArguments);
    ControllerRequests.CONTROLLERS.forEach(this::ofMemory);
    return List.copyOf(found);
  }

  private void ofTuning(ApiServerTuning own) {
    flag("maxRequestsInflight", "max-requests-inflight", own.maxRequestsInflight());
    flag(
        "maxMutatingRequestsInflight",
        "max-mutating-requests-inflight",
        own.maxMutatingRequestsInflight());
    flag("goawayChance", "goaway-chance", own.goawayChance());
    flag("shutdownDelay", "shutdown-delay-duration", own.shutdownDelay());
    if (own.goGC() != null) {
      add(Component.KUBE_APISERVER, Type.ENV, "GOGC", own.goGC().toString(), field("goGC"));
    }
    if (own.goMemLimitPercent() != null) {
      said(
          "GOMEMLIMIT",
          own.goMemLimitPercent() + "% of the limit",
          ApiServerResources.SOFT_LIMIT_PERCENT + "%",
          "goMemLimitPercent");
    }
    if (!own.managesFlowControl()) {
      said("flow schemas and priority levels", "Unmanaged", "Managed", "flowControl");
    }
  }

  private void flag(String field, String name, Object value) {
    if (value != null) {
      add(Component.KUBE_APISERVER, Type.FLAG, name, value.toString(), field(field));
    }
  }

  private void said(String name, String value, String model, String field) {
    found.add(
        new OverriddenValue(Component.KUBE_APISERVER.label(), name, value, model, field(field)));
  }

  private static String field(String name) {
    return "spec.apiServer.tuning." + name;
  }

  private void ofArguments(Component component) {
    String field = Arguments.field(component);
    for (ExtraArg argument : Arguments.of(spec, component)) {
      if (schedulerFile && SchedulerFile.has(component, argument)) {
        String name = SchedulerFile.FIELDS.get(argument.name());
        add(component, Type.CONFIG, name, argument.value(), field);
      } else if (isTuned(component, Type.FLAG, argument.name())) {
        add(component, Type.FLAG, argument.name(), argument.value(), field);
      }
    }
    Arguments.gates(spec, component)
        .forEach(
            (gate, enabled) -> {
              String name = Arguments.plainName(gate);
              if (isTuned(component, Type.GATE, name)) {
                add(component, Type.GATE, name, enabled.toString(), field);
              }
            });
  }

  private void ofMemory(Component component) {
    Quantity model =
        ContainerRequests.quantity(advised(component, Type.RESOURCE, MEMORY).orElseThrow());
    ContainerMemory.named(ControllerRequests.own(spec, component))
        .filter(own -> !own.equals(model))
        .ifPresent(
            own ->
                found.add(
                    new OverriddenValue(
                        component.label(),
                        MEMORY,
                        own.toString(),
                        model.toString(),
                        Arguments.component(component) + ".resources")));
  }

  private boolean isTuned(Component component, Type type, String name) {
    return advised.items(component, type).stream().anyMatch(item -> item.name().equals(name))
        || advised.kept().stream().anyMatch(kept -> isOf(kept, component, type, name));
  }

  private static boolean isOf(Kept kept, Component component, Type type, String name) {
    return kept.component() == component && kept.kind() == type && kept.name().equals(name);
  }

  /** Adds it unless it is what the model says anyway. */
  private void add(Component component, Type type, String name, String value, String field) {
    String model = advised(component, type, name).orElse(DEFAULT);
    if (!model.equals(value)) {
      found.add(new OverriddenValue(component.label(), name, value, model, field));
    }
  }

  private Optional<String> advised(Component component, Type type, String name) {
    return advised.items(component, type).stream()
        .filter(item -> item.name().equals(name))
        .map(item -> item.value().toString())
        .findFirst();
  }
}
