// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What each minor version of Kubernetes knows: gates and flags of its components, the kubelet's
 * configuration, the priority levels that it makes. Read from a file that {@code
 * testbed/kube/describe/generate} writes from the binaries themselves. Immutable.
 */
public final class VersionMatrix {
  private final SortedMap<MinorVersion, String> versions;
  private final Map<Component, Map<String, List<Run<Gate>>>> gates;
  private final Map<Component, Map<String, List<Run<Flag>>>> flags;
  private final Map<String, List<Run<String>>> kubeletFields;
  private final Map<String, List<Run<PriorityLevel>>> priorityLevels;
  private final Map<String, List<Run<FlowSchema>>> flowSchemas;

  VersionMatrix(
      SortedMap<MinorVersion, String> versions,
      Map<Component, Map<String, List<Run<Gate>>>> gates,
      Map<Component, Map<String, List<Run<Flag>>>> flags,
      Map<String, List<Run<String>>> kubeletFields,
      Map<String, List<Run<PriorityLevel>>> priorityLevels,
      Map<String, List<Run<FlowSchema>>> flowSchemas) {
    this.versions = versions;
    this.gates = gates;
    this.flags = flags;
    this.kubeletFields = kubeletFields;
    this.priorityLevels = priorityLevels;
    this.flowSchemas = flowSchemas;
  }

  /** The matrix that this module carries. Takes some tens of milliseconds. */
  public static VersionMatrix load() {
    return MatrixReader.read();
  }

  /** The minors it has, oldest first. */
  public List<MinorVersion> minors() {
    return List.copyOf(versions.keySet());
  }

  /** The patch version whose binaries were asked, as 1.36.3. */
  public String describedVersion(MinorVersion version) {
    return versions.get(version);
  }

  /** The gate as the version has it; empty if it does not know it and would not start with it. */
  public Optional<Gate> gate(Component component, MinorVersion version, String name) {
    return at(gateRuns(component, name), version);
  }

  /** All that is known of a gate, oldest first. */
  public List<Run<Gate>> gateRuns(Component component, String name) {
    return gates.getOrDefault(component, Map.of()).getOrDefault(name, List.of());
  }

  /** Names of all gates that a version of a component has. */
  public Set<String> gates(Component component, MinorVersion version) {
    Set<String> found = new TreeSet<>();
    gates
        .getOrDefault(component, Map.of())
        .forEach((name, runs) -> at(runs, version).ifPresent(gate -> found.add(name)));
    return found;
  }

  /** The flag as the version has it; empty if it does not know it and would not start with it. */
  public Optional<Flag> flag(Component component, MinorVersion version, String name) {
    return at(flagRuns(component, name), version);
  }

  /** All flags that a version of a component has, by their names. */
  public Map<String, Flag> flags(Component component, MinorVersion version) {
    Map<String, Flag> found = new TreeMap<>();
    flags
        .getOrDefault(component, Map.of())
        .forEach((name, runs) -> at(runs, version).ifPresent(flag -> found.put(name, flag)));
    return found;
  }

  /** All that is known of a flag, oldest first. */
  public List<Run<Flag>> flagRuns(Component component, String name) {
    return flags.getOrDefault(component, Map.of()).getOrDefault(name, List.of());
  }

  /** The default of a field of the kubelet's configuration, as JSON; empty if it is not known. */
  public Optional<String> kubeletDefault(MinorVersion version, String field) {
    return at(kubeletFields.getOrDefault(field, List.of()), version);
  }

  /** The priority levels that kube-apiserver makes by itself, in the order of their names. */
  public List<PriorityLevel> priorityLevels(MinorVersion version) {
    return all(priorityLevels, version);
  }

  /** The flow schemas that kube-apiserver makes by itself, in the order of their names. */
  public List<FlowSchema> flowSchemas(MinorVersion version) {
    return all(flowSchemas, version);
  }

  private static <T> List<T> all(Map<String, List<Run<T>>> table, MinorVersion version) {
    return table.values().stream().flatMap(runs -> at(runs, version).stream()).toList();
  }

  private static <T> Optional<T> at(List<Run<T>> runs, MinorVersion version) {
    return runs.stream().filter(run -> run.covers(version)).map(Run::value).findFirst();
  }
}
