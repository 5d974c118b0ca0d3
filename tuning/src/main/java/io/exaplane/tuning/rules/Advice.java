// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Durations;
import io.exaplane.tuning.version.Flag;
import io.exaplane.tuning.version.Gate;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what the rules say of a cluster, and keeps out what its version would not start with or
 * has by itself: gates that are unknown or locked, flags that are unknown or deprecated, defaults.
 */
final class Advice {
  private final VersionMatrix matrix;
  private final MinorVersion version;
  private final List<Item> items = new ArrayList<>();
  private final List<Warning> warnings = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();
  private final List<Limit> limits = new ArrayList<>();
  private String rule = "";

  Advice(VersionMatrix matrix, MinorVersion version) {
    this.matrix = matrix;
    this.version = version;
  }

  void take(Rule rule, Estimate estimate) {
    this.rule = rule.name();
    rule.apply(estimate, this);
  }

  List<Item> items() {
    return List.copyOf(items);
  }

  List<Warning> warnings() {
    return List.copyOf(warnings);
  }

  List<Kept> kept() {
    return List.copyOf(kept);
  }

  List<Limit> limits() {
    return List.copyOf(limits);
  }

  /** Notes a limit; true if more is needed than there is, and the rule has to warn. */
  boolean exceeds(Limit limit) {
    limits.add(limit);
    return limit.isExceeded();
  }

  VersionMatrix matrix() {
    return matrix;
  }

  void flag(Component component, String name, Object value, Why why) {
    if (matrix.flagRuns(component, name).isEmpty()) {
      throw new IllegalStateException("no version of " + component + " has a flag --" + name);
    }
    Optional<Flag> flag = matrix.flag(component, version, name);
    if (flag.isEmpty() || flag.get().isDeprecated()) {
      return;
    }
    String defaultValue = flag.get().defaultValue();
    if (flag.get().isDefault(value.toString())) {
      kept.add(new Kept(component, Type.FLAG, name, defaultValue, why.reason()));
    } else {
      add(component, Type.FLAG, name, value.toString(), defaultValue, why);
    }
  }

  void gate(Component component, String name, boolean enabled, Why why) {
    if (matrix.gateRuns(component, name).isEmpty()) {
      throw new IllegalStateException("no version of " + component + " has a gate " + name);
    }
    Optional<Gate> gate = matrix.gate(component, version, name);
    if (gate.isPresent() && !gate.get().locked() && gate.get().enabledByDefault() != enabled) {
      String set = Boolean.toString(enabled);
      add(component, Type.GATE, name, set, Boolean.toString(!enabled), why);
    }
  }

  /** A field of the kubelet's configuration file, as JSON: numbers plain, words without quotes. */
  void kubelet(String field, Object value, Why why) {
    Optional<String> known = matrix.kubeletDefault(version, field);
    if (known.isEmpty()) {
      throw new IllegalStateException("the kubelet's configuration has no field " + field);
    }
    String defaultValue = known.get().replaceAll("^\"|\"$", "");
    if (!same(defaultValue, value.toString())) {
      add(Component.KUBELET, Type.CONFIG, field, value, defaultValue, why);
    }
  }

  private static boolean same(String defaultValue, String value) {
    if (defaultValue.equals(value)) {
      return true;
    }
    try {
      return Durations.nanos(defaultValue) == Durations.nanos(value);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** What no matrix knows: configuration of other programs, resources, environment. */
  void other(
      Component component, Type kind, String name, Object value, String defaultValue, Why why) {
    if (!value.toString().equals(defaultValue)) {
      add(component, kind, name, value, defaultValue, why);
    }
  }

  /**
   * An environment variable; it is there even with Go's default: GOGC and GOMEMLIMIT are a pair.
   */
  void env(Component component, String name, String value, String defaultValue, Why why) {
    add(component, Type.ENV, name, value, defaultValue, why);
  }

  void apf(String kindAndName, Map<String, Object> manifest, Why why) {
    add(Component.KUBE_APISERVER, Type.APF, kindAndName, manifest, "not there", why);
  }

  void warn(String name, String message, String next, Why why) {
    warnings.add(new Warning(name, message, why.inputs(), why.source(), next));
  }

  private void add(
      Component component, Type kind, String name, Object value, String defaultValue, Why why) {
    why.mustBeWhole(rule + ", " + name);
    items.add(
        new Item(
            component,
            kind,
            name,
            value,
            defaultValue,
            rule,
            why.reason(),
            why.inputs(),
            why.source(),
            why.confidence(),
            why.risk()));
  }
}
