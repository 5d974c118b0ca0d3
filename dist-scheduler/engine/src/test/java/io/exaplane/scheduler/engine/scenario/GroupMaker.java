// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import io.exaplane.scheduler.engine.model.Version;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Lets pods of a made-up cluster belong to groups, and makes more that wait. */
public final class GroupMaker {
  private static final List<String> NAMES = List.of("red", "blue");

  private static final Instant EPOCH = Instant.parse("2026-01-02T00:00:00Z");

  private final Dice dice;
  private final boolean workloads;
  private final Map<String, Kind> kinds = new HashMap<>();
  private int made;
  private int begun;

  /** What the pods of a group of 1.37 have in common. */
  private record Kind(int priority, boolean preempts, boolean together) {}

  /** Of a version's groups. */
  public GroupMaker(long seed, Version version) {
    dice = new Dice(~seed);
    workloads = version.atLeast(Version.V1_37);
  }

  /**
   * The same objects with groups. Pods that claim devices or volumes for one pod alone, and those
   * that want to be near to or far from others, stay by themselves: in a group's cycle
   * kube-scheduler does not see all that pods of the group bring with them. So do those with host
   * ports that may preempt: it forgets, for longer than the cycle, that victims have the same ones.
   */
  public List<Map<String, Object>> grouped(List<Map<String, Object>> objects) {
    Set<String> forOnePod =
        objects.stream()
            .filter(object -> object.get("kind").equals("PersistentVolumeClaim"))
            .filter(object -> object.toString().contains("ReadWriteOncePod"))
            .map(object -> "claimName=" + in(object, "metadata").get("name") + "}")
            .collect(Collectors.toSet());
    List<Map<String, Object>> all = new ArrayList<>();
    for (Map<String, Object> object : objects) {
      boolean alone =
          !object.get("kind").equals("Pod")
              || (workloads && object.toString().contains("hostPort"))
              || in(object, "spec").containsKey("resourceClaims")
              || ("" + in(object, "spec").get("affinity")).contains("podA")
              || (object.toString().contains("hostPort") && preempts(in(object, "spec")))
              || forOnePod.stream().anyMatch(object.toString()::contains);
      object = workloads ? begun(object) : object;
      if (alone) {
        all.add(object);
        continue;
      }
      boolean waits = !in(object, "spec").containsKey("nodeName");
      String group = dice.chance(waits ? 0.8 : 0.1) ? dice.one(NAMES) : null;
      all.add(group == null ? object : member(object, group, null));
      for (int i = waits && group != null ? dice.below(5) : 0; i > 0; i--) {
        all.add(member(object, group, "g" + made++));
      }
    }
    for (String namespace : PodMaker.NAMESPACES) {
      for (String name : NAMES) {
        if (dice.chance(0.9)) {
          all.add(group(namespace, name));
        }
      }
    }
    return all;
  }

  private static boolean preempts(Map<String, Object> spec) {
    int priority = spec.get("priority") instanceof Integer known ? known : 0;
    return priority > PodMaker.LOWEST_PRIORITY && !"Never".equals(spec.get("preemptionPolicy"));
  }

  /** No two pods begin at once: which of them is more important would be anyone's guess. */
  private Map<String, Object> begun(Map<String, Object> object) {
    if (!object.get("kind").equals("Pod") || !in(object, "status").containsKey("startTime")) {
      return object;
    }
    Map<String, Object> pod = new LinkedHashMap<>(object);
    Map<String, Object> status = new LinkedHashMap<>(in(object, "status"));
    status.put("startTime", EPOCH.plusSeconds(1000L * dice.below(50) + begun++).toString());
    pod.put("status", status);
    return pod;
  }

  /**
   * While victims of several nodes come back, kube-scheduler follows no more than two of the
   * domains that have the fewest pods, and may refuse to let one stay that could.
   */
  @SuppressWarnings("unchecked")
  private static void spreadSoftly(Map<String, Object> spec) {
    if (spec.get("topologySpreadConstraints") instanceof List<?> constraints) {
      List<Object> soft = new ArrayList<>();
      for (Object constraint : constraints) {
        Map<String, Object> copy = new LinkedHashMap<>((Map<String, Object>) constraint);
        copy.put("whenUnsatisfiable", "ScheduleAnyway");
        copy.remove("minDomains");
        soft.add(copy);
      }
      spec.put("topologySpreadConstraints", soft);
    }
  }

  /** What the pods of the group have in common; a group that breaks the rule has no turn. */
  private void rank(Map<String, Object> spec, String key) {
    Kind kind = kinds.computeIfAbsent(key, k -> kind());
    spec.put("priority", kind.priority());
    spec.put("preemptionPolicy", kind.preempts() ? "PreemptLowerPriority" : "Never");
  }

  private Kind kind() {
    int priority = dice.chance(0.5) ? 10 : dice.one(0, PodMaker.LOWEST_PRIORITY, 100);
    return new Kind(priority, dice.chance(0.9), dice.chance(0.4));
  }

  /** The pod, or with a name another one that is like it, in a group. */
  private Map<String, Object> member(Map<String, Object> pod, String group, String otherName) {
    Map<String, Object> member = new LinkedHashMap<>(pod);
    Map<String, Object> spec = new LinkedHashMap<>(in(pod, "spec"));
    spec.put("schedulingGroup", map("podGroupName", group));
    if (workloads) {
      spreadSoftly(spec);
      rank(spec, in(pod, "metadata").get("namespace") + "/" + group);
    }
    member.put("spec", spec);
    if (otherName != null) {
      Map<String, Object> metadata = new LinkedHashMap<>(in(pod, "metadata"));
      metadata.put("name", otherName);
      metadata.put("uid", "uid-" + otherName);
      member.put("metadata", metadata);
    }
    return member;
  }

  private Map<String, Object> group(String namespace, String name) {
    Map<String, Object> policy =
        dice.chance(0.15) ? map("basic", map()) : map("gang", map("minCount", dice.between(1, 4)));
    if (!workloads) {
      return Gangs.group(namespace, name, policy);
    }
    Kind kind = kinds.computeIfAbsent(namespace + "/" + name, k -> kind());
    Map<String, Object> mode = map(kind.together() ? "all" : "single", map());
    return Gangs.workload(
        namespace,
        name,
        map("schedulingPolicy", policy, "priority", kind.priority(), "disruptionMode", mode));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> in(Map<String, Object> object, String field) {
    return (Map<String, Object>) object.get(field);
  }
}
