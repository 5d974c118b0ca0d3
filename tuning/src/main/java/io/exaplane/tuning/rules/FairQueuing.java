// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import io.exaplane.tuning.apf.FanOut;
import io.exaplane.tuning.apf.FlowControl;
import io.exaplane.tuning.apf.Seats;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.rules.Item.Confidence;
import java.util.Map;

/** Priority levels of their own for what must not wait behind other things: API objects. */
final class FairQueuing implements Rule {
  private static final Map<String, String> REASONS =
      Map.of(
          FlowControl.LEASES,
          "renewals of node Leases wait for no other request of the nodes; seats by Little's law",
          FlowControl.NODE_READS,
          "LISTs and watches of nodes, which come as a storm after a kube-apiserver is lost, "
              + "take no seats from Leases or status",
          FlowControl.FAN_OUT,
          "a write of an EndpointSlice holds seats for all its watchers; with its own level, "
              + "controllers do not wait for it",
          FlowControl.CONTROLLERS,
          "the scheduler binds with two to three requests a pod",
          FlowControl.EVENTS,
          "Events are refused first under overload",
          FlowControl.AGENTS,
          "agents of all nodes that restart at once cannot borrow from other levels",
          FlowControl.LISTS,
          "LISTs of whole resources hold memory, so few run at a time");

  @Override
  public String name() {
    return "fair-queuing";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    FlowControl flowControl = FlowControl.of(estimate, advice.matrix());
    for (Map<String, Object> manifest : flowControl.manifests()) {
      String name = ((Map<?, ?>) manifest.get("metadata")).get("name").toString();
      Seats seats = flowControl.seatsAfter().get(name);
      Why why =
          Why.because(REASONS.getOrDefault(name, "sends these requests to their priority level"))
              .source(
                  Confidence.M,
                  "KEP-1040, pkg/apis/flowcontrol/bootstrap/default.go, reference/tuning.md §4.3")
              .risk("shares of one level come from all other levels; check the seats of those")
              .with("seats of all levels", estimate.concurrency().total())
              .with("renewals/s", estimate.heartbeat().renewalsPerSecond())
              .with("kube-apiservers", estimate.replicas());
      advice.apf(
          manifest.get("kind") + "/" + name,
          manifest,
          seats == null || !manifest.get("kind").equals("PriorityLevelConfiguration")
              ? why
              : why.with("nominal seats", seats.nominal()));
    }
    warnOfFanOut(estimate, flowControl, advice);
    warnOfLeases(estimate, flowControl, advice);
  }

  private static void warnOfFanOut(Estimate estimate, FlowControl flowControl, Advice advice) {
    Kind slices = estimate.load().kind(Load.SLICES);
    double watchers = slices.watchers() / estimate.replicas();
    String level =
        flowControl.seatsAfter().containsKey(FlowControl.FAN_OUT)
            ? FlowControl.FAN_OUT
            : "workload-high";
    double seats = flowControl.seatsAfter().get(level).nominal();
    double possible = estimate.replicas() * FanOut.writesPerSecond(seats, watchers);
    if (Double.isFinite(possible)
        && advice.exceeds(
            new Limit(
                "writes of EndpointSlices",
                "SliceWritesExceedSeats",
                slices.writesPerSecond(),
                possible,
                Limit.Unit.PER_SECOND))) {
      advice.warn(
          "SliceWritesExceedSeats",
          String.format(
              "%s writes/s of EndpointSlices are expected, but %s watches of each kube-apiserver "
                  + "allow only %s",
              Numbers.text(Math.ceil(slices.writesPerSecond())),
              Numbers.text(Math.floor(watchers)),
              Numbers.text(Math.floor(possible))),
          "let fewer clients watch all EndpointSlices (a shared agent, a data plane without "
              + "kube-proxy), or batch the writes with endpointslice-updates-batch-period",
          Why.because("")
              .source(Confidence.H, FAN_OUT_SOURCE)
              .with("watchers", watchers)
              .with("seats", seats));
    }
  }

  private static final String FAN_OUT_SOURCE =
      "pkg/util/flowcontrol/request/mutating_work_estimator.go: 5 ms of a seat for each 10 watchers";

  private static void warnOfLeases(Estimate estimate, FlowControl flowControl, Advice advice) {
    Seats seats = flowControl.seatsAfter().get(FlowControl.LEASES);
    double needed = FlowControl.leaseSeats(estimate);
    if (seats != null
        && advice.exceeds(
            new Limit(
                "seats for renewals of Leases",
                "LeasesExceedSeats",
                needed,
                seats.nominal(),
                Limit.Unit.COUNT))) {
      advice.warn(
          "LeasesExceedSeats",
          String.format(
              "renewals need %s seats of a kube-apiserver, but it has %d in total",
              Numbers.text(needed), estimate.concurrency().total()),
          "raise the memory or cores of kube-apiserver, run more kube-apiservers, or renew less "
              + "often",
          Why.because("").source(Confidence.M, "Little's law").with("seats", seats.nominal()));
    }
  }
}
