// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.kube.ApiWriter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaseTest {
  private static final Duration DURATION = Duration.ofSeconds(3);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Leases server = new Leases();
  private long now;

  @Test
  void theFirstOneHasItAndKeepsIt() throws Exception {
    Lease one = lease("one", 0);
    Lease two = lease("two", 0);
    assertThat(one.standing()).isEqualTo(Standing.WAITING);
    for (int second = 0; second < 20; second++) {
      one.step();
      two.step();
      now += SECOND;
      assertThat(one.standing()).isEqualTo(Standing.HELD);
      assertThat(two.standing()).isEqualTo(Standing.WAITING);
    }
    assertThat(server.spec()).containsEntry("leaseTransitions", 0L);
    assertThat(server.spec().get("acquireTime")).isEqualTo("1970-01-01T00:00:00.000000Z");
    assertThat(server.spec().get("renewTime")).isEqualTo("1970-01-01T00:00:19.000000Z");
  }

  @Test
  void whoSleepsHasItNoMore() throws Exception {
    Lease one = lease("one", 0);
    Lease two = lease("two", 0);
    one.step();
    for (int second = 0; second < 5; second++) {
      two.step();
      now += SECOND;
    }
    assertThat(one.standing()).as("by its clock").isEqualTo(Standing.PAUSED);
    assertThat(two.standing()).isEqualTo(Standing.HELD);
    one.step();
    assertThat(one.standing()).isEqualTo(Standing.LOST);
    assertThat(server.spec()).containsEntry("leaseTransitions", 1L);
  }

  @Test
  void aServerThatIsAwayIsNoReasonToGoUnlessSomebodyElseIsInCharge() throws Exception {
    Lease one = lease("one", 0);
    one.step();
    server.away = true;
    for (int second = 0; second < 30; second++) {
      one.step();
      now += SECOND;
    }
    assertThat(one.standing()).isEqualTo(Standing.PAUSED);
    server.away = false;
    one.step();
    assertThat(one.standing()).isEqualTo(Standing.HELD);
  }

  @Test
  void whatIsGivenBackIsTakenAtOnce() throws Exception {
    Lease one = lease("one", 0);
    Lease two = lease("two", 0);
    one.step();
    two.step();
    one.release();
    assertThat(one.standing()).isEqualTo(Standing.LOST);
    two.step();
    assertThat(two.standing()).isEqualTo(Standing.HELD);
  }

  @Test
  void aRenewalIsOneRequest() throws Exception {
    Lease one = lease("one", 0);
    one.step();
    server.asked.clear();
    one.step();
    one.step();
    assertThat(server.asked).containsExactly("PUT", "PUT");
    server.lease = new HashMap<>(server.lease);
    server.lease.put("metadata", Map.of("name", "scheduler", "resourceVersion", "99"));
    server.asked.clear();
    one.step();
    assertThat(server.asked).as("somebody changed it").containsExactly("PUT", "GET", "PUT");
    assertThat(one.standing()).isEqualTo(Standing.HELD);
  }

  @Test
  void aLeaseThatIsGoneIsLost() throws Exception {
    Lease one = lease("one", 0);
    one.step();
    server.lease = null;
    one.step();
    assertThat(one.standing()).isEqualTo(Standing.LOST);
  }

  @Test
  void afterAnOutageTheHolderComesBackFirst() throws Exception {
    Lease one = lease("one", 0);
    Lease two = lease("two", 0);
    one.step();
    two.step();
    server.away = true;
    for (int second = 0; second < 30; second++) {
      now += SECOND;
      two.step();
      assertThat(two.isKnown()).isFalse();
    }
    server.away = false;
    two.step();
    assertThat(two.isKnown()).isTrue();
    assertThat(two.standing()).isEqualTo(Standing.WAITING);
    one.step();
    assertThat(one.standing()).isEqualTo(Standing.HELD);
  }

  /** What they have sent arrives a third of the lease's duration later at most. */
  @Test
  void neverMayTwoOfThemWrite() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      leases.add(lease("process " + i, random.nextInt(100) - 50));
    }
    long[] awake = new long[leases.size()];
    long[] lastWrite = {-DURATION.toNanos(), -DURATION.toNanos(), -DURATION.toNanos()};
    int changes = 0;
    int inCharge = -1;
    for (int step = 0; step < 20_000; step++) {
      now += random.nextLong(SECOND / 5);
      server.away = random.nextInt(40) == 0;
      int i = random.nextInt(leases.size());
      if (random.nextInt(200) == 0) {
        awake[i] = now + random.nextLong(20 * SECOND);
      }
      if (now >= awake[i]) {
        leases.get(i).step();
      }
      for (int j = 0; j < leases.size(); j++) {
        if (leases.get(j).standing() == Standing.HELD) {
          for (int k = 0; k < leases.size(); k++) {
            assertThat(k == j || now - lastWrite[k] >= DURATION.toNanos() / 3)
                .as("seed %d, step %d: %d and %d", seed, step, j, k)
                .isTrue();
          }
          lastWrite[j] = now;
          changes += inCharge == j ? 0 : 1;
          inCharge = j;
        } else if (leases.get(j).standing() == Standing.LOST) {
          leases.set(j, lease("process %d of step %d".formatted(j, step), 0));
        }
      }
    }
    assertThat(changes).as("seed %d", seed).isGreaterThan(5);
  }

  private Lease lease(String identity, int skewSeconds) {
    return new Lease(
        server,
        "kube-system",
        "scheduler",
        identity,
        DURATION,
        () -> now,
        () -> Instant.EPOCH.plusNanos(now).plusSeconds(skewSeconds));
  }

  /** One lease, as an API server keeps it. */
  private static final class Leases implements ApiWriter {
    private Map<String, Object> lease;
    private final List<String> asked = new ArrayList<>();
    private long version;
    private boolean away;

    @Override
    public Reply send(Request request) throws IOException {
      if (away) {
        throw new IOException("connection refused");
      }
      asked.add(request.method());
      return switch (request.method()) {
        case "GET" -> lease == null ? reply(404) : reply(200);
        case "POST" -> lease == null ? write(request) : reply(409);
        case "PUT" -> {
          Object expected = meta(request.body()).get("resourceVersion");
          yield lease != null && expected.equals(meta(lease).get("resourceVersion"))
              ? write(request)
              : reply(409);
        }
        default -> reply(405);
      };
    }

    private Reply write(Request request) {
      Map<String, Object> meta = new HashMap<>(meta(request.body()));
      meta.put("resourceVersion", "" + ++version);
      lease = new HashMap<>(request.body());
      lease.put("metadata", meta);
      return reply(200);
    }

    private Reply reply(int status) {
      return new Reply(status, Duration.ZERO, lease == null ? Map.of() : lease);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> meta(Map<String, Object> object) {
      return (Map<String, Object>) object.get("metadata");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> spec() {
      return (Map<String, Object>) lease.get("spec");
    }
  }
}
