// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.event.ClusterEvent;
import io.exaplane.scheduler.engine.event.Registration;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.scenario.Gangs;
import io.exaplane.scheduler.engine.scenario.KnownSelectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What may help the pods that a plugin refused: a change that is missing here wakes nobody. Each
 * line is what the plugin of kube-scheduler registers (EventsToRegister).
 */
class HintTableTest {
  private static final Map<String, Integer> ACTIONS = new LinkedHashMap<>();

  static {
    ACTIONS.put("update", ClusterEvent.UPDATE);
    ACTIONS.put("add", ClusterEvent.ADD);
    ACTIONS.put("delete", ClusterEvent.DELETE);
    ACTIONS.put("allocatable", ClusterEvent.NODE_ALLOCATABLE);
    ACTIONS.put("node-labels", ClusterEvent.NODE_LABEL);
    ACTIONS.put("taints", ClusterEvent.NODE_TAINT);
    ACTIONS.put("features", ClusterEvent.NODE_DECLARED_FEATURE);
    ACTIONS.put("labels", ClusterEvent.POD_LABEL);
    ACTIONS.put("scale-down", ClusterEvent.POD_SCALE_DOWN);
    ACTIONS.put("tolerations", ClusterEvent.POD_TOLERATION);
    ACTIONS.put("gates", ClusterEvent.POD_GATES_ELIMINATED);
    ACTIONS.put("claims", ClusterEvent.POD_CLAIMS_MADE);
  }

  @Test
  void pluginsAskForWhatThoseOf137AskFor() {
    assertThat(table(Version.V1_37))
        .containsExactlyElementsOf(
            """
            DynamicResources DEVICE_CLASS update add
            DynamicResources NODE add allocatable node-labels
            DynamicResources RESOURCE_CLAIM update add delete
            DynamicResources RESOURCE_SLICE update add
            DynamicResources TARGET_POD claims
            GangScheduling POD add
            GangScheduling POD_GROUP add
            GangScheduling POD_GROUP update
            InterPodAffinity ASSIGNED_POD add delete labels
            InterPodAffinity NODE add node-labels
            InterPodAffinity TARGET_POD labels
            NodeAffinity NODE add node-labels
            NodeDeclaredFeatures NODE add features
            NodeDeclaredFeatures TARGET_POD update
            NodeName NODE add
            NodePorts ASSIGNED_POD delete
            NodePorts NODE add
            NodeResourcesFit ASSIGNED_POD delete scale-down
            NodeResourcesFit DEVICE_CLASS update add
            NodeResourcesFit NODE add allocatable
            NodeResourcesFit TARGET_POD scale-down
            NodeUnschedulable NODE add taints
            NodeUnschedulable TARGET_POD tolerations
            NodeVolumeLimits ASSIGNED_POD delete
            NodeVolumeLimits CLAIM add
            NodeVolumeLimits CSI_NODE add
            NodeVolumeLimits CSI_NODE update
            NodeVolumeLimits VOLUME_ATTACHMENT delete
            PodTopologySpread ASSIGNED_POD add delete labels
            PodTopologySpread NODE add delete node-labels taints
            PodTopologySpread TARGET_POD labels tolerations
            SchedulingGates TARGET_POD gates
            TaintToleration NODE add taints
            TaintToleration TARGET_POD tolerations
            VolumeBinding CLAIM update add
            VolumeBinding CSI_NODE update add
            VolumeBinding NODE add node-labels
            VolumeBinding PERSISTENT_VOLUME update add
            VolumeBinding STORAGE_CAPACITY update add
            VolumeBinding STORAGE_CLASS update add
            VolumeRestrictions ASSIGNED_POD delete
            VolumeRestrictions CLAIM add
            VolumeRestrictions NODE add
            VolumeZone CLAIM update add
            VolumeZone NODE add node-labels
            VolumeZone PERSISTENT_VOLUME update add
            VolumeZone STORAGE_CLASS add
            """
                .lines()
                .toList());
  }

  private static List<String> table(Version version) {
    Cluster cluster = new Cluster(new KnownSelectors());
    List<String> lines = new ArrayList<>();
    for (Registration one : EventRegistrations.of(Gangs.profile(version), cluster)) {
      int left = one.event().actions();
      StringBuilder line = new StringBuilder(one.plugin() + " " + one.event().resource());
      for (Map.Entry<String, Integer> action : ACTIONS.entrySet()) {
        if ((left & action.getValue()) == action.getValue()) {
          line.append(' ').append(action.getKey());
          left &= ~action.getValue();
        }
      }
      assertThat(left).isZero();
      lines.add(line.toString());
    }
    return lines.stream().sorted().toList();
  }
}
