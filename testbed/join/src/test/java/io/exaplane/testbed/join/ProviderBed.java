// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.operator.hosted.FollowedServing;
import io.exaplane.operator.hosted.ServingRules;
import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.ClusterPlan;
import io.exaplane.operator.nodepool.address.FollowedNodes;
import io.exaplane.operator.nodepool.address.PoolPlan;
import io.exaplane.operator.nodepool.join.HostNetwork;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.join.JoinScript;
import io.exaplane.testbed.machine.Http;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One cluster whose nodes are at three providers: one pool spans two of them, which differ in how
 * prefixes come to hosts, and one has a pool of its own. Around it, a translator and servers that
 * no cluster knows. The operator's own classes approve kubelets' certificates and give the nodes
 * their prefixes. One thread.
 */
final class ProviderBed implements AutoCloseable {
  private static final String TOKEN = "abcdef.0123456789abcdef";
  private static final String DELEGATED = "/etc/exaplane/prefix";
  private static final int MOST_NODES = 10;

  /** What is closed, the last first. */
  private final Deque<Closeable> open = new ArrayDeque<>();

  private final Path folder;
  private final Map<Provider.Shape, Path> scripts = new EnumMap<>(Provider.Shape.class);
  private final List<Member> members = new ArrayList<>();
  private Cluster cluster;
  private FollowedNodes operator;
  private Witness witness;

  private ProviderBed(Path folder) {
    this.folder = folder;
  }

  /**
   * A host with its wire.
   *
   * @param port where it is plugged in
   */
  record Member(Provider provider, Provider.Port port, Host host) {
    Provider.Shape shape() {
      return provider.shape;
    }

    @Override
    public String toString() {
      return host.name;
    }
  }

  /**
   * Starts all; no host has joined when this returns.
   *
   * @param folder takes all files
   * @param hosts of each provider, 1..9
   */
  static ProviderBed start(Path folder, int hosts) throws Exception {
    ProviderBed bed = new ProviderBed(folder);
    try {
      bed.startCluster();
      bed.startOutside();
      bed.startHosts(hosts);
    } catch (Exception e) {
      bed.close();
      throw e;
    }
    return bed;
  }

  private void startCluster() throws Exception {
    Net net = Net.make();
    open.push(net::close);
    cluster = Cluster.start(folder);
    open.push(cluster::close);
    cluster.token(TOKEN, Instant.now().plus(Duration.ofHours(1)));
    KubernetesClient client =
        new KubernetesClientBuilder()
            .withConfig(
                new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://127.0.0.1:" + cluster.port())
                    .withOauthToken(Http.TOKEN)
                    .withTrustCerts(true)
                    .build())
            .build();
    open.push(client::close);
    AddressRange services = AddressRange.of(Cluster.SERVICES);
    operator =
        FollowedNodes.start(
            client,
            new ClusterPlan(
                Stream.of(Provider.Shape.ROUTED, Provider.Shape.DELEGATED)
                    .map(ProviderBed::plan)
                    .toList(),
                List.of(new ClusterPlan.Reserved("Services", services))));
    open.push(operator::close);
    FollowedServing serving =
        FollowedServing.start(
            client,
            new ServingRules(Set.of(Net.API), "cluster.local", List.of(services), List.of()));
    open.push(serving::close);
  }

  private static PoolPlan plan(Provider.Shape shape) {
    return new PoolPlan(
        shape.pool(),
        OptionalInt.of(shape.podPrefixLength),
        networks(shape).stream().map(AddressRange::of).toList(),
        MOST_NODES);
  }

  /** The networks of all providers that the pool spans. */
  private static List<String> networks(Provider.Shape shape) {
    return Stream.of(Provider.Shape.values())
        .filter(other -> other.pool().equals(shape.pool()))
        .map(Provider.Shape::network)
        .toList();
  }

  private void startOutside() throws Exception {
    Nat64 nat64 = Nat64.start(folder);
    open.push(nat64::close);
    Dns64 dns = Dns64.at(Net.API);
    open.push(dns::close);
    witness = Witness.at(Net.API);
    open.push(witness::close);
  }

  private void startHosts(int hosts) throws Exception {
    for (Provider.Shape shape : Provider.Shape.values()) {
      scripts.put(
          shape,
          Files.writeString(
              folder.resolve("join-%s.sh".formatted(shape.letter)),
              JoinScript.render(input(shape))));
      Provider provider = Provider.make(shape);
      open.push(provider::close);
      for (int number = 1; number <= hosts; number++) {
        Provider.Port port = provider.port(number);
        Host host = Host.make("%c%d".formatted(shape.letter, number), folder, port);
        open.push(host::close);
        members.add(new Member(provider, port, host));
      }
    }
  }

  /** What the operator would tell hosts of that provider's pool. */
  private JoinInput input(Provider.Shape shape) {
    JoinInput of = cluster.input(TOKEN);
    return new JoinInput(
            of.server(),
            of.caPem(),
            of.token(),
            of.tokenExpires(),
            shape.pool(),
            of.version(),
            of.kubeletConfigJson(),
            of.labels(),
            of.taints(),
            of.clusterDns(),
            of.clusterDomain(),
            OptionalInt.of(shape.podPrefixLength),
            networks(shape))
        .with(network(shape));
  }

  private static HostNetwork network(Provider.Shape shape) {
    boolean delegated = shape == Provider.Shape.DELEGATED;
    return new HostNetwork(
        delegated ? "DelegatedPrefix" : "StaticPrefix",
        delegated ? DELEGATED : "",
        "",
        "None",
        delegated ? "None" : "Auto",
        delegated ? "eth1" : "",
        "Bridge",
        OptionalInt.empty(),
        Nat64.PREFIX,
        List.of(Net.API),
        true,
        List.of(),
        List.of());
  }

  /**
   * Runs the pool's script on a host.
   *
   * @param options of the script
   */
  Shell.Result script(Member member, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of(options));
    switch (member.shape()) {
      // The script finds the part of the host's own network by itself.
      case ROUTED -> {}
      case ON_LINK -> words.add("--prefix=" + member.port().prefix());
      case DELEGATED -> deliver(member);
    }
    return member.host().script(scripts.get(member.shape()), words.toArray(String[]::new));
  }

  /** The provider's own tool has written the prefix of the day. */
  private static void deliver(Member member) throws IOException {
    member
        .host()
        .inside(
            "sh",
            "-euc",
            "mkdir -p \"${0%/*}\"; echo \"$1\" >\"$0\"",
            DELEGATED,
            member.port().prefix());
  }

  Cluster cluster() {
    return cluster;
  }

  FollowedNodes operator() {
    return operator;
  }

  List<Member> members() {
    return members;
  }

  /** A server with IPv6. */
  Witness witness() {
    return witness;
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
