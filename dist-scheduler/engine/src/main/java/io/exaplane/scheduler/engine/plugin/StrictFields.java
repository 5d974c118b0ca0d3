// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.TextList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of a KubeSchedulerConfiguration: others are mistakes, as kube-scheduler's strict
 * decoder has it. What only concerns its process is not looked into. Source:
 * k8s.io/kube-scheduler/config/v1.
 */
final class StrictFields {
  /** NAME and its fields; FIELD:NAME where a field has fields of its own. */
  private static final List<String> SHAPES =
      List.of(
          "configuration apiVersion kind parallelism leaderElection clientConnection"
              + " enableProfiling enableContentionProfiling percentageOfNodesToScore"
              + " podInitialBackoffSeconds podMaxBackoffSeconds profiles:profile extenders"
              + " delayCacheUntilActive",
          "profile schedulerName percentageOfNodesToScore plugins:plugins"
              + " pluginConfig:pluginConfig",
          "plugins preEnqueue:set queueSort:set preFilter:set filter:set postFilter:set"
              + " preScore:set score:set reserve:set permit:set preBind:set bind:set postBind:set"
              + " multiPoint:set placementGenerate:set placementScore:set",
          "set enabled:plugin disabled:plugin",
          "plugin name weight",
          "pluginConfig name args",
          "DefaultPreemption apiVersion kind minCandidateNodesPercentage"
              + " minCandidateNodesAbsolute",
          "InterPodAffinity apiVersion kind hardPodAffinityWeight"
              + " ignorePreferredTermsOfExistingPods",
          "NodeResourcesFit apiVersion kind ignoredResources ignoredResourceGroups"
              + " scoringStrategy:strategy",
          "strategy type resources:resource requestedToCapacityRatio:ratio",
          "resource name weight",
          "ratio shape:point",
          "point utilization score",
          "PodTopologySpread apiVersion kind defaultConstraints:constraint defaultingType",
          "constraint maxSkew topologyKey whenUnsatisfiable labelSelector minDomains"
              + " nodeAffinityPolicy nodeTaintsPolicy matchLabelKeys",
          "NodeResourcesBalancedAllocation apiVersion kind resources:resource",
          "VolumeBinding apiVersion kind bindTimeoutSeconds shape",
          "NodeAffinity apiVersion kind addedAffinity:nodeAffinity",
          "nodeAffinity requiredDuringSchedulingIgnoredDuringExecution"
              + " preferredDuringSchedulingIgnoredDuringExecution",
          "DynamicResources apiVersion kind filterTimeout bindingTimeout");

  private static final Map<String, Map<String, String>> FIELDS = new HashMap<>();

  static {
    for (String shape : SHAPES) {
      String[] words = shape.split(" ");
      Map<String, String> fields = new LinkedHashMap<>();
      for (int i = 1; i < words.length; i++) {
        String[] field = words[i].split(":");
        fields.put(field[0], field.length > 1 ? field[1] : "");
      }
      FIELDS.put(words[0], fields);
    }
  }

  private StrictFields() {}

  /** Arguments of a plugin; those of one that takes none are not looked at, by nobody. */
  static void checkArguments(Fields args, String plugin) {
    if (!FIELDS.containsKey(plugin)) {
      return;
    }
    check(args, plugin);
    if (!args.string("kind", plugin + "Args").equals(plugin + "Args")) {
      throw new InvalidObjectException(
          args.path("kind"), args.raw("kind"), "it has to be " + plugin + "Args", "correct it");
    }
  }

  /**
   * Looks at all fields below.
   *
   * @param shape what they are the fields of
   * @throws InvalidObjectException if there is one that is none
   */
  static void check(Fields fields, String shape) {
    Map<String, String> known = FIELDS.get(shape);
    for (String name : fields.names()) {
      String inner = known.get(name);
      if (inner == null) {
        throw new InvalidObjectException(
            fields.path(name),
            fields.raw(name),
            "there is no such field; there are " + TextList.of(known.keySet()),
            "correct its name or leave it out");
      }
      if (!inner.isEmpty() && fields.raw(name) instanceof List<?>) {
        fields.children(name).forEach(child -> check(child, inner));
      } else if (!inner.isEmpty() && fields.has(name)) {
        check(fields.child(name), inner);
      }
    }
  }
}
