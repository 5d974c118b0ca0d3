// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.MemoryCluster;
import io.exaplane.operator.nodepool.NodePools;
import io.exaplane.operator.nodepool.NodePools.SetClock;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which token hosts are told of, at any time. */
class BootstrapTokensTest {
  private static final String TOKENS = "/api/v1/namespaces/kube-system/secrets/";
  private static final Duration DAY = Duration.ofHours(24);

  private final SetClock clock = new SetClock();
  private final MemoryCluster hosted = cluster();
  private final NodePool pool = NodePools.pool("maxNodes: 1");
  private final BootstrapTokens tokens = new BootstrapTokens(clock, new Random(7));

  private static MemoryCluster cluster() {
    try {
      return new MemoryCluster();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void close() {
    hosted.close();
  }

  private BootstrapToken ensure(Duration lifetime) {
    return tokens.ensure(pool, lifetime, hosted.client());
  }

  @Test
  void theSecretIsOneThatKubeApiServerTakes() {
    BootstrapToken token = ensure(DAY);
    assertThat(token.text()).matches("[a-z0-9]{6}\\.[a-z0-9]{16}");
    assertThat(token.expires()).isEqualTo(clock.instant().plus(DAY));
    assertThat(token.toString()).doesNotContain(token.secret());
    Secret secret = hosted.get(TOKENS + "bootstrap-token-" + token.id(), Secret.class);
    assertThat(secret.getType()).isEqualTo("bootstrap.kubernetes.io/token");
    assertThat(secret.getMetadata().getLabels())
        .containsEntry(NodePoolNames.POOL_LABEL, "workers")
        .containsEntry(NodePoolNames.POOL_UID, "uid-workers");
    assertThat(text(secret, "expiration")).isEqualTo("2026-01-02T00:00:00Z");
    assertThat(text(secret, "usage-bootstrap-authentication")).isEqualTo("true");
    assertThat(text(secret, "auth-extra-groups")).isEqualTo("system:bootstrappers:exaplane:nodes");
    assertThat(BootstrapTokens.read(secret)).contains(token);
  }

  private static String text(Secret secret, String key) {
    return new String(Base64.getDecoder().decode(secret.getData().get(key)));
  }

  @Test
  void aTokenIsUsedForTheFirstHalfOfItsLife() {
    BootstrapToken first = ensure(DAY);
    clock.go(Duration.ofHours(12).minusSeconds(1));
    assertThat(ensure(DAY)).isEqualTo(first);
    assertThat(hosted.writes()).hasSize(1);
    clock.go(Duration.ofSeconds(1));
    BootstrapToken second = ensure(DAY);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(second.expires()).isEqualTo(first.expires().plus(Duration.ofHours(12)));
    assertThat(hosted.below(TOKENS)).as("the former one lives to its end").hasSize(2);
    assertThat(BootstrapTokens.renewal(first.expires(), DAY))
        .isEqualTo(Instant.parse("2026-01-01T12:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({"24, 24, true", "24, 48, false", "48, 24, false", "24, 1, false"})
  void anotherLifetimeCountsAtOnce(int before, int after, boolean same) {
    BootstrapToken first = ensure(Duration.ofHours(before));
    assertThat(ensure(Duration.ofHours(after)).equals(first)).isEqualTo(same);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "token-id",
        "token-secret",
        "expiration",
        "auth-extra-groups",
        "usage-bootstrap-authentication"
      })
  void oneThatSomebodyChangedIsNotUsed(String key) {
    BootstrapToken first = ensure(DAY);
    String path = TOKENS + "bootstrap-token-" + first.id();
    Secret secret = hosted.get(path, Secret.class);
    secret.getData().put(key, Base64.getEncoder().encodeToString("no".getBytes()));
    hosted.put(path, secret);
    assertThat(ensure(DAY).id()).isNotEqualTo(first.id());
    secret.getData().remove(key);
    assertThat(BootstrapTokens.read(secret)).isEmpty();
  }

  /** A host with another group may not ask for a certificate. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "system:bootstrappers:exaplane:nodes,system:bootstrappers:more | true",
        "system:bootstrappers:exaplane:nodes-of-others | false",
        "system:bootstrappers:no:system:bootstrappers:exaplane:nodes | false",
      })
  void theGroupIsOneOfTheList(String groups, boolean isUsed) {
    BootstrapToken first = ensure(DAY);
    Secret secret = hosted.get(TOKENS + "bootstrap-token-" + first.id(), Secret.class);
    String coded = Base64.getEncoder().encodeToString(groups.getBytes());
    secret.getData().put("auth-extra-groups", coded);
    assertThat(BootstrapTokens.read(secret).isPresent()).isEqualTo(isUsed);
  }

  @Test
  void onlyThePoolsOwnAreUsedAndDeleted() {
    NodePool other = NodePools.pool("other", "2026-01-01T00:00:00Z", "maxNodes: 1");
    BootstrapToken ofOther = tokens.ensure(other, DAY, hosted.client());
    BootstrapToken own = ensure(DAY);
    assertThat(own.id()).isNotEqualTo(ofOther.id());
    BootstrapTokens.revoke(pool, hosted.client());
    assertThat(hosted.below(TOKENS)).containsExactly(TOKENS + "bootstrap-token-" + ofOther.id());
  }

  /** Random times, lifetimes and deletions: hosts always get a token that works long enough. */
  @Test
  void randomLives() {
    long seed = Long.getLong("seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> lost = new ArrayList<>();
    Duration lifetime = DAY;
    for (int step = 0; step < 400; step++) {
      clock.go(Duration.ofMinutes(random.nextInt(600)));
      if (random.nextInt(10) == 0) {
        lifetime = Duration.ofHours(1 + random.nextInt(720));
      }
      List<String> there = hosted.below(TOKENS);
      if (random.nextInt(10) == 0 && !there.isEmpty()) {
        lost.add(there.get(random.nextInt(there.size())));
        hosted.remove(lost.getLast());
      }
      BootstrapToken token = ensure(lifetime);
      Duration left = Duration.between(clock.instant(), token.expires());
      UnaryOperator<String> as = what -> "%s at step of seed %d".formatted(what, seed);
      assertThat(left)
          .as(as.apply("works for half of its life"))
          .isGreaterThan(lifetime.dividedBy(2));
      assertThat(left).as(as.apply("no longer than asked")).isLessThanOrEqualTo(lifetime);
      String path = TOKENS + "bootstrap-token-" + token.id();
      assertThat(lost).as(as.apply("a token that is gone is not used")).doesNotContain(path);
      int before = hosted.writes().size();
      assertThat(ensure(lifetime)).as(as.apply("the same again")).isEqualTo(token);
      assertThat(hosted.writes()).as(as.apply("nothing is written again")).hasSize(before);
    }
  }
}
