// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import io.exaplane.api.v1alpha1.ApiServerTuning;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ExtraArg;
import io.exaplane.tuning.Tuning;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.rules.Item;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.rules.Warning;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Durations;
import io.exaplane.tuning.version.MinorVersion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What the components of a control plane are started with for a version: the model's values, and in
 * their place those that the user gave. Immutable.
 */
public final class Tuned {
  /** Flags that the operator sets from the spec's network, whatever the model says of it. */
  private static final Set<String> FROM_NETWORK =
      Set.of(
          "allocate-node-cidrs",
          "cluster-cidr",
          "node-cidr-mask-size-ipv4",
          "node-cidr-mask-size-ipv6");

  private static final String OF_STORES = "StoreQuotaExceeded";

  private final ControlPlaneSpec spec;
  private final MinorVersion version;
  private final OptionalDouble storeQuota;
  private final Model model;
  private final Tuning tuning;

  private Tuned(
      ControlPlaneSpec spec, MinorVersion version, OptionalDouble storeQuota, Model model) {
    this.spec = spec;
    this.version = version;
    this.storeQuota = storeQuota;
    this.model = model;
    this.tuning = model.ask(shape(true));
  }

  /**
   * What the model says for a version.
   *
   * @param version as 1.36.3; of a minor that the model knows
   * @param storeQuota what a store takes that has too little, bytes; nothing when all have enough
   * @param model that of the pass
   * @throws io.exaplane.tuning.model.InvalidInputException for addresses that the version refuses
   */
  public static Tuned of(
      ControlPlaneSpec spec, String version, OptionalDouble storeQuota, Model model) {
    return new Tuned(spec, MinorVersion.parse(version), storeQuota, model);
  }

  /** What it says for another version. */
  public Tuned at(String otherVersion) {
    return of(spec, otherVersion, storeQuota, model);
  }

  private Shape shape(boolean overridden) {
    return ClusterShape.of(spec, version.toString(), overridden, storeQuota, Model.MATRIX);
  }

  /** The model's answer, the user's concurrency limits among its inputs. */
  public Tuning tuning() {
    return tuning;
  }

  /** The model's warnings, but of stores: what the real ones take is known here. */
  public List<Warning> warnings() {
    return tuning.warnings().stream().filter(warning -> !warning.name().equals(OF_STORES)).toList();
  }

  /**
   * The flags of a component, the user's last. Flags and gates that only a later version has wait
   * for it: while a control plane is upgraded the followers still run the version before.
   */
  public List<String> flags(Component component) {
    List<ExtraArg> extra = Arguments.of(spec, component);
    Map<String, String> flags = new TreeMap<>();
    for (Item item : tuning.items(component, Type.FLAG)) {
      if (!FROM_NETWORK.contains(item.name())
          && extra.stream().noneMatch(argument -> argument.name().equals(item.name()))) {
        flags.put(item.name(), item.value().toString());
      }
    }
    if (component == Component.KUBE_APISERVER) {
      ApiServerTuning own = ApiServerTuning.of(spec.apiServer());
      putIfGiven(flags, "goaway-chance", own.goawayChance());
      putIfGiven(flags, "shutdown-delay-duration", own.shutdownDelay());
    }
    List<String> all = new ArrayList<>();
    flags.forEach((name, value) -> all.add("--" + name + "=" + value));
    String gates = gates(component);
    if (!gates.isEmpty()) {
      all.add("--" + Arguments.FEATURE_GATES + "=" + gates);
    }
    extra.stream()
        .filter(argument -> !argument.name().equals(Arguments.FEATURE_GATES))
        .filter(argument -> Model.MATRIX.flag(component, version, argument.name()).isPresent())
        .filter(argument -> !isInFile(component, argument))
        .map(ExtraArg::flag)
        .forEach(all::add);
    return all;
  }

  private static void putIfGiven(Map<String, String> flags, String name, String value) {
    if (value != null) {
      flags.put(name, value);
    }
  }

  /** The model's gates and the user's, which win. */
  private String gates(Component component) {
    Map<String, Boolean> own = Arguments.gates(spec, component);
    Set<String> named = own.keySet().stream().map(Arguments::plainName).collect(Collectors.toSet());
    Map<String, String> gates = new LinkedHashMap<>();
    tuning.items(component, Type.GATE).stream()
        .filter(item -> !named.contains(item.name()))
        .forEach(item -> gates.put(item.name(), item.value().toString()));
    own.forEach(
        (name, value) -> {
          if (isKnown(component, Arguments.plainName(name))) {
            gates.put(name, value.toString());
          }
        });
    return gates.entrySet().stream()
        .map(gate -> gate.getKey() + "=" + gate.getValue())
        .collect(Collectors.joining(","));
  }

  private boolean isKnown(Component component, String gate) {
    return Arguments.GATE_GROUPS.contains(gate)
        || Arguments.emulates(spec, component)
        || Model.MATRIX.gate(component, version, gate).isPresent();
  }

  /** How long a stopping kube-apiserver serves on, seconds. */
  public long shutdownDelaySeconds() {
    return flags(Component.KUBE_APISERVER).stream()
        .filter(flag -> flag.startsWith("--shutdown-delay-duration="))
        .map(flag -> flag.substring(flag.indexOf('=') + 1))
        .map(text -> Durations.nanos(text) / 1_000_000_000)
        .findFirst()
        .orElse(0L);
  }

  /**
   * The configuration file of kube-scheduler; empty when the defaults do. Beside a file it does not
   * look at some of its flags, so what the user gives as such is in the file.
   */
  public Optional<Map<String, Object>> schedulerConfiguration() {
    return usesSchedulerFile()
        ? Optional.of(
            SchedulerFile.with(
                tuning.configuration(Component.KUBE_SCHEDULER),
                Arguments.of(spec, Component.KUBE_SCHEDULER)))
        : Optional.empty();
  }

  private boolean usesSchedulerFile() {
    return !tuning.items(Component.KUBE_SCHEDULER, Type.CONFIG).isEmpty();
  }

  private boolean isInFile(Component component, ExtraArg argument) {
    return usesSchedulerFile() && SchedulerFile.has(component, argument);
  }

  /** FlowSchemas and PriorityLevelConfigurations, levels first. */
  public List<Map<?, ?>> flowControl() {
    return tuning.items(Component.KUBE_APISERVER, Type.APF).stream()
        .<Map<?, ?>>map(item -> (Map<?, ?>) item.value())
        .toList();
  }

  /** Whether clients are told to ask for responses that are not compressed. */
  public boolean disablesCompression() {
    return tuning.items(Component.CLIENTS, Type.CONFIG).stream()
        .filter(item -> item.name().equals("clusters[].cluster.disable-compression"))
        .anyMatch(item -> item.value().equals("true"));
  }

  /** What the model says of a resource or variable, be it overridden or not. */
  String value(Component component, Type type, String name) {
    return tuning.items(component, type).stream()
        .filter(item -> item.name().equals(name))
        .map(item -> item.value().toString())
        .findFirst()
        .orElseThrow();
  }

  /** The values that the user put in the place of the model's. */
  public List<OverriddenValue> overrides() {
    return new Overrides(spec, model.ask(shape(false)), usesSchedulerFile()).all();
  }
}
