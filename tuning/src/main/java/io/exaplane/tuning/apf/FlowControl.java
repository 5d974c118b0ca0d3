// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.apf;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Kind;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.version.PriorityLevel;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The priority levels and flow schemas for a cluster: what is added to those that kube-apiserver
 * makes by itself, and the seats that all of them have then.
 *
 * @param levels ours
 * @param schemas ours, in the order of their precedence
 * @param seatsBefore of the levels there are without ours
 * @param seatsAfter of all levels
 */
public record FlowControl(
    List<PriorityLevel> levels,
    List<Schema> schemas,
    Map<String, Seats> seatsBefore,
    Map<String, Seats> seatsAfter) {
  public static final String LEASES = "exaplane-leases";
  public static final String NODE_READS = "exaplane-node-reads";
  public static final String FAN_OUT = "exaplane-fan-out";
  public static final String CONTROLLERS = "exaplane-controllers";
  public static final String AGENTS = "exaplane-agents";
  public static final String LISTS = "exaplane-lists";
  public static final String EVENTS = "exaplane-events";

  /** Below it the levels that every kube-apiserver makes do. */
  public static final int NODES_FROM = 1_000;

  /**
   * Seconds that a renewal may take at the 99th percentile, and how much more than planned comes.
   */
  private static final double LEASE_SECONDS = 0.05;

  private static final double RESERVE = 1.5;

  /** A level for fan-out may have this part of all seats: others have to live, too. */
  private static final double FAN_OUT_PART = 0.25;

  public static FlowControl of(Estimate estimate, VersionMatrix matrix) {
    List<PriorityLevel> builtIn = matrix.priorityLevels(estimate.shape().version());
    int total = estimate.concurrency().total();
    boolean large = estimate.shape().nodes() >= NODES_FROM;
    List<PriorityLevel> ours = new ArrayList<>();
    if (large) {
      ours.add(queued(NODE_READS, 30, 50, OptionalInt.of(100), 512, 6, 50));
      ours.add(queued(CONTROLLERS, 40, 30, OptionalInt.empty(), 64, 6, 50));
      ours.add(new PriorityLevel(EVENTS, false, 5, 0, OptionalInt.of(0), 0, 0, 0));
    }
    if (!estimate.shape().list(Input.AGENTS).isEmpty()) {
      ours.add(queued(AGENTS, 5, 0, OptionalInt.of(0), 64, 4, 20));
    }
    if (!estimate.shape().list(Input.HEAVY_LISTERS).isEmpty()) {
      ours.add(queued(LISTS, 10, 0, OptionalInt.of(0), 16, 2, 20));
    }
    if (large) {
      double leases = leaseSeats(estimate);
      double fanOut = fanOutSeats(estimate);
      double others =
          Stream.concat(builtIn.stream(), ours.stream()).mapToInt(PriorityLevel::shares).sum();
      // n seats of T for s shares beside others: n = T · s / (others + all such shares).
      double sharesPerSeat = others / Math.max(1, total - leases - fanOut);
      ours.add(queued(LEASES, shares(leases * sharesPerSeat), 0, OptionalInt.empty(), 1024, 6, 20));
      ours.add(queued(FAN_OUT, shares(fanOut * sharesPerSeat), 0, OptionalInt.empty(), 64, 6, 50));
    }
    List<PriorityLevel> all = new ArrayList<>(builtIn);
    all.addAll(ours);
    return new FlowControl(
        List.copyOf(ours),
        Schema.all(estimate.shape(), large),
        Seats.of(builtIn, total),
        Seats.of(all, total));
  }

  /** Our objects as the API takes them: levels first, since schemas name them. */
  public List<Map<String, Object>> manifests() {
    return Stream.concat(levels.stream().map(Manifests::of), schemas.stream().map(Manifests::of))
        .toList();
  }

  /** Little's law: renewals of one kube-apiserver, a fellow away, times what one takes. */
  public static double leaseSeats(Estimate estimate) {
    return Math.ceil(
        RESERVE
            * estimate.heartbeat().renewalsPerSecond()
            / Math.max(1, estimate.replicas() - 1)
            * LEASE_SECONDS);
  }

  /** Seats that the writes of EndpointSlices hold for those who watch them. */
  public static double fanOutSeats(Estimate estimate) {
    Kind slices = estimate.load().kind(Load.SLICES);
    double needed =
        1.3
            * slices.writesPerSecond()
            / estimate.replicas()
            * FanOut.seatSeconds(slices.watchers() / estimate.replicas());
    return Math.ceil(Math.max(10, Math.min(needed, FAN_OUT_PART * estimate.concurrency().total())));
  }

  private static int shares(double exact) {
    return Math.max(5, (int) Math.ceil(exact));
  }

  private static PriorityLevel queued(
      String name,
      int shares,
      int lendablePercent,
      OptionalInt borrowingLimitPercent,
      int queues,
      int handSize,
      int queueLengthLimit) {
    return new PriorityLevel(
        name,
        false,
        shares,
        lendablePercent,
        borrowingLimitPercent,
        queues,
        handSize,
        queueLengthLimit);
  }
}
