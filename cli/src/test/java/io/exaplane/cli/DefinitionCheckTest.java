// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.pace.FallingHeap;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.UnexpectedPort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A live heap that is too full, and may fall. 100 definitions without a schema take 30 MiB. */
class DefinitionCheckTest {
  private static final double MIB = 1 << 20;
  private static final int ALL = 60;

  /** 50 MiB are roomy at this GOMEMLIMIT. */
  private static final double LIMIT = 50 * 0.85 / 0.65 * MIB;

  private final List<String> told = new ArrayList<>();
  private final Server server = new Server();
  private long now;

  /** A kube-apiserver whose live heap is told of by the second; collects each two minutes. */
  private final class Server extends UnexpectedPort {
    private Map<Long, Double> liveMib = Map.of();
    private int served;
    private boolean fails;
    private int looks;

    @Override
    public Discovery discover() {
      Map<Gvk, ResourceType> types = new HashMap<>();
      for (int at = 0; at < served; at++) {
        Gvk gvk = new Gvk("e.org", "v1", "Kind" + at);
        types.put(gvk, new ResourceType(gvk, "kinds", true, Set.of("list")));
      }
      return new Discovery(types, Set.of());
    }

    @Override
    public ServerLoad load() throws ApiException {
      looks++;
      if (fails && looks == 2) {
        throw new ApiException(new Failure(503, "", "no", 0, false, List.of()));
      }
      double live =
          liveMib.entrySet().stream()
              .filter(one -> one.getKey() <= now / 1_000)
              .max(Map.Entry.comparingByKey())
              .orElseThrow()
              .getValue();
      return new ServerLoad(live * MIB, -1, LIMIT, 1, 600, 0, 0, 10 + now / 120_000);
    }
  }

  private final class Simulated implements DefinitionCheck.Waiting {
    @Override
    public long nowMs() {
      return now;
    }

    @Override
    public void pause(long millis) {
      now += millis;
    }
  }

  private static List<Manifest> definitions(int count) {
    Gvk gvk = new Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    return IntStream.range(0, count)
        .mapToObj(
            at -> {
              byte[] body =
                  "{\"spec\":{\"group\":\"e.org\",\"names\":{\"kind\":\"Kind%d\"},\"versions\":[{\"name\":\"v1\",\"served\":true}]}}"
                      .formatted(at)
                      .getBytes(StandardCharsets.UTF_8);
              return new Manifest(
                  gvk,
                  new ObjectKey(gvk.group(), gvk.kind(), "", "kind" + at + "s.e.org"),
                  body,
                  Hashes.of(body),
                  Map.of(),
                  new Manifest.Source("a.yaml", at + 1));
            })
        .toList();
  }

  private DefinitionCheck check(int count) throws Exception {
    return DefinitionCheck.patient(server, definitions(count), new Simulated(), told::add)
        .orElseThrow();
  }

  @Test
  void whatFitsIsSaidAtOnce() throws Exception {
    server.liveMib = Map.of(0L, 19.0);
    assertThat(check(ALL).words()).endsWith("they fit");
    assertThat(now).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void aHeapThatFallsWithACollectionIsWaitedFor() throws Exception {
    server.liveMib = Map.of(0L, 40.0, 115L, 30.0, 235L, 19.0);
    server.fails = true;
    assertThat(check(ALL).words()).contains("which is 19 MiB of at most 50 MiB", "they fit");
    assertThat(now).isEqualTo(240_000);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst())
        .contains("is 40 MiB of at most", "do not fit now", "for at most 5 minutes")
        .contains("--accept-memory");
  }

  @Test
  void oneThatStaysHighIsRefusedWithTheLowestThatWasSeen() throws Exception {
    server.liveMib = Map.of(0L, 40.0, 60L, 30.0, 90L, 45.0);
    DefinitionCheck check = check(ALL);
    assertThat(check.tooMany()).isTrue();
    assertThat(check.words()).contains("which is 30 MiB of at most 50 MiB", "they do not fit.");
    assertThat(now).isBetween(120_000L, FallingHeap.MOST_MS);
  }

  @Test
  void nobodyWaitsForRoomThatAnEmptyHeapWouldLack() throws Exception {
    server.liveMib = Map.of(0L, 10.0);
    assertThat(check(2 * ALL).tooMany()).isTrue();
    assertThat(now).isZero();
    assertThat(told).isEmpty();
  }

  @Test
  void definitionsThatAreServedMeanwhileAreNotCounted() throws Exception {
    server.liveMib = Map.of(0L, 30.0);
    server.served = 10;
    DefinitionCheck.Waiting serving =
        new DefinitionCheck.Waiting() {
          @Override
          public long nowMs() {
            return now;
          }

          @Override
          public void pause(long millis) {
            now += millis;
            server.served = 25;
          }
        };
    DefinitionCheck check =
        DefinitionCheck.patient(server, definitions(ALL), serving, told::add).orElseThrow();
    assertThat(check.words()).startsWith("35 new definitions").endsWith("they fit");
  }
}
