// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import static io.exaplane.tuning.addr.Plans.MATRIX;
import static io.exaplane.tuning.addr.Plans.PROVIDERS;
import static io.exaplane.tuning.addr.Plans.first;
import static io.exaplane.tuning.addr.Plans.inputs;
import static io.exaplane.tuning.addr.Plans.limit;
import static io.exaplane.tuning.addr.Plans.nodes;
import static io.exaplane.tuning.addr.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.addr.AddressPlan.Asked;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressPlanTest {
  @Test
  void networkInterfacesRunOutFirstAtAwsThenAddressUnits() {
    assertThat(first("provider=aws")).isEqualTo("network-interfaces-per-region 5,000");
    assertThat(first("provider=aws network-interfaces-per-region=1000000"))
        .isEqualTo("network-address-usage 32,000");
    assertThat(
            first(
                "provider=aws network-interfaces-per-region=1000000 network-address-usage=256000"))
        .isEqualTo("network-address-usage 128,000");
    // A /56 has 256 subnets, and a subnet of /64 loses its first and last /80 to AWS.
    AddressPlan plan = plan("provider=aws");
    assertThat(nodes(plan, "node-addresses")).isEqualTo(256L * 65_534);
    assertThat(nodes(plan, "subnets-per-vpc")).isEqualTo(200L * 65_534);
    assertThat(nodes(plan, "ipv6-blocks-per-vpc")).isEqualTo(5 * 256L * 65_534);
    assertThat(plan.pods()).contains(UInt128.of(5_000L * 110));
  }

  @Test
  void theEndsOfTheNetworkAreThoseThatNodesGet() {
    PartPlan aws = plan("provider=aws prefixes=2600:1f18:12:3400::/56").parts().getFirst();
    assertThat(aws.firstNode()).contains("2600:1f18:12:3400:1::/80");
    assertThat(aws.lastNode()).contains("2600:1f18:12:34ff:fffe::/80");
    PartPlan one =
        plan("provider=custom prefixes=2001:db8::/64 node-prefix-length=64").parts().getFirst();
    assertThat(one.firstNode()).isEqualTo(one.lastNode()).contains("2001:db8::/64");
    PartPlan kept = plan("provider=aws prefixes=2600:1f18:12:3400::/80").parts().getFirst();
    assertThat(kept.firstNode()).isEmpty();
    assertThat(kept.lastNode()).isEmpty();
    assertThat(kept.nodes()).contains(UInt128.ZERO);
    assertThat(plan("provider=aws").parts().getFirst().firstNode()).isEmpty();
  }

  @Test
  void withAClusterRangeANodeTakesAnAddressUnlessItsPrefixComesAnyway() {
    AddressPlan aws = plan("provider=aws cluster-cidr=fd00:1::/48");
    assertThat(nodes(aws, "network-address-usage")).isEqualTo(64_000);
    assertThat(limit(aws, "node-addresses").nodes().orElseThrow().text()).isEqualTo("about 2^72");
    AddressPlan gcp = plan("provider=gcp cluster-cidr=fd00:1::/48");
    assertThat(limit(gcp, "node-addresses").nodes()).contains(UInt128.powerOfTwo(48));
  }

  @Test
  void quotasThatOthersUseAreLess() {
    Map<String, QuotaChange> changes =
        Map.of(
            "network-interfaces-per-region",
            new QuotaChange(100_000L, null, null, "mine", "today"),
            "network-address-usage",
            new QuotaChange(null, 4_000L, 3L, "mine", "today"));
    AddressPlan plan = plan(inputs("provider=aws"), changes);
    assertThat(plan.first().orElseThrow().nodes()).contains(UInt128.of(20_000));
    assertThat(plan.first().orElseThrow().how())
        .isEqualTo("64,000 (up to 256,000 on request) less 4,000 in use, 3 for each node");
    Limit changed = limit(plan, "network-interfaces-per-region");
    assertThat(changed.source()).isEqualTo("mine");
    assertThat(changed.date()).isEqualTo("today");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider=gcp | instances-per-network 15,000",
        "provider=azure | pod-prefix 0",
        "provider=azure cluster-cidr=fd00:1::/48 | routes-per-route-table 400",
        "provider=aws cluster-cidr=fd00:1::/48 | routes-per-route-table 500",
        "provider=azure cluster-cidr=fd00:1::/48 routes-per-route-table=90000"
            + " | private-addresses-per-network 32,768",
        "provider=aws cluster-cidr=fd00:1::/48 routes-per-route-table=90000"
            + " | network-interfaces-per-region 5,000",
        "provider=ovh-public-cloud | pod-prefix 0",
        "provider=ovh-public-cloud node-prefix-length=64 instances=70 | instances 70",
        "provider=bare-metal | node-addresses 65,536",
        "provider=bare-metal prefixes=2001:db8:1::/48,2001:db8:2::/52 | node-addresses 69,632",
        "provider=bare-metal cluster-cidr=fd00:1::/48 | node-ranges 65,536",
        "provider=bare-metal cluster-cidr=fd00:1::/96 | node-ranges 65,536",
        "provider=bare-metal cluster-cidr=fd00:1::/56 | node-ranges 256",
        "provider=bare-metal cluster-cidr=fd00::/32 | node-ranges 0",
        "provider=bare-metal cluster-cidr=fd00::/32 pod-prefix-length=48 | node-ranges 65,536",
        "provider=dhcpv6-pd prefixes=2001:db8::/40 | node-addresses 16,777,216",
        "provider=custom prefixes=2001:db8::/64 node-prefix-length=80 | node-addresses 65,536",
        "provider=hetzner servers=25 | servers 25",
      })
  void namesTheFirstThingThatRunsOut(String inputs, String expected) {
    assertThat(first(inputs)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "provider=aws, 110",
    "provider=gcp max-pods=250, 250",
    "provider=gcp pod-prefix-length=122, 62",
    "provider=digitalocean, 6",
    "provider=azure, 0",
    "provider=azure cluster-cidr=fd00:1::/48, 110",
    "provider=bare-metal pod-prefix-length=126, 2",
  })
  void podsHaveWhatAddressesAndKubeletAllow(String inputs, long pods) {
    assertThat(plan(inputs).parts().getFirst().podsPerNode()).isEqualTo(pods);
  }

  /** Such as a dual-stack subnet, which uses two ranges. */
  @Test
  void subnetsAndBlocksMayUseMoreThanOneEach() {
    Map<String, QuotaChange> changes =
        Map.of(
            "subnets-per-vpc",
            new QuotaChange(null, null, 3L, "mine", "today"),
            "ipv6-blocks-per-vpc",
            new QuotaChange(7L, 2L, 2L, "mine", "today"));
    AddressPlan plan = plan(inputs("provider=aws"), changes);
    assertThat(nodes(plan, "subnets-per-vpc")).isEqualTo(66L * 65_534);
    assertThat(limit(plan, "subnets-per-vpc").how())
        .isEqualTo("200, 3 for each subnet of 65,534 nodes");
    assertThat(nodes(plan, "ipv6-blocks-per-vpc")).isEqualTo(2 * 256L * 65_534);
    assertThat(limit(plan, "ipv6-blocks-per-vpc").how())
        .contains("less 2 in use, 2 for each block of");
  }

  @Test
  void onlyDedicatedServersOfHetznerAreSurelyRouted() {
    assertThat(plan("provider=hetzner").parts().getFirst().delivery()).isEqualTo("unknown");
    assertThat(plan("provider=hetzner-dedicated").parts().getFirst().delivery())
        .isEqualTo("routed");
  }

  @Test
  void whatThePlanDoesNotCarryIsAProblemWithWhatChangesIt() {
    AddressPlan enough = plan("provider=aws nodes=5000");
    assertThat(enough.carries()).isTrue();
    assertThat(enough.problems()).isEmpty();
    AddressPlan exceeded = plan("provider=aws nodes=5001");
    assertThat(exceeded.carries()).isFalse();
    assertThat(exceeded.problems())
        .singleElement()
        .extracting(Problem::name)
        .isEqualTo("nodes-exceeded");
    assertThat(exceeded.problems().getFirst().message())
        .contains("aws has 5,001 nodes")
        .contains("network-interfaces-per-region carries 5,000");
    assertThat(exceeded.problems().getFirst().next()).contains("ask AWS");
    AddressPlan few = plan("provider=digitalocean nodes=3");
    assertThat(few.carries()).isFalse();
    assertThat(few.problems().getFirst().name()).isEqualTo("pod-addresses-exceeded");
    assertThat(few.problems().getFirst().next()).isEqualTo("set --max-pods to 6");
    assertThat(plan("provider=gcp pod-prefix-length=122").problems().getFirst().next())
        .isEqualTo("set --max-pods to 62, or --pod-prefix-length to 121 or shorter");
    assertThat(plan("provider=digitalocean nodes=3 max-pods=6").carries()).isTrue();
    assertThat(plan("provider=azure nodes=3").problems())
        .extracting(Problem::name)
        .containsExactly("nodes-exceeded");
  }

  @Test
  void aPrefixForPodsHasAddressesForAllOfThem() {
    for (long pods = 1; pods < 2_000; pods++) {
      int length = PartPlan.lengthFor(pods);
      assertThat((1L << (128 - length)) - PartPlan.NOT_FOR_PODS).isGreaterThanOrEqualTo(pods);
      assertThat((1L << (127 - length)) - PartPlan.NOT_FOR_PODS).isLessThan(pods);
    }
  }

  @Test
  void whatChangesTheNumberOfRangesIsPossible() {
    assertThat(next("cluster-cidr=fd00:1::/56"))
        .isEqualTo("set --pod-prefix-length to more than 64, or use a larger range");
    assertThat(next("cluster-cidr=fd00:1::/48")).startsWith("use the prefixes of the nodes");
    assertThat(next("cluster-cidr=fd00::/32")).startsWith("set --pod-prefix-length to 48");
  }

  private static String next(String words) {
    return limit(plan("provider=bare-metal " + words), "node-ranges").next();
  }

  @Test
  void rangesThatAreNearlyUsedAreAWarning() {
    AddressPlan plan = plan("provider=bare-metal cluster-cidr=fd00:1::/48 nodes=60000");
    assertThat(plan.carries()).isTrue();
    assertThat(plan.problems())
        .singleElement()
        .extracting(Problem::name)
        .isEqualTo("node-ranges-nearly-used");
    assertThat(plan("provider=bare-metal cluster-cidr=fd00:1::/48 nodes=50000").problems())
        .isEmpty();
    assertThat(plan("provider=bare-metal cluster-cidr=fd00:1::/48 nodes=65537").carries())
        .isFalse();
  }

  @Test
  void partsAddUpAndShareTheClusterRange() {
    Asked aws = new Asked(inputs("provider=aws nodes=5000"), Map.of());
    Asked vultr =
        new Asked(
            inputs("provider=vultr nodes=100"),
            Map.of("instances", new QuotaChange(200L, null, null, "mine", "today")));
    AddressPlan plan = AddressPlan.of(Map.of(), List.of(aws, vultr), PROVIDERS, MATRIX);
    assertThat(plan.wanted()).contains(5_100L);
    assertThat(plan.nodes()).contains(UInt128.of(5_200));
    assertThat(plan.pods()).contains(UInt128.of(5_200 * 110));
    assertThat(plan.first()).isEmpty();
    AddressPlan ranged =
        AddressPlan.of(inputs("cluster-cidr=fd00:1::/54"), List.of(aws, vultr), PROVIDERS, MATRIX);
    assertThat(ranged.nodes()).contains(UInt128.of(700));
    assertThat(ranged.carries()).isFalse();
    AddressPlan small =
        AddressPlan.of(inputs("cluster-cidr=fd00:1::/57"), List.of(aws, vultr), PROVIDERS, MATRIX);
    assertThat(small.nodes()).contains(UInt128.of(128));
    assertThat(small.first().orElseThrow().name()).isEqualTo("node-ranges");
  }

  @Test
  void whatNobodyPublishesIsUnknownAndNoLimit() {
    AddressPlan plan = plan("provider=vultr nodes=900000");
    assertThat(plan.nodes()).isEmpty();
    assertThat(plan.first()).isEmpty();
    assertThat(plan.carries()).isTrue();
    assertThat(plan.limitsOf(plan.parts().getFirst()))
        .extracting(limit -> limit.nodes().isPresent())
        .containsExactly(false);
  }

  /** Small networks, whose prefixes for nodes a loop counts one by one. */
  @Test
  void countsAsALoopOverAllPrefixesDoes() {
    Random random = new Random(17);
    for (int i = 0; i < 300; i++) {
      int network = 100 + random.nextInt(12);
      int subnet = network + random.nextInt(6);
      int node = subnet + random.nextInt(10);
      Provider provider =
          new Provider(
              "small",
              "Small",
              "",
              network,
              new Provider.Lengths(subnet, 1, 128, null),
              new Provider.Lengths(node, 1, 128, null),
              126,
              false,
              false,
              "routed",
              random.nextInt(6),
              random.nextInt(3),
              "",
              "",
              List.of(),
              List.of());
      AddressPlan plan =
          AddressPlan.of(
              Map.of(),
              List.of(new Asked(inputs("provider=small pod-prefix-length=126"), Map.of())),
              new Providers(List.of(provider)),
              MATRIX);
      assertThat(limit(plan, "node-addresses").nodes().orElseThrow().toBigInteger())
          .as(provider.toString())
          .isEqualTo(BigInteger.valueOf(counted(provider)));
    }
  }

  private static long counted(Provider provider) {
    long subnets = 1L << (provider.subnet().length() - provider.network());
    long addresses = 1L << (128 - provider.subnet().length());
    long size = 1L << (128 - provider.node().length());
    long free = 0;
    for (long from = 0; from < addresses; from += size) {
      boolean reserved =
          from < provider.reservedFirst() || from + size > addresses - provider.reservedLast();
      free += reserved ? 0 : 1;
    }
    return subnets * free;
  }

  @Test
  void moreOfAQuotaNeverCarriesLessAndOneMoreNodeNeedsOneNodesWorth() {
    Random random = new Random(19);
    for (int i = 0; i < 500; i++) {
      long value = random.nextInt(200_000);
      long used = random.nextInt(1_000);
      long each = 1 + random.nextInt(5);
      BigInteger few = ofUnits(value, used, each);
      assertThat(few).isEqualTo(BigInteger.valueOf(Math.max(0, value - used) / each));
      assertThat(ofUnits(value + each, used, each).compareTo(few)).isNotNegative();
      assertThat(ofUnits(value, used + 1, each).compareTo(few)).isNotPositive();
      assertThat(ofUnits(value, used, each + 1).compareTo(few)).isNotPositive();
    }
  }

  private static BigInteger ofUnits(long value, long used, long each) {
    AddressPlan plan =
        plan(
            inputs("provider=aws"),
            Map.of("network-address-usage", new QuotaChange(value, used, each, "", "")));
    return limit(plan, "network-address-usage").nodes().orElseThrow().toBigInteger();
  }
}
