// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.MinorVersion;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * One thing that people can change about a cluster. Each has a price: 1 for a setting, 2 for what
 * costs machines or time, 3 and 4 for work on what runs on the nodes, more for the work that the
 * cluster is there for. The cheapest set is the smallest.
 */
enum Lever {
  STORES(
      Input.EXAPLANE_STORES,
      1,
      "keep the objects in Exaplane's stores: their quota is their memory",
      estimate -> flag(estimate, Input.EXAPLANE_STORES, true)),
  SCHEDULER(
      Input.SCHEDULER_POOL,
      1,
      "let a SchedulerPool place the pods",
      estimate -> flag(estimate, Input.SCHEDULER_POOL, true)),
  LEASE_WATCHERS(
      Input.LEASE_WATCHERS,
      1,
      "let only kube-controller-manager watch Leases in kube-node-lease (RBAC)",
      estimate -> below(estimate, Input.LEASE_WATCHERS, 1)),
  WHOLE_SERVER(
      Input.APISERVER_MEMORY,
      1,
      "give each kube-apiserver a whole server: its collector then works more often",
      Lever::wholeServer),
  SERVICE_RANGE(
      Input.SERVICE_CIDRS,
      1,
      "give Services a larger range, which Kubernetes takes from 1.34 on",
      Lever::serviceRange),
  LEASES(
      Input.LEASE_SECONDS,
      2,
      "let nodes renew their Leases less often: a dead node is noticed after 1.25 times that",
      Lever::leaseSeconds),
  STATUS(
      Input.STATUS_SECONDS,
      2,
      "let nodes report an unchanged status less often",
      estimate -> above(estimate.heartbeat().statusReportSeconds(), 1_800, 3_600)),
  REPLICAS(Input.REPLICAS, 2, "run more kube-apiservers", Lever::replicas),
  KUBE_PROXY(
      Input.KUBE_PROXY,
      3,
      "let no node watch all Services and EndpointSlices: use a data plane that distributes them,"
          + " or one agent for many nodes",
      estimate -> flag(estimate, Input.KUBE_PROXY, false)),
  WATCHES(
      Input.WATCHES_PER_NODE,
      3,
      "let agents watch less: 12 if kubelets read ConfigMaps and Secrets from a cache"
          + " (configMapAndSecretChangeDetectionStrategy), 5 if nothing but the kubelet watches",
      estimate -> below(estimate, Input.WATCHES_PER_NODE, 12, 5)),
  NODE_BYTES(
      Input.NODE_BYTES,
      3,
      "make Nodes smaller: nodeStatusMaxImages of 10, fewer labels and annotations",
      estimate -> below(estimate, Input.NODE_BYTES, 15_000, 8_000)),
  POD_EVENTS(
      Input.POD_EVENTS,
      3,
      "let nodes write fewer Events (eventRecordQPS)",
      estimate -> below(estimate, Input.POD_EVENTS, 2, 1)),
  POD_BYTES(
      Input.POD_BYTES,
      4,
      "make pods smaller: no large annotations, environment in ConfigMaps, fewer managed fields",
      estimate -> below(estimate, Input.POD_BYTES, 6_000, 4_000)),
  POD_WATCHERS(
      Input.POD_WATCHERS,
      4,
      "let fewer controllers and operators watch all pods",
      estimate -> below(estimate, Input.POD_WATCHERS, 4, 2)),
  SECRETS(
      Input.SECRETS_PER_POD,
      4,
      "share Secrets and ConfigMaps between pods",
      estimate -> below(estimate, Input.SECRETS_PER_POD, 0.05, 0.02)),
  SERVICES(
      Input.SERVICES,
      5,
      "have fewer Services: pods that no client calls need none",
      Lever::services),
  CHURN(
      Input.POD_CHURN,
      20,
      "create and delete pods less often: longer jobs, fewer restarts",
      Lever::churn),
  PODS(
      Input.PODS_PER_NODE,
      100,
      "run fewer, larger pods on a node, or split the cluster",
      estimate -> below(estimate, Input.PODS_PER_NODE, 20, 15, 10, 5));

  private static final int MOST_REPLICAS = 50;

  /** More would leave a dead node in the Services for a quarter of an hour. */
  private static final double MOST_LEASE_SECONDS = 600;

  private final Input input;
  private final int price;
  private final String action;
  private final Function<Estimate, List<String>> rungs;

