// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.RestartBackoffSpec;
import io.exaplane.api.v1alpha1.RestartBudgetSpec;
import io.exaplane.api.v1alpha1.RestartSpec;
import io.exaplane.api.v1alpha1.RestartStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Walks through histories: stores come and go, containers are killed, pods fail by themselves, the
 * operator looks at any time, sees what was, and dies between its write and its deed. A model that
 * knows the truth holds each deed to the policy. A failure names the seed.
 */
class RestartWalkTest {
  private static final int SEEDS = 30;
  private static final int SECONDS = 3_600;
  private static final Instant START = Instant.parse("2026-11-27T00:00:00Z");

  private int deeds;
  private int holds;
  private int mended;

  @Test
  void inAnyHistory() {
    for (int seed = 0; seed < SEEDS; seed++) {
      new Walk(seed).run();
    }
    assertThat(deeds).as("pods that were replaced").isGreaterThan(SEEDS);
    assertThat(holds).as("looks at a budget that was used up").isGreaterThan(SEEDS);
    assertThat(mended).as("pods that served sooner").isGreaterThan(SEEDS / 2);
  }

  /** A pod of the model: what is true of it. */
  private static final class Server {
    private final String name;
    private final int made;
    private final boolean broken;
    private int restarts;
    private int lastEnd = -1;
    private int readySince = -1;
    private int waitsUntil = -1;
    private int startsSince;
    private int backOff = 10;

    Server(String name, int made, boolean broken) {
      this.name = name;
      this.made = made;
      this.broken = broken;
      this.startsSince = made;
    }

    boolean starts() {
      return readySince < 0 && waitsUntil < 0;
    }

    void end(int now) {
      lastEnd = now;
      readySince = -1;
      waitsUntil = now + backOff;
      backOff = Math.min(300, backOff * 2);
    }

    PodLook look() {
      return new PodLook(
          name,
          name,
          "1",
          START.plusSeconds(made),
          restarts,
          lastEnd < 0 ? Optional.empty() : Optional.of(START.plusSeconds(lastEnd)),
          readySince < 0 ? Optional.empty() : Optional.of(START.plusSeconds(readySince)),
          waitsUntil >= 0,
          false,
          Optional.empty());
    }
  }

  private final class Walk {
    private final int seed;
    private final Random random;
    private final int replicas;
    private final RestartPolicy policy;
    private final List<Server> servers = new ArrayList<>();
    private final List<Integer> counted = new ArrayList<>();
    private final List<Integer> replacements = new ArrayList<>();
    private final Map<String, Integer> known = new HashMap<>();
    private RestartStatus status;
    private ComponentLook seen;
    private int seenAt;
    private int servesSince = 0;
    private boolean serves = true;
    private int names;

    Walk(int seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.replicas = 1 + random.nextInt(5);
      this.policy =
          RestartPolicy.of(
              new RestartSpec(
                  new RestartBackoffSpec(
                      1 + random.nextInt(5) + "s",
                      1 + random.nextInt(4),
                      5 + random.nextInt(60) + "s",
                      random.nextInt(101),
                      "10m"),
                  new RestartBudgetSpec(1 + random.nextInt(8), 1 + random.nextInt(15) + "m"),
                  5 + random.nextInt(60)));
      for (int each = 0; each < replicas; each++) {
        add(0);
      }
    }

    private void add(int now) {
      servers.add(new Server("s" + names++, now, random.nextInt(12) == 0));
    }

    void run() {
      for (int now = 1; now < SECONDS; now++) {
        world(now);
        if (seen == null || random.nextInt(4) > 0) {
          seen = look();
          seenAt = now;
        }
        if (random.nextBoolean()) {
          count();
          operator(now);
        }
      }
    }

    private void world(int now) {
      if (random.nextInt(serves ? 400 : 90) == 0) {
        serves = !serves;
        servesSince = now;
      }
      for (Server server : servers) {
        if (server.waitsUntil >= 0 && now >= server.waitsUntil) {
          server.waitsUntil = -1;
          server.startsSince = now;
          server.restarts++;
        }
        boolean first = server.lastEnd < 0;
        if (server.starts() && !serves && first) {
          // Its first container waits.
          server.startsSince = now;
        } else if (server.starts() && now - server.startsSince >= 4) {
          if (!serves || server.broken) {
            server.end(now);
          } else {
            server.readySince = now;
          }
        } else if (server.readySince >= 0 && random.nextInt(600) == 0) {
          server.end(now);
        }
      }
    }

