// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControllerManagerSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.api.v1alpha1.SchedulerSpec;
import io.exaplane.tuning.version.Component;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The flags that a user adds to a component. Pure. */
public final class Arguments {
  public static final String FEATURE_GATES = "feature-gates";

  /** Known to every component, and no gates of their own. */
  public static final Set<String> GATE_GROUPS = Set.of("AllAlpha", "AllBeta");

  public static final List<Component> COMPONENTS =
      List.of(
          Component.KUBE_APISERVER, Component.KUBE_CONTROLLER_MANAGER, Component.KUBE_SCHEDULER);

  private Arguments() {}

  /** The further flags of a component. */
  public static List<ExtraArg> of(ControlPlaneSpec spec, Component component) {
    return switch (component) {
      case KUBE_APISERVER -> ApiServerSpec.extraArgs(spec.apiServer());
      case KUBE_CONTROLLER_MANAGER -> ControllerManagerSpec.extraArgs(spec.controllerManager());
      case KUBE_SCHEDULER -> SchedulerSpec.extraArgs(spec.scheduler());
      default -> List.of();
    };
  }

  /** Where they are in the spec. */
  public static String field(Component component) {
    return component(component) + ".extraArgs";
  }

  /** Where a component is in the spec. */
  static String component(Component component) {
    return switch (component) {
      case KUBE_APISERVER -> "spec.apiServer";
      case KUBE_CONTROLLER_MANAGER -> "spec.controllerManager";
      default -> "spec.scheduler";
    };
  }

  /**
   * The gates among them, by their names as written, with the prefix {@code kube:} where there is
   * one.
   *
   * @throws IllegalArgumentException for one without a value of true or false
   */
  public static Map<String, Boolean> gates(ControlPlaneSpec spec, Component component) {
    Map<String, Boolean> gates = new LinkedHashMap<>();
    for (ExtraArg argument : of(spec, component)) {
      if (argument.name().equals(FEATURE_GATES)) {
        for (String gate : argument.value().split(",")) {
          int equals = gate.indexOf('=');
          String value = gate.substring(equals + 1).strip();
          if (equals < 1 || !(value.equals("true") || value.equals("false"))) {
            throw new IllegalArgumentException(gate);
          }
          gates.put(gate.substring(0, equals).strip(), Boolean.parseBoolean(value));
        }
      }
    }
    return gates;
  }

  /** Whether a component stands for another version, whose gates it has then. */
  public static boolean emulates(ControlPlaneSpec spec, Component component) {
    return of(spec, component).stream()
        .anyMatch(argument -> argument.name().equals("emulated-version"));
  }

  /** A gate's name without the prefix of the component that it is of. */
  public static String plainName(String gate) {
    return gate.startsWith("kube:") ? gate.substring("kube:".length()) : gate;
  }
}
