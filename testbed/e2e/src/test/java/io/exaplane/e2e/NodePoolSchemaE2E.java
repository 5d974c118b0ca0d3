// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** The rules of a NodePool's schema, judged by a real API server. Nothing is kept. */
@Order(11)
@Tag("api")
class NodePoolSchemaE2E {
  private static final String MADE = "schema-made";
  private static final String NETWORKS = "addresses: {source: StaticPrefix, ";

  @BeforeAll
  static void aPoolIsMade() {
    Bed.apply(
        pool(
            MADE,
            "maxNodes: 10, " + NETWORKS + "podPrefixLength: 112, prefixes: ['2001:db8:1::/48']}"));
  }

  @AfterAll
  static void itGoes() {
    Bed.kubectl("delete", "npool", MADE, "--ignore-not-found", "--timeout=300s");
  }

  private record Case(String spec, String message) {}

  private static String pool(String name, String spec) {
    return """
    apiVersion: exaplane.io/v1alpha1
    kind: NodePool
    metadata: {name: %s}
    spec: {controlPlaneRef: {name: no-such-control-plane}, %s}
    """
        .formatted(name, spec);
  }

  /** An empty message is that of a spec that is accepted. */
  @TestFactory
  Stream<DynamicTest> rulesOnCreation() {
    String cidr = ": must be an IPv6 CIDR, for example 2001:db8:1::/48, since pods of such nodes";
    String overlap = "two of them overlap";
    return Stream.of(
            new Case("maxNodes: 1", ""),
            new Case("maxNodes: 1000000, bootstrapTokenHours: 720, version: 1.37.2", ""),
            new Case("maxNodes: 0", "maxNodes"),
            new Case("maxNodes: 1000001", "maxNodes"),
            new Case("version: 1.37.2", "spec.maxNodes: Required"),
            new Case("maxNodes: 1, version: v1.37", "spec.version"),
            new Case("maxNodes: 1, bootstrapTokenHours: 0", "bootstrapTokenHours"),
            new Case("maxNodes: 1, bootstrapTokenHours: 721", "bootstrapTokenHours"),
            networks("112", "'2001:db8:1::/48', '2001:db8:2::/48'", ""),
            networks("112", "'2001:db8:1::/112'", ""),
            networks("112", "'2001:db8:1::/48', '2001:db8:1:1::/64'", overlap),
            networks("112", "'2001:db8:1::/48', '2001:db8:1::/48'", overlap),
            networks("112", "'10.0.0.0/8'", "addresses.prefixes 10.0.0.0/8" + cidr),
            networks("112", "'2001:db8:1::/48', '10.0.0.0/8'", "prefixes 10.0.0.0/8" + cidr),
            networks(
                "112",
                "'2001:db8:1::1/48'",
                "addresses.prefixes: must have no bits behind its length; write"
                    + " the first address"),
            networks("112", "'here'", "addresses.prefixes here" + cidr),
            networks("112", "", "should have at least 1 items"),
            networks("112", "'2001:db8::/113'", "podPrefixLength: must be equal to or longer"),
            networks("121", "'2001:db8::/48'", "podPrefixLength"),
            networks("63", "'2001:db8::/48'", "podPrefixLength"),
            source("OtherPrefix", "", "Unsupported value: \"OtherPrefix\""),
            source("RequestedPrefix", "", ""),
            source("RequestedPrefix", "requested: {}", ""),
            source("RequestedPrefix", "requested: {length: 64, hostAddress: FromPrefix}", ""),
            source("RequestedPrefix", "requested: {length: 31}", "requested.length"),
            source("RequestedPrefix", "requested: {length: 113}", "requested.length"),
            source("RequestedPrefix", "requested: {hostAddress: Any}", "Unsupported value"),
            source(
                "RequestedPrefix",
                "requested: {hostAddress: FromPrefix}",
                "requested.length: is needed if hostAddress is FromPrefix"),
            source(
                "RequestedPrefix",
                "requested: {length: 32}",
                "requested.length: must be equal to or longer"),
            new Case(requesting(96, "length: 97"), "must not be longer than podPrefixLength"),
            new Case(requesting(96, "length: 96"), ""),
            new Case(
                requesting(96, "length: 96, hostAddress: FromPrefix"),
                "must be shorter if hostAddress is FromPrefix"),
            source("RequestedPrefix", "neighborDiscovery: None", ""),
            source("RequestedPrefix", "neighborDiscovery: KernelProxy", "must be None if source"),
            source("HostPrefix", "requested: {}", "belongs to the source RequestedPrefix"),
            source("HostPrefix", "", ""),
            source("HostPrefix", "neighborDiscovery: KernelProxy, interfaceName: eth0", ""),
            source("HostPrefix", "neighborDiscovery: Auto", ""),
            source("RequestedPrefix", "neighborDiscovery: Auto", "must be None if source"),
            source("HostPrefix", "neighborDiscovery: Proxy", "Unsupported value: \"Proxy\""),
            source("HostPrefix", "interfaceName: 'eth0;reboot'", "interfaceName"),
            source("HostPrefix", "delegated: {file: /a}", "set both or neither"),
            source("DelegatedPrefix", "", "set both or neither"),
            source("DelegatedPrefix", "delegated: {}", "needs either file or metadataURL"),
            source("DelegatedPrefix", "delegated: {file: /run/prefix}", ""),
            source("DelegatedPrefix", "delegated: {file: run}", "delegated.file"),
            source("DelegatedPrefix", "delegated: {metadataURL: 'https://a/b'}", "metadataURL"),
            source(
                "DelegatedPrefix",
                "delegated: {file: /a, metadataURL: 'http://[fd00:ec2::254]/{mac}/ipv6-prefix'}",
                "set one of the two"),
            source(
                "DelegatedPrefix",
                "delegated: {metadataURL: 'http://[fd00:ec2::254]/{mac}/ipv6-prefix',"
                    + " metadataSession: IMDSv2}",
                ""),
            source("DelegatedPrefix", "delegated: {file: /a, metadataSession: IMDSv2}", "not set"),
            new Case(
                "maxNodes: 1, addresses: {source: HostPrefix, podPrefixLength: 64, prefixes:"
                    + " ['2001:db8::/64']}",
                "must be longer than the length of each"),
            network("mtu: 1280, nat64: {}", ""),
            network("mtu: 1279", "mtu"),
            network("podLink: PointToPoint", ""),
            network("podLink: Vlan", "Unsupported value: \"Vlan\""),
            network("nat64: {prefix: '64:ff9b::/96', resolvers: ['2001:db8::64']}", ""),
            network("nat64: {prefix: '64:ff9b::/64'}", "of the length 96"),
            network("nat64: {prefix: '10.0.0.0/8'}", "of the length 96"),
            network("nat64: {resolvers: ['192.0.2.1']}", "must be an IPv6 address"),
            firewall("mode: Managed, tcpPorts: [22, 443], udpPorts: []", ""),
            firewall("mode: On", "Unsupported value: \"On\""),
            firewall("mode: Managed, tcpPorts: [0]", "tcpPorts"),
            firewall("mode: Managed, udpPorts: [65536]", "udpPorts"),
            taints("{key: a, effect: NoSchedule}, {key: a, effect: NoExecute}", ""),
            taints(
                "{key: a, effect: NoSchedule}, {key: a, value: b, effect: NoSchedule}",
                "contains a key twice"),
            taints("{key: 'a b', effect: NoSchedule}", "key"),
            taints("{key: a, effect: Evict}", "Unsupported value: \"Evict\""),
            kubelet("nodeStatusUpdateFrequencySeconds: 10", "set both or neither"),
            kubelet(
                "nodeStatusUpdateFrequencySeconds: 10, nodeStatusReportFrequencySeconds: 300", ""),
            kubelet(
                "nodeStatusUpdateFrequencySeconds: 301, nodeStatusReportFrequencySeconds: 300",
                "must not exceed"),
            kubelet("maxPods: 1001", "maxPods"),
            kubelet("leaseDurationSeconds: 9", "leaseDurationSeconds"),
            kubelet("imageGCHighThresholdPercent: 90, imageGCLowThresholdPercent: 89", ""),
            kubelet(
                "imageGCHighThresholdPercent: 90, imageGCLowThresholdPercent: 90",
                "imageGCLowThresholdPercent: must be less than imageGCHighThresholdPercent"),
            kubelet(
                "imageGCHighThresholdPercent: 80",
                "imageGCLowThresholdPercent: must be less than imageGCHighThresholdPercent"),
            kubelet("imageGCLowThresholdPercent: 84", ""),
            kubelet("imageGCHighThresholdPercent: 101", "imageGCHighThresholdPercent"),
            kubelet("nodeStatusMaxImages: -1, changeDetection: Cache", ""),
            kubelet("nodeStatusMaxImages: -2", "nodeStatusMaxImages"),
            kubelet("changeDetection: Poll", "Unsupported value: \"Poll\""),
            agents("daemonSets: [{namespace: kube-system, name: cilium}]", ""),
            agents("admission: {mode: Audit}", ""),
            agents("maxPercentPerMinute: 10", "agents: names nothing"),
            agents("daemonSets: []", "should have at least 1 items"),
            agents(
                "daemonSets: [{namespace: a, name: b}, {namespace: a, name: b}]",
                "contains a DaemonSet twice"),
            agents("daemonSets: [{namespace: a, name: B}]", "daemonSets[0].name"),
            agents(
                "daemonSets: [{namespace: a, name: b}], maxPercentPerMinute: 0",
                "agents.maxPercentPerMinute: must be from 1 to 100"),
            agents(
                "daemonSets: [{namespace: a, name: b}], maxPercentPerMinute: 101",
                "agents.maxPercentPerMinute: must be from 1 to 100, percent of the nodes within"
                    + " a minute; set such a number"),
            agents("daemonSets: [{namespace: a, name: b}], gate: {calmLooks: 0}", "calmLooks"),
            agents("daemonSets: [{namespace: a, name: b}], resume: Never", "Unsupported value"),
            agents("admission: {mode: Refuse}", "Unsupported value: \"Refuse\""),
            new Case("maxNodes: 1, neighborDiscovery: None", "unknown field"))
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.spec(), () -> judge(DryRun.create(pool("rule", one.spec())), one)));
  }

  private static Case networks(String length, String prefixes, String message) {
    return new Case(
        "maxNodes: 1, %spodPrefixLength: %s, prefixes: [%s]}".formatted(NETWORKS, length, prefixes),
        message);
  }

  private static Case source(String source, String rest, String message) {
    return new Case(
        "maxNodes: 1, addresses: {source: %s, podPrefixLength: 112, prefixes: ['2001:db8::/48']%s}"
            .formatted(source, rest.isEmpty() ? "" : ", " + rest),
        message);
  }

  private static String requesting(int podPrefixLength, String fields) {
    return "maxNodes: 1, addresses: {source: RequestedPrefix, podPrefixLength: %d, prefixes: ['2001:db8::/48'], requested: {%s}}"
        .formatted(podPrefixLength, fields);
  }

  private static Case network(String fields, String message) {
    return new Case("maxNodes: 1, network: {%s}".formatted(fields), message);
  }

  private static Case firewall(String fields, String message) {
    return new Case("maxNodes: 1, firewall: {%s}".formatted(fields), message);
  }

  private static Case taints(String taints, String message) {
    return new Case("maxNodes: 1, taints: [%s]".formatted(taints), message);
  }

  private static Case agents(String agents, String message) {
    return new Case("maxNodes: 1, agents: {%s}".formatted(agents), message);
  }

  private static Case kubelet(String settings, String message) {
    return new Case("maxNodes: 1, kubelet: {%s}".formatted(settings), message);
  }

  @TestFactory
  Stream<DynamicTest> rulesOnChange() {
    String immutable = "addresses: source, prefixes, podPrefixLength and requested are immutable";
    return List.of(
            new Case("{\"controlPlaneRef\":{\"name\":\"x\"}}", "controlPlaneRef: is immutable"),
            new Case("{\"addresses\":null}", immutable),
            new Case("{\"addresses\":{\"podPrefixLength\":100}}", immutable),
            new Case("{\"addresses\":{\"prefixes\":[\"2001:db8:9::/48\"]}}", immutable),
            new Case("{\"addresses\":{\"source\":\"HostPrefix\"}}", immutable),
            new Case("{\"addresses\":{\"neighborDiscovery\":\"KernelProxy\"}}", ""),
            new Case("{\"network\":{\"mtu\":1400},\"firewall\":{\"mode\":\"Managed\"}}", ""),
            new Case("{\"network\":{\"podLink\":\"Bridge\"}}", ""),
            new Case("{\"network\":{\"podLink\":\"PointToPoint\"}}", "podLink: is immutable"),
            new Case("{\"maxNodes\":11,\"bootstrapTokenHours\":1}", ""))
        .stream()
        .map(
            one ->
                DynamicTest.dynamicTest(
                    one.spec(),
                    () ->
                        judge(
                            DryRun.patch("NodePool", MADE, "{\"spec\":" + one.spec() + "}"), one)));
  }

  private static void judge(DryRun answer, Case one) {
    if (one.message().isEmpty()) {
      DryRun.accepts(answer);
    } else {
      DryRun.refuses(answer, one.message());
    }
  }
}