  Lever(Input input, int price, String action, Function<Estimate, List<String>> rungs) {
    this.input = input;
    this.price = price;
    this.action = action;
    this.rungs = rungs;
  }

  Input input() {
    return input;
  }

  int price() {
    return price;
  }

  String action() {
    return action;
  }

  /** Values that would help this cluster, the mildest first; none if it has that already. */
  List<String> rungs(Estimate estimate) {
    return rungs.apply(estimate);
  }

  /** The value that the cluster has now, for people. */
  String current(Estimate estimate) {
    Shape shape = estimate.shape();
    return shape
        .given(input)
        .orElseGet(
            () ->
                switch (this) {
                  case REPLICAS -> Integer.toString(estimate.replicas());
                  case LEASES -> Long.toString(estimate.heartbeat().leaseSeconds());
                  case STATUS -> Long.toString(estimate.heartbeat().statusReportSeconds());
                  case WHOLE_SERVER -> gibibytes(estimate.memoryLimit());
                  case CHURN, SERVICES -> plain(shape.number(input));
                  default -> input.defaultText();
                });
  }

  private static List<String> flag(Estimate estimate, Input input, boolean wanted) {
    return estimate.shape().isTrue(input) == wanted ? List.of() : List.of(Boolean.toString(wanted));
  }

  private static List<String> below(Estimate estimate, Input input, double... values) {
    Shape shape = estimate.shape();
    double now =
        input.defaultText().equals("unknown")
            ? shape.knownNumber(input).orElse(Double.MAX_VALUE)
            : shape.number(input);
    return DoubleStream.of(values).filter(value -> value < now).mapToObj(Lever::plain).toList();
  }

  private static List<String> above(double now, double... values) {
    return Arrays.stream(values).filter(value -> value > now).mapToObj(Lever::plain).toList();
  }

  private static List<String> wholeServer(Estimate estimate) {
    Shape shape = estimate.shape();
    return shape.given(Input.APISERVER_MEMORY).isPresent()
        ? List.of()
        : shape
            .knownNumber(Input.LARGEST_NODE_MEMORY)
            .map(Lever::gibibytes)
            .map(List::of)
            .orElse(List.of());
  }

  private static List<String> serviceRange(Estimate estimate) {
    Shape shape = estimate.shape();
    boolean free = shape.version().compareTo(MinorVersion.of(34)) >= 0;
    return free && shape.given(Input.SERVICE_CIDRS).isEmpty()
        ? List.of("fd00:10:96::/100")
        : List.of();
  }

  private static List<String> leaseSeconds(Estimate estimate) {
    double now = estimate.heartbeat().leaseSeconds();
    double needed =
        Numbers.roundUp(4 * estimate.shape().nodes() / estimate.heartbeat().limitPerSecond(), 10);
    return DoubleStream.of(needed, 2 * now, 4 * now)
        .filter(value -> value > now && value <= MOST_LEASE_SECONDS)
        .sorted()
        .distinct()
        .mapToObj(Lever::plain)
        .toList();
  }

  private static List<String> replicas(Estimate estimate) {
    double now =
        estimate
            .shape()
            .knownNumber(Input.REPLICAS)
            .orElse((double) Estimate.usualReplicas(estimate.shape().nodes()));
    return DoubleStream.of(1.25, 1.5, 2, 3)
        .map(factor -> Math.min(MOST_REPLICAS, Math.ceil(factor * now)))
        .filter(value -> value > now)
        .distinct()
        .mapToObj(Lever::plain)
        .toList();
  }

  private static List<String> services(Estimate estimate) {
    double pods = estimate.shape().pods();
    return below(
        estimate,
        Input.SERVICES,
        Math.ceil(pods / 30),
        Math.ceil(pods / 100),
        Math.ceil(pods / 1_000));
  }

  private static List<String> churn(Estimate estimate) {
    double now = estimate.shape().number(Input.POD_CHURN);
    return now == 0 ? List.of() : List.of(plain(now / 2), plain(now / 4), plain(now / 10));
  }

  private static String gibibytes(double bytes) {
    return plain(Math.floor(bytes / Bytes.GIB)) + "Gi";
  }

  /** As an input reads it. */
  private static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : new BigDecimal(value, new MathContext(4)).stripTrailingZeros().toPlainString();
  }
}
