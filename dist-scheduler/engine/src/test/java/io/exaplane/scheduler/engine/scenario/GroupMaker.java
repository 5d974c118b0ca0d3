// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.scenario;

import static io.exaplane.scheduler.engine.scenario.Dice.map;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Lets pods of a made-up cluster belong to groups, and makes more that wait. */
public final class GroupMaker {
  private static final List<String> NAMES = List.of("red", "blue");

  private final Dice dice;
  private int made;

  public GroupMaker(long seed) {
    dice = new Dice(~seed);
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
              || in(object, "spec").containsKey("resourceClaims")
              || ("" + in(object, "spec").get("affinity")).contains("podA")
              || (object.toString().contains("hostPort") && preempts(in(object, "spec")))
              || forOnePod.stream().anyMatch(object.toString()::contains);
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

  /** The pod, or with a name another one that is like it, in a group. */
  private static Map<String, Object> member(
      Map<String, Object> pod, String group, String otherName) {
    Map<String, Object> member = new LinkedHashMap<>(pod);
    Map<String, Object> spec = new LinkedHashMap<>(in(pod, "spec"));
    spec.put("schedulingGroup", map("podGroupName", group));
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
    return Gangs.group(
        namespace,
        name,
        dice.chance(0.15) ? map("basic", map()) : map("gang", map("minCount", dice.between(1, 4))));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> in(Map<String, Object> object, String field) {
    return (Map<String, Object>) object.get(field);
  }
}
