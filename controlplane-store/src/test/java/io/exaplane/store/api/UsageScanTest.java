// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.api.StoreUsage.Share;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.KeyGroup;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Who takes the space, added up in one walk, against sums by group. */
class UsageScanTest {
  private static final List<String> KINDS =
      List.of(
          "/registry/configmaps/",
          "/registry/nodes",
          "/registry/services/specs/",
          "/registry/services/endpoints/",
          "/registry/example.com/widgets/",
          "/other/pods/");

  static LongStream seeds() {
    return Seeds.of(40);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void theLargestGroupsAreFound(long seed) {
    Random random = new Random(seed);
    TreeMap<byte[], Integer> keys = new TreeMap<>(Arrays::compareUnsigned);
    for (int i = random.nextInt(2000); i >= 0; i--) {
      keys.put(key(random).getBytes(UTF_8), 1 + random.nextInt(random.nextInt(1, 10_000)));
    }
    int most = 1 + random.nextInt(30);
    UsageScan scan = new UsageScan(most);
    keys.forEach((key, size) -> scan.add(key, size, 3L * size));
    StoreUsage usage = scan.end(7);

    assertThat(usage.keys()).isEqualTo(keys.size());
    assertThat(usage.bytes()).isEqualTo(keys.values().stream().mapToLong(n -> n).sum());
    assertThat(usage.loadBytes()).isEqualTo(3 * usage.bytes());
    Map<KeyGroup, long[]> sums = new HashMap<>();
    Map<KeyGroup, long[]> kinds = new HashMap<>();
    keys.forEach(
        (key, size) -> {
          KeyGroup group = KeyGroup.of(key);
          add(sums, group, size);
          add(kinds, group == KeyGroup.OTHER ? group : group.ofKind(), size);
        });
    requireLargest(usage.namespaces(), sums, most);
    requireLargest(usage.kinds(), kinds, most);
  }

  private static String key(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> "compact_rev_key";
      case 1 -> "/" + random.nextInt(9);
      case 2 -> "\u0001/" + random.nextInt(9) + "//";
      case 3 -> "/registry/" + "x".repeat(2000) + "/" + random.nextInt(9);
      default ->
          KINDS.get(random.nextInt(KINDS.size()))
              + "/ns-".repeat(1).substring(random.nextInt(2))
              + random.nextInt(12)
              + "/"
              + random.nextInt(1000);
    };
  }

  private static void add(Map<KeyGroup, long[]> sums, KeyGroup group, int size) {
    long[] sum = sums.computeIfAbsent(group, _ -> new long[2]);
    sum[0]++;
    sum[1] += size;
  }

  private static void requireLargest(List<Share> shares, Map<KeyGroup, long[]> sums, int most) {
    assertThat(shares).hasSize(Math.min(most, sums.size()));
    assertThat(shares)
        .allSatisfy(
            share ->
                assertThat(sums.get(share.group()))
                    .containsExactly(share.keys(), share.bytes())
                    .contains(share.loadBytes() / 3));
    List<Long> largest =
        sums.values().stream().map(sum -> sum[1]).sorted((a, b) -> Long.compare(b, a)).toList();
    assertThat(shares).extracting(Share::bytes).isEqualTo(largest.subList(0, shares.size()));
  }

  @ParameterizedTest
  @CsvSource({
    "/registry/pods/ns/a, pods, ns, /registry/pods/ns/",
    "/registry/nodes/a, nodes, '', /registry/nodes/",
    "/registry/services/specs/ns/a, services, ns, /registry/services/specs/ns/",
    "/registry/services/endpoints/ns/a, endpoints, ns, /registry/services/endpoints/ns/",
    "/registry/example.com/widgets/ns/a, widgets.example.com, ns, /registry/example.com/widgets/ns/",
    "/registry/example.com/widgets/a, widgets.example.com, '', /registry/example.com/widgets/",
    "/registry/masterleases/::1, masterleases, '', /registry/masterleases/",
    "/registry/health, other, '', ''",
    "compact_rev_key, other, '', ''",
  })
  void aKeyHasAGroup(String key, String kind, String namespace, String prefix) {
    KeyGroup group = KeyGroup.of(key.getBytes(UTF_8));
    assertThat(group).isEqualTo(new KeyGroup(kind, namespace, prefix));
    assertThat(key).startsWith(group.ofKind().prefix());
    assertThat(group.kind())
        .isEqualTo(KeyClasses.kind(key.getBytes(UTF_8), 0, key.getBytes(UTF_8).length));
  }

  @Test
  void anEmptyStoreHasNoGroups() {
    assertThat(new UsageScan(3).end(7)).isEqualTo(new StoreUsage(7, 0, 0, 0, List.of(), List.of()));
  }
}
