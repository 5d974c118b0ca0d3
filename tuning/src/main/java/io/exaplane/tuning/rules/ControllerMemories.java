// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBE_CONTROLLER_MANAGER;
import static io.exaplane.tuning.version.Component.KUBE_SCHEDULER;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.ControllerMemory;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;

/** Memory of kube-controller-manager and kube-scheduler, which keep what they watch. */
final class ControllerMemories implements Rule {
  @Override
  public String name() {
    return "controller-memory";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    ControllerMemory memory = estimate.controllers();
    request(estimate, advice, KUBE_CONTROLLER_MANAGER, memory.controllerManager());
    request(estimate, advice, KUBE_SCHEDULER, memory.scheduler());
    double needed = ControllerMemory.request(memory.controllerManager());
    estimate
        .shape()
        .knownNumber(Input.LARGEST_NODE_MEMORY)
        .ifPresent(largest -> warn(estimate, advice, needed, largest));
  }

  private static void warn(Estimate estimate, Advice advice, double needed, double largest) {
    if (advice.exceeds(
        new Limit(
            "memory of kube-controller-manager",
            "ControllerManagerLargerThanAnyNode",
            needed,
            largest,
            Limit.Unit.BYTES))) {
      advice.warn(
          "ControllerManagerLargerThanAnyNode",
          String.format(
              "kube-controller-manager needs %s, but the largest node has %s",
              Bytes.text(needed), Bytes.text(largest)),
          "add larger nodes, or make the objects smaller or fewer",
          Why.because("its garbage collector keeps all objects but Events")
              .source(Confidence.M, "ControllerMemoryProcessTest, with pods on 1.36.3")
              .with("pods stored", Bytes.text(estimate.load().kind(Load.PODS).storedBytes())));
    }
  }

  private static void request(
      Estimate estimate, Advice advice, Component component, double liveHeap) {
    advice.other(
        component,
        Type.RESOURCE,
        "requests.memory",
        (long) (ControllerMemory.request(liveHeap) / Bytes.MIB) + "Mi",
        "none",
        Why.because(
                "2.2 times the live heap, as GOGC=100 allows; the live heap is 1.3 times the stored"
                    + " bytes")
            .source(Confidence.M, "ControllerMemoryProcessTest, with pods on 1.36.3")
            .risk("no limit, since a limit kills the leader when many objects change at once")
            .with("live heap", Bytes.text(liveHeap))
            .with("pods stored", Bytes.text(estimate.load().kind(Load.PODS).storedBytes())));
  }
}
