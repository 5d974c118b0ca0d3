// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.names.NodePoolNames;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jboss.logging.Logger;

/**
 * The bootstrap tokens of pools: Secrets in the hosted cluster's kube-system, in which the truth
 * is, so that an operator that begins knows them. A token is used for the first half of its life;
 * then another one is made, and the former lives to its end, when kube-controller-manager deletes
 * it. Thread-safe if its source of random numbers is.
 */
final class BootstrapTokens {
  private static final Logger LOG = Logger.getLogger(BootstrapTokens.class);
  private static final String NAMESPACE = "kube-system";
  private static final String TYPE = "bootstrap.kubernetes.io/token";
  private static final String PREFIX = "bootstrap-token-";
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final int ID_LENGTH = 6;
  private static final int SECRET_LENGTH = 16;

  private final Clock clock;
  private final RandomGenerator random;

  BootstrapTokens(Clock clock, RandomGenerator random) {
    this.clock = clock;
    this.random = random;
  }

  /**
   * The token that hosts are to join with; a new one if there is none in the first half of its
   * life.
   *
   * @param lifetime of a token, as the spec asks
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the API does not answer, or
   *     refuses
   */
  BootstrapToken ensure(NodePool pool, Duration lifetime, KubernetesClient client) {
    Instant now = clock.instant();
    return client
        .secrets()
        .inNamespace(NAMESPACE)
        .withLabel(NodePoolNames.POOL_UID, pool.getMetadata().getUid())
        .list()
        .getItems()
        .stream()
        .flatMap(secret -> read(secret).stream())
        .filter(token -> isUsed(token, lifetime, now))
        .max(Comparator.comparing(BootstrapToken::expires).thenComparing(BootstrapToken::id))
        .orElseGet(() -> create(pool, lifetime, now, client));
  }

  /** Whether hosts are told of it: one that lives longer than the spec asks is replaced, too. */
  private static boolean isUsed(BootstrapToken token, Duration lifetime, Instant now) {
    Duration left = Duration.between(now, token.expires());
    return left.compareTo(lifetime.dividedBy(2)) > 0 && left.compareTo(lifetime) <= 0;
  }

  /** When hosts are to be told of another one. Pure. */
  static Instant renewal(Instant expires, Duration lifetime) {
    return expires.minus(lifetime.dividedBy(2));
  }

  private BootstrapToken create(
      NodePool pool, Duration lifetime, Instant now, KubernetesClient client) {
    BootstrapToken token =
        new BootstrapToken(
            word(ID_LENGTH),
            word(SECRET_LENGTH),
            now.plus(lifetime).truncatedTo(ChronoUnit.SECONDS));
    client.resource(secret(pool, token)).create();
    LOG.infof("created %s%s inside the hosted cluster", PREFIX, token.id());
    return token;
  }

  private String word(int length) {
    StringBuilder word = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      word.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return word.toString();
  }

  /** The Secret of a token, as kube-apiserver reads it. Pure. */
  static Secret secret(NodePool pool, BootstrapToken token) {
    Map<String, String> labels = new TreeMap<>(new NodePoolNames(pool).labels());
    labels.put(NodePoolNames.POOL_UID, pool.getMetadata().getUid());
    Map<String, String> data = new TreeMap<>();
    data.put("token-id", token.id());
    data.put("token-secret", token.secret());
    data.put("expiration", token.expires().toString());
    data.put("usage-bootstrap-authentication", "true");
    data.put("auth-extra-groups", NodePoolNames.NODES_GROUP);
    data.put(
        "description",
        "NodePool %s/%s"
            .formatted(pool.getMetadata().getNamespace(), pool.getMetadata().getName()));
    data.replaceAll((_, text) -> base64(text));
    return new SecretBuilder()
        .withNewMetadata()
        .withName(PREFIX + token.id())
        .withNamespace(NAMESPACE)
        .withLabels(labels)
        .endMetadata()
        .withType(TYPE)
        .withData(data)
        .build();
  }

  /** The token of a Secret; nothing if somebody changed it so that it opens nothing. Pure. */
  static Optional<BootstrapToken> read(Secret secret) {
    if (secret.getData() == null
        || !TYPE.equals(secret.getType())
        || secret.getMetadata().getDeletionTimestamp() != null) {
      return Optional.empty();
    }
    try {
      String id = text(secret, "token-id");
      String word = text(secret, "token-secret");
      String expires = text(secret, "expiration");
      boolean opens =
          text(secret, "usage-bootstrap-authentication").equals("true")
              && List.of(text(secret, "auth-extra-groups").split(","))
                  .contains(NodePoolNames.NODES_GROUP)
              && secret.getMetadata().getName().equals(PREFIX + id);
      return opens && id.length() == ID_LENGTH && word.length() == SECRET_LENGTH
          ? Optional.of(new BootstrapToken(id, word, OffsetDateTime.parse(expires).toInstant()))
          : Optional.empty();
    } catch (DateTimeException | IllegalArgumentException changed) {
      LOG.debugf(changed, "%s is no token any more", secret.getMetadata().getName());
      return Optional.empty();
    }
  }

  private static String text(Secret secret, String key) {
    String data = secret.getData().get(key);
    return data == null
        ? ""
        : new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Deletes all tokens of a pool: nobody joins with them any more. */
  static void revoke(NodePool pool, KubernetesClient client) {
    client
        .secrets()
        .inNamespace(NAMESPACE)
        .withLabel(NodePoolNames.POOL_UID, pool.getMetadata().getUid())
        .delete();
  }
}
