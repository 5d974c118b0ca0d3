// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.core.Keyspace;
import io.exaplane.store.core.SpaceLimits;
import io.exaplane.store.core.lease.Leases;
import io.exaplane.store.core.memory.Region;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the store says of when keys were written, beside a map of times. */
class WriteAgesTest {
  private static final String LEASES = "/registry/leases/kube-node-lease/";
  private static final String ALL_LEASES = "/registry/leases/";
  private static final List<PrefixRule> RULES =
      List.of(
          new PrefixRule(LEASES, 0, Durability.MEMORY),
          new PrefixRule(ALL_LEASES, 0, Durability.FSYNC));

  private final Region region = Region.reserve(256 << 20, 16);
  private final KeyClasses classes = new KeyClasses(RULES, Durability.FSYNC);
  private final Keyspace keyspace =
      new Keyspace(region, new Leases(() -> 1), classes, SpaceLimits.NONE, 1, 1);
  private final Map<String, Long> writtenMs = new HashMap<>();
  private final Map<String, Long> writes = new HashMap<>();
  private long nowMs = 5_000_000;

  @AfterEach
  void close() {
    region.close();
  }

  static LongStream seeds() {
    return Seeds.of(40);
  }

  private void tick() {
    classes.ages().tick(nowMs, keyspace.revision());
  }

  private void put(String key) {
    byte[] bytes = key.getBytes(UTF_8);
    keyspace.put(bytes, 0, bytes.length, new byte[100], 0, 100, 0);
    writtenMs.put(key, nowMs);
    writes.merge(key, 1L, Long::sum);
  }

  private void delete(String key) {
    byte[] bytes = key.getBytes(UTF_8);
    keyspace.delete(keyspace.newest(bytes, 0, bytes.length));
    writtenMs.remove(key);
  }

  private void commit() {
    keyspace.commit();
    keyspace.publish();
  }

  private WriteAges.Answer ask(String prefix, long... agesMs) {
    return classes.ages().answer(prefix, agesMs, nowMs).orElseThrow();
  }

  private long older(String prefix, long ageMs) {
    return writtenMs.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix) && each.getValue() <= nowMs - ageMs)
        .count();
  }

  private long written(String prefix) {
    return writes.entrySet().stream()
        .filter(each -> each.getKey().startsWith(prefix))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** A key counts at most a second late, or as late as the store was not told the time. */
  @ParameterizedTest
  @MethodSource("seeds")
  void agesAreThoseOfAMapOfTimes(long seed) {
    Random random = new Random(seed);
    List<String> prefixes = List.of(LEASES, ALL_LEASES + "kube-system/", "/registry/pods/a/");
    int restored = random.nextInt(20);
    for (int i = 0; i < restored; i++) {
      put(LEASES + i); // before the store started
      commit();
    }
    tick();
    writtenMs.replaceAll((_, _) -> nowMs);
    writes.clear();
    long longestStepMs = 1_000;
    for (int turn = 0; turn < 4_000; turn++) {
      long passedMs = random.nextInt(100) == 0 ? random.nextInt(90_000) : random.nextInt(900);
      nowMs += passedMs;
      longestStepMs = Math.max(longestStepMs, 1_000 + passedMs);
      tick();
      for (int change = random.nextInt(4); change > 0; change--) {
        String key = prefixes.get(random.nextInt(3)) + random.nextInt(60);
        if (writtenMs.containsKey(key) && random.nextInt(4) == 0) {
          delete(key);
        } else {
          put(key);
        }
      }
      commit();
    }
    tick();
    for (String prefix : List.of(LEASES, ALL_LEASES)) {
      for (long ageMs : List.of(1_500L, 37_500L, 90_000L, 600_000L, WriteAges.LONGEST_MS)) {
        WriteAges.Answer answer = ask(prefix, ageMs);
        assertThat(answer.keys()).isEqualTo(older(prefix, 0));
        assertThat(answer.writes()).isEqualTo(written(prefix));
        assertThat(answer.unwritten().getFirst().keys())
            .as("seed %d, %s, %d ms", seed, prefix, ageMs)
            .isBetween(older(prefix, ageMs + longestStepMs), older(prefix, ageMs));
      }
    }
  }

  @Test
  void agesBeginAgainWithTheStore() {
    put(LEASES + "a");
    put(LEASES + "b");
    commit();
    tick();
    nowMs += 40_000;
    tick();
    put(LEASES + "a");
    commit();
    nowMs += 20_000;
    tick();
    assertThat(ask(LEASES, 30_000, 70_000))
        .isEqualTo(
            new WriteAges.Answer(
                LEASES,
                2,
                1,
                1,
                60_000,
                List.of(new WriteAges.Unwritten(30_000, 1), new WriteAges.Unwritten(70_000, 0))));
  }

  @Test
  void nothingIsCountedOfKeysThatNoRuleNames() {
    assertThat(classes.ages().answer("/registry/pods/", new long[] {1}, nowMs)).isEmpty();
    assertThat(classes.ages().answer("", new long[] {1}, nowMs)).isEmpty();
  }

  /** A question costs the same with a hundred thousand keys as with none. */
  @Test
  void aQuestionReadsNoKey() {
    for (int i = 0; i < 100_000; i++) {
      put(LEASES + i);
      if (i % 50 == 0) {
        nowMs += 1_000;
        commit();
        tick();
      }
    }
    commit();
    nowMs += 40_000;
    tick();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 50; round++) {
      long began = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId());
      for (int i = 0; i < 20; i++) {
        assertThat(ask(LEASES, 37_500).unwritten().getFirst().keys()).isPositive();
      }
      long took = ManagementFactory.getThreadMXBean().getThreadCpuTime(threadId()) - began;
      least = Math.min(least, took / 20);
    }
    System.out.printf("100,000 keys: %d ns of CPU time a question%n", least);
    assertThat(least).isLessThan(1_000_000);
  }

  private static long threadId() {
    return Thread.currentThread().threadId();
  }
}
