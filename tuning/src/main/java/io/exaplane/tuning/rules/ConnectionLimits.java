// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.rules;

import static io.exaplane.tuning.version.Component.KUBELET;
import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.HostLimits;
import io.exaplane.tuning.rules.Item.Confidence;
import io.exaplane.tuning.rules.Item.Type;

/** Open files and connections: what the hosts of kube-apiservers and of pods must allow. */
final class ConnectionLimits implements Rule {
  /** For files, stores, webhooks, and for what is not closed yet. */
  private static final double OTHER_FILES = 65_536;

  /** net.core.somaxconn since Linux 5.4. */
  private static final double USUAL_BACKLOG = 4_096;

  private static final long LARGE_BACKLOG = 16_384;

  /** kube-proxy's conntrack.min, which it sets on each node that it runs on. */
  private static final double USUAL_TRACKED = 131_072;

  @Override
  public String name() {
    return "connection-limits";
  }

  @Override
  public void apply(Estimate estimate, Advice advice) {
    apiServer(estimate, advice);
    node(estimate, advice);
  }

  private static void apiServer(Estimate estimate, Advice advice) {
    double connections = Math.ceil(estimate.load().connections() / estimate.replicas());
    double files = 2 * connections + OTHER_FILES;
    advice.other(
        KUBE_APISERVER,
        Type.HOST,
        "nofile",
        (long) files,
        "of the container runtime",
        Why.because(
                "twice the connections of one kube-apiserver, which may get another one's, and"
                    + " 65,536 other files")
            .source(
                Confidence.M,
                "k8s-1m: 250,000 connections each with 1,048,576 files; systemd's default hard"
                    + " limit is 524,288")
            .risk(
                "no field of a pod sets the limit: set LimitNOFILE of the container runtime where"
                    + " kube-apiservers run")
            .with("connections of a kube-apiserver", connections));
    if (connections > USUAL_BACKLOG) {
      Why backlog =
          Why.because("clients of a server that ends connect to the others at the same moment")
              .source(Confidence.M, "k8s-1m; Linux' ip-sysctl.rst: somaxconn is 4,096 since 5.4")
              .risk(
                  "Kubernetes calls the sysctl unsafe in a pod: set it on the host, or allow it in"
                      + " the kubelet's allowedUnsafeSysctls")
              .with("connections of a kube-apiserver", connections);
      advice.other(KUBE_APISERVER, Type.HOST, "net.core.somaxconn", LARGE_BACKLOG, "4096", backlog);
      advice.other(
          KUBE_APISERVER,
          Type.HOST,
          "net.ipv4.tcp_max_syn_backlog",
          LARGE_BACKLOG,
          "by the host's memory",
          backlog);
    }
    if (files > USUAL_TRACKED) {
      advice.other(
          KUBE_APISERVER,
          Type.HOST,
          "net.netfilter.nf_conntrack_max",
          (long) files,
          "by the host's memory",
          Why.because(
                  "the kernel tracks each connection, and drops new ones when its table is full")
              .source(Confidence.L, "Linux' nf_conntrack-sysctl.rst; kube-proxy's conntrack.min")
              .risk("each entry takes about 320 bytes of the kernel's memory")
              .with("connections of a kube-apiserver", connections));
    }
  }

  private static void node(Estimate estimate, Advice advice) {
    double pods = KubeletLoad.maxPods(estimate);
    advice.other(
        KUBELET,
        Type.HOST,
        "nofile",
        HostLimits.OPEN_FILES,
        "524288",
        Why.because("as many as the kernel gives one process (fs.nr_open)")
            .source(Confidence.M, "k8s-1m: LimitNOFILE of 1,048,576; systemd's default is 524,288")
            .risk("none known: descriptors that are not open take no memory")
            .with("pods per node, at most", pods));
    new HostLimits((long) pods)
        .sysctls()
        .forEach(
            (name, value) ->
                advice.other(KUBELET, Type.HOST, name, value, usual(name), why(name, pods)));
  }

  private static String usual(String sysctl) {
    return switch (sysctl) {
      case "fs.inotify.max_user_instances" -> "128";
      case "net.ipv6.neigh.default.gc_thresh2" -> "512";
      case "net.ipv6.neigh.default.gc_thresh3" -> "1024";
      default -> "by the host's memory";
    };
  }

  private static Why why(String sysctl, double pods) {
    Why why =
        switch (sysctl) {
          case "fs.inotify.max_user_instances" ->
              Why.because("16 for each pod: pods of the user root share one limit")
                  .source(Confidence.L, "Linux' inotify(7); the default of 128 is for one desktop");
          case "fs.inotify.max_user_watches" ->
              Why.because("512 for each pod: pods of the user root share one limit")
                  .source(Confidence.L, "Linux' inotify(7); below 5.11, the default was 8,192");
          case "net.netfilter.nf_conntrack_max" ->
              Why.because("512 connections for each pod, beyond which the kernel drops new ones")
                  .source(Confidence.L, "Linux' nf_conntrack-sysctl.rst");
          case "net.ipv6.neigh.default.gc_thresh2" ->
              Why.because("half of gc_thresh3: above it, the kernel removes entries after 5 s")
                  .source(Confidence.L, "Linux' arp(7) and ip-sysctl.rst");
          default ->
              Why.because(
                      "8 neighbors for each pod and 1,024 others, beyond which packets are lost")
                  .source(Confidence.L, "Linux' arp(7) and ip-sysctl.rst");
        };
    return why.risk("the kernel may take more memory; the join script never lowers a value")
        .with("pods per node, at most", pods);
  }
}
