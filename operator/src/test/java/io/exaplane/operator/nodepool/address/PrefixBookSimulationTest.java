// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.net.AddressRange;
import io.exaplane.operator.nodepool.address.NaiveBook.Found;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hosts join, change their minds, move and go; somebody writes podCIDRs; plans change; operators
 * restart. After each step the book says what the rules say that it is compared with.
 */
class PrefixBookSimulationTest {
  private static final int STEPS = 400;
  private static final int NAMES = 14;

  static LongStream seeds() {
    Long seed = Long.getLong("seed");
    return seed == null
        ? LongStream.range(0, Integer.getInteger("seeds", 60))
        : LongStream.of(seed);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theBookSaysWhatTheRulesSay(long seed) {
    new Simulation(seed).run();
  }

  /** A cluster whose Nodes a test changes. */
  private static final class Simulation {
    private final Random random;
    private final long seed;
    private final Map<String, NodeFacts> nodes = new TreeMap<>();
    private PrefixBook book = new PrefixBook();
    private NaiveBook rules = new NaiveBook();
    private ClusterPlan plan;
    private int clock;
    private int uids;

    Simulation(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
    }

    void run() {
      changePlan();
      for (int step = 0; step < STEPS; step++) {
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
          change();
        }
        check("seed %d, step %d".formatted(seed, step));
      }
    }

    private void change() {
      clock += random.nextInt(2);
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> join(name());
        case 3, 4 -> update(name(), node -> with(node, prefix(), node.podCidrs()));
        case 5 -> update(name(), node -> with(node, "", node.podCidrs()));
        case 6 -> remove(name());
        case 7, 8, 9 -> carryOut();
        case 10 -> writeAnother();
        default -> {
          if (random.nextInt(8) == 0) {
            restart();
          } else if (random.nextInt(4) == 0) {
            changePlan();
          }
        }
      }
    }

    private String name() {
      return "n" + random.nextInt(NAMES);
    }

    /** A small world, so that they meet. */
    private String prefix() {
      return switch (random.nextInt(12)) {
        case 0 -> "nonsense";
        case 1 -> "2001:db8:9:%x::/64".formatted(random.nextInt(4));
        case 2 -> "2001:db8:0:%x::/60".formatted(random.nextInt(2) << 4);
        case 3, 4 -> "2001:db8:0:%x:%x::/80".formatted(random.nextInt(6), random.nextInt(2));
        default -> "2001:db8:0:%x::/64".formatted(random.nextInt(6));
      };
    }

    private void join(String name) {
      if (nodes.containsKey(name)) {
        return;
      }
      String pool =
          switch (random.nextInt(8)) {
            case 0 -> "";
            case 1 -> "unknown";
            case 2, 3 -> "q";
            default -> "p";
          };
      NodeFacts node =
          new NodeFacts(
              name,
              "uid-" + ++uids,
              "1",
              Nodes.START.plusSeconds(clock / 3),
              pool,
              random.nextBoolean() ? prefix() : "",
              "",
              List.of(),
              false,
              "",
              "");
      see(node);
    }

    private void see(NodeFacts node) {
      nodes.put(node.name(), node);
      book.observe(node);
      rules.observe(node);
    }

    private interface Change {
      NodeFacts of(NodeFacts node);
    }

    private void update(String name, Change change) {
      Optional.ofNullable(nodes.get(name)).map(change::of).ifPresent(this::see);
    }

    private static NodeFacts with(NodeFacts node, String wanted, List<String> podCidrs) {
      return new NodeFacts(
          node.name(),
          node.uid(),
          node.resourceVersion() + "1",
          node.created(),
          node.pool(),
          wanted,
          node.refused(),
          podCidrs,
          node.ready(),
          node.notReady(),
          node.kubelet());
    }

    private void remove(String name) {
      if (nodes.remove(name) == null) {
        return;
      }
      if (random.nextBoolean()) {
        // The watch missed it: the next one of the name is another.
        join(name);
      }
      if (!nodes.containsKey(name)) {
        book.forget(name);
        rules.forget(name);
      }
    }

    /** What was granted is written, after a while. */
    private void carryOut() {
      String name = name();
      book.decision(name)
          .prefix()
          .ifPresent(
              prefix ->
                  update(name, node -> with(node, node.wanted(), List.of(prefix.toString()))));
    }

    /** Somebody writes podCIDRs beside the operator: a kubelet that takes what it wants. */
    private void writeAnother() {
      AddressRange any = AddressRange.parse(prefix()).orElse(AddressRange.of("2001:db8::/64"));
      update(
          name(),
          node ->
              node.podCidrs().isEmpty() ? with(node, node.wanted(), List.of(any.text())) : node);
    }

    private void restart() {
      book = new PrefixBook();
      rules = new NaiveBook();
      book.plan(plan);
      rules.plan(plan);
      // In any order: all Nodes are read before anything is decided.
      List<NodeFacts> all = new ArrayList<>(nodes.values());
      Collections.shuffle(all, random);
      all.forEach(book::observe);
      all.forEach(rules::observe);
    }

    private void changePlan() {
      List<PoolPlan> pools = new ArrayList<>();
      if (random.nextInt(6) > 0) {
        pools.add(Nodes.pool("p", 64, "2001:db8::/48"));
      }
      if (random.nextInt(3) > 0) {
        pools.add(Nodes.pool("q", 80, "2001:db8:0:4::/62", "2001:db8:9::/48"));
      } else {
        pools.add(new PoolPlan("q", OptionalInt.empty(), List.of(), 5));
      }
      List<ClusterPlan.Reserved> reserved =
          random.nextInt(3) == 0
              ? List.of(Nodes.reserved("Services", "2001:db8:0:5:0:1::/112"))
              : List.of();
      plan = new ClusterPlan(pools, reserved);
      book.plan(plan);
      rules.plan(plan);
    }

    private void check(String where) {
      Map<String, Decision> before = decisions();
      Set<String> changed = new HashSet<>(book.decide());
      Map<String, Found> expected = rules.decide();
      Map<String, Decision> after = decisions();
      after.forEach(
          (name, decision) -> {
            assertThat(found(decision)).as("%s, %s", where, name).isEqualTo(expected.get(name));
            assertThat(changed.contains(name) || decision.equals(before.get(name)))
                .as("%s, %s is not told of", where, name)
                .isTrue();
          });
      assertNothingIsGivenTwice(where);
    }

    private Map<String, Decision> decisions() {
      Map<String, Decision> all = new TreeMap<>();
      nodes.keySet().forEach(name -> all.put(name, book.decision(name)));
      return all;
    }

    private static Found found(Decision decision) {
      assertThat(decision.isRefused()).isEqualTo(!decision.message().isEmpty());
      return new Found(
          decision.state(), decision.reason(), decision.prefix().map(Prefix::toString));
    }

    private void assertNothingIsGivenTwice(String where) {
      for (String name : nodes.keySet()) {
        book.decision(name)
            .prefix()
            .map(prefix -> AddressRange.of(prefix.toString()))
            .ifPresent(
                mine ->
                    nodes.values().stream()
                        .filter(other -> !other.name().equals(name))
                        .forEach(
                            other -> {
                              assertThat(other.podCidrs().stream().map(AddressRange::of))
                                  .as(where)
                                  .noneMatch(mine::overlaps);
                              assertThat(
                                      book.decision(other.name())
                                          .prefix()
                                          .map(prefix -> AddressRange.of(prefix.toString()))
                                          .filter(mine::overlaps))
                                  .as(where)
                                  .isEmpty();
                            }));
      }
    }
  }
}