    /** What the budget is for: ends of a component that had all that it needs, as it was seen. */
    private void count() {
      for (PodLook pod : seen.pods()) {
        Integer before = known.put(pod.name(), pod.restarts());
        if (pod.restarts() > (before == null ? 0 : before)
            && seen.dependency().serves(pod.lastEnd().orElseThrow())) {
          counted.add((int) Duration.between(START, pod.lastEnd().orElseThrow()).toSeconds());
        }
      }
    }

    private ComponentLook look() {
      return new ComponentLook(
          "kube-apiserver",
          replicas,
          servers.stream().map(Server::look).toList(),
          serves ? Dependency.since(START.plusSeconds(servesSince)) : Dependency.AWAY,
          ComponentLook.Turns.ONE_STARTS);
    }

    private void operator(int second) {
      Instant now = START.plusSeconds(second);
      boolean fresh = seenAt == second;
      ComponentLook look = seen;
      RestartPlan plan =
          RestartPlan.of(
              policy,
              "u" + seed,
              new RestartLedger(policy, status, null, now),
              List.of(look),
              true,
              now);
      status = plan.status();
      holds += plan.decision("kube-apiserver") instanceof RestartDecision.Hold ? 1 : 0;
      if (random.nextInt(20) == 0) {
        assertThat(again(look, now)).as("seed %d: a second look writes nothing", seed).isTrue();
      }
      plan.replaced()
          .ifPresent(
              deed -> {
                model(deed.pod(), second, fresh);
                replacements.add(second);
                counted.add(second);
                if (random.nextInt(10) > 0) {
                  delete(deed.pod(), second);
                }
              });
    }

    private boolean again(ComponentLook look, Instant now) {
      RestartPlan second =
          RestartPlan.of(
              policy,
              "u" + seed,
              new RestartLedger(policy, status, null, now),
              List.of(look),
              true,
              now);
      return second.replaced().isEmpty()
          && (status == null ? second.status() == null : status.equals(second.status()));
    }

    private void delete(String name, int now) {
      servers.stream()
          .filter(server -> server.name.equals(name) && server.waitsUntil >= 0)
          .findFirst()
          .ifPresent(
              server -> {
                mended += server.waitsUntil > now + 10 ? 1 : 0;
                servers.remove(server);
                add(now);
              });
    }

    /** What must be true of a deed. */
    private void model(String pod, int now, boolean fresh) {
      deeds++;
      String at = "seed %d, second %d, pod %s".formatted(seed, now, pod);
      long window = policy.window().toSeconds();
      if (fresh) {
        assertThat(counted.stream().filter(time -> time > now - window).count())
            .as("%s: restarts in the window", at)
            .isLessThan(policy.budget(replicas));
        Server server =
            servers.stream().filter(each -> each.name.equals(pod)).findFirst().orElseThrow();
        assertThat(serves).as("%s: the stores serve", at).isTrue();
        assertThat(server.made).as("%s: made before the outage ended", at).isLessThan(servesSince);
        assertThat(server.lastEnd)
            .as("%s: ended for the lack of stores", at)
            .isLessThan(servesSince + 30);
        assertThat(now)
            .as("%s: after the delay", at)
            .isGreaterThanOrEqualTo((int) (servesSince + policy.initial().toSeconds()));
        if (servers.stream().anyMatch(each -> each.readySince >= 0)) {
          assertThat(servers).as("%s: nobody else starts", at).noneMatch(Server::starts);
        }
      }
      assertThat(replacements.stream().filter(time -> time > now - window).count())
          .as("%s: replacements in the window", at)
          .isLessThan(policy.budget(replicas));
      if (!replacements.isEmpty()) {
        assertThat(Duration.ofSeconds(now - replacements.getLast()))
            .as("%s: the pace", at)
            .isGreaterThanOrEqualTo(policy.gap());
      }
    }
  }
}
