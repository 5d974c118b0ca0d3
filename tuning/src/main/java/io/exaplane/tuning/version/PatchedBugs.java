// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.List;
import java.util.Map;

/**
 * Bugs of control planes that a patch release fixed, from the section "Bug or Regression" of
 * CHANGELOG-1.30 to 1.37 (up to 1.30.14, 1.31.14, 1.32.13, 1.33.13, 1.34.4, 1.35.4, 1.36.3,
 * 1.37.1): those that cost requests, memory or availability. What only a minor release fixed is a
 * rule's.
 */
public final class PatchedBugs {
  /**
   * A bug.
   *
   * @param fixed by minor version that has it, the patch that has it no more
   */
  public record Bug(
      String name, Component component, String text, Map<Integer, Integer> fixed, String source) {
    boolean isIn(PatchVersion version) {
      Integer patch = fixed.get(version.minor().minor());
      return patch != null && version.patch().isPresent() && version.patch().getAsInt() < patch;
    }

    /** The first release of a version's minor without it, as 1.33.3. */
    public String fixedIn(MinorVersion minor) {
      return minor + "." + fixed.get(minor.minor());
    }
  }

  private static final List<Bug> ALL =
      List.of(
          bug(
              "WritesWaitForLists",
              Component.KUBE_APISERVER,
              "rapid creates and updates in several namespaces wait for consistent LISTs from the"
                  + " cache",
              Map.of(31, 7, 32, 3),
              "#130156, #130136"),
          bug(
              "PagesFromStore",
              Component.KUBE_APISERVER,
              "the store, not the watch cache, answers some LISTs in pages",
              Map.of(33, 3),
              "#132337"),
          bug(
              "EventSizes",
              Component.KUBE_APISERVER,
              "computing the size of objects without a watch cache, mostly Events, loads the store",
              Map.of(34, 1),
              "#133879"),
          bug(
              "TracingLeak",
              Component.KUBE_APISERVER,
              "tracing leaks memory in kube-apiserver and kubelet",
              Map.of(30, 6, 31, 2),
              "#126984, #126983"),
          bug(
              "WatchRoutines",
              Component.KUBE_APISERVER,
              "the gate APIServingWithRoutine is on, but was later reverted; set the gate to false "
                  + "until you upgrade",
              Map.of(30, 4),
              "#126481"),
          bug(
              "DefinitionCrash",
              Component.KUBE_APISERVER,
              "a CustomResourceDefinition with an invalid schema and CEL rules can crash"
                  + " kube-apiserver",
              Map.of(30, 4),
              "#126167"),
          bug(
              "StatusPanic",
              Component.KUBE_APISERVER,
              "a custom resource can make kube-apiserver panic if its definition has the"
                  + " subresource status but no property status",
              Map.of(33, 7),
              "#135362"),
          bug(
              "ManyNamespacesAtStart",
              Component.KUBE_APISERVER,
              "with many namespaces kube-apiserver may fail to start during an upgrade "
                  + "(MultiCIDRServiceAllocator)",
              Map.of(33, 11),
              "#137677"),
          bug(
              "NamespaceNotFound",
              Component.KUBE_APISERVER,
              "admission policies report that new namespaces are not found",
              Map.of(32, 11, 33, 7, 34, 3),
              "#135444, #135443, #135442"),
          bug(
              "WatchSizesMetric",
              Component.KUBE_APISERVER,
              "apiserver_watch_events_sizes does not count all of the traffic of watches",
              Map.of(35, 1),
              "#135815"),
          bug(
              "DataRace",
              Component.KUBE_CONTROLLER_MANAGER,
              "a data race can make kube-controller-manager and kube-scheduler panic",
              Map.of(30, 1),
              "#124517"),
          bug(
              "ServiceControllerCrash",
              Component.KUBE_CONTROLLER_MANAGER,
              "the loop of the service-lb-controller can crash",
              Map.of(31, 3),
              "#128236"),
          bug(
              "PodCidrReleasedEarly",
              Component.KUBE_CONTROLLER_MANAGER,
              "the controller reassigns a node's PodCIDR before the node is deleted",
              Map.of(31, 4),
              "#128806"),
          bug(
              "RevisionHistoryPanic",
              Component.KUBE_CONTROLLER_MANAGER,
              "a StatefulSet with a negative revisionHistoryLimit makes the controller manager"
                  + " panic",
              Map.of(30, 9, 31, 5, 32, 1),
              "#129324, #129323, #129322"),
          bug(
              "PolicySchemaCrash",
              Component.KUBE_CONTROLLER_MANAGER,
              "a ValidatingAdmissionPolicy on a schema with additionalProperties: true crashes the "
                  + "controller manager",
              Map.of(33, 10),
              "#136958"),
          bug(
              "StatefulSetRollout",
              Component.KUBE_CONTROLLER_MANAGER,
              "an upgrade from 1.33 rolls out every StatefulSet again",
              Map.of(34, 2),
              "#135087"),
          bug(
              "TransformersIgnored",
              Component.KUBE_CONTROLLER_MANAGER,
              "informers do not apply their transformers, so that omitted fields stay in memory",
              Map.of(34, 3),
              "#135592"),
          bug(
              "EndpointPanic",
              Component.KUBE_CONTROLLER_MANAGER,
              "a Service without ipFamilies, created before dual stack, makes the endpoint "
                  + "controller panic",
              Map.of(36, 2),
              "#139233"),
          bug(
              "AsyncApiCalls",
              Component.KUBE_SCHEDULER,
              "the gate SchedulerAsyncAPICalls slows kube-scheduler down under load; set the gate"
                  + " to false until you upgrade",
              Map.of(34, 2, 35, 1),
              "#134401, #135904"),
          bug(
              "ClaimCountsCrash",
              Component.KUBE_SCHEDULER,
              "a ResourceClaim whose counts of devices add up to more than an integer holds crashes"
                  + " kube-scheduler",
              Map.of(37, 1),
              "#141922"),
          bug(
              "TaintRuleForAllDevices",
              Component.KUBE_SCHEDULER,
              "a DeviceTaintRule without spec.deviceSelector taints every device of the cluster;"
                  + " add a selector to each such rule until you upgrade",
              Map.of(37, 1),
              "#141998"),
          bug(
              "ProxyFullSyncs",
              Component.KUBE_PROXY,
              "with more than 1,000 endpoints kube-proxy syncs all rules without need",
              Map.of(36, 1),
              "#138635"),
          bug(
              "ProxyUdpLeak",
              Component.KUBE_PROXY,
              "kube-proxy can leak memory under heavy UDP traffic",
              Map.of(32, 3),
              "#130034"));

  private PatchedBugs() {}

  private static Bug bug(
      String name, Component component, String text, Map<Integer, Integer> fixed, String pulls) {
    return new Bug(name, component, text, fixed, "kubernetes " + pulls);
  }

  public static List<Bug> all() {
    return ALL;
  }

  /** What a version has; nothing if its patch is not known. */
  public static List<Bug> of(PatchVersion version) {
    return ALL.stream().filter(bug -> bug.isIn(version)).toList();
  }
}
