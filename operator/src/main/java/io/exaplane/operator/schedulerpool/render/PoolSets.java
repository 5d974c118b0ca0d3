// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.names.Tier;
import io.exaplane.operator.pod.ContainerLimits;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The StatefulSets of a pool, one a tier. Pure. A change reaches shards first, then relays, then
 * roots: templates change at once, and a partition holds back the pods of a tier until those below
 * it are replaced.
 */
public final class PoolSets {
  /** What a tier's pods are made from, but for the image. */
  static final String INPUTS = "exaplane.io/inputs";

  /** More than there are pods: none is replaced. */
  private static final int ALL_HELD = 1000;

  /** So long a shard has time to become a member before the next one goes. */
  private static final int MIN_READY_SECONDS = 10;

  private static final JsonMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  private PoolSets() {}

  /**
   * Those of a pool.
   *
   * @param existing as they are, by name
   */
  public static List<StatefulSet> of(PoolInputs inputs, Map<String, StatefulSet> existing) {
    Map<Tier, String> hashes = new EnumMap<>(Tier.class);
    for (Tier tier : Tier.values()) {
      if (inputs.replicas(tier) > 0) {
        hashes.put(tier, hash(PoolPods.of(inputs, tier, "", false)));
      }
    }
    String image = inputs.images().scheduler(kept(inputs.names(), hashes, existing));
    List<StatefulSet> sets = new ArrayList<>();
    boolean released = true;
    for (Map.Entry<Tier, String> tier : hashes.entrySet()) {
      StatefulSet now = existing.get(inputs.names().of(tier.getKey()));
      boolean limited = !isBare(now, tier.getValue(), image);
      sets.add(set(inputs, tier.getKey(), tier.getValue(), image, limited, released));
      released &= now != null && isReplaced(now, tier.getValue(), image);
    }
    return sets;
  }

  /**
   * The image that a pool has, which it keeps as long as its pods need not be replaced for anything
   * else: a new operator alone restarts nothing.
   */
  private static Optional<String> kept(
      PoolNames names, Map<Tier, String> hashes, Map<String, StatefulSet> existing) {
    boolean changes =
        hashes.entrySet().stream()
            .anyMatch(
                tier -> {
                  StatefulSet now = existing.get(names.of(tier.getKey()));
                  return now != null && !tier.getValue().equals(inputsOf(now));
                });
    return changes ? Optional.empty() : image(existing.get(names.of(Tier.ROOT)));
  }

  /** The image of a tier's pods, if there are any. */
  public static Optional<String> image(StatefulSet set) {
    return Optional.ofNullable(set)
        .map(s -> s.getSpec().getTemplate().getSpec().getContainers().getFirst().getImage());
  }

  private static String inputsOf(StatefulSet set) {
    Map<String, String> annotations = set.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(INPUTS);
  }

  private static boolean isReplaced(StatefulSet set, String hash, String image) {
    return hash.equals(inputsOf(set))
        && image(set).filter(image::equals).isPresent()
        && SetRollout.isReplaced(set);
  }

  /** Pods that are there without limits stay so until they are replaced for another reason. */
  private static boolean isBare(StatefulSet now, String hash, String image) {
    if (now == null
        || !hash.equals(inputsOf(now))
        || !image(now).filter(image::equals).isPresent()) {
      return false;
    }
    ResourceRequirements running =
        now.getSpec().getTemplate().getSpec().getContainers().getFirst().getResources();
    return !ContainerLimits.isSame(running, ContainerLimits.complete(running));
  }

  private static StatefulSet set(
      PoolInputs inputs, Tier tier, String hash, String image, boolean limited, boolean released) {
    PoolNames names = inputs.names();
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(names.of(tier))
        .withNamespace(inputs.pool().getMetadata().getNamespace())
        .withLabels(names.labels(tier))
        .addToAnnotations(INPUTS, hash)
        .endMetadata()
        .withNewSpec()
        .withReplicas(inputs.replicas(tier))
        .withServiceName(names.of(tier))
        .withPodManagementPolicy("Parallel")
        .withMinReadySeconds(tier == Tier.ROOT ? null : MIN_READY_SECONDS)
        .withRevisionHistoryLimit(2)
        .withNewUpdateStrategy()
        .withType("RollingUpdate")
        .withNewRollingUpdate()
        .withPartition(released ? 0 : ALL_HELD)
        .endRollingUpdate()
        .endUpdateStrategy()
        .withNewSelector()
        .withMatchLabels(names.selector(tier))
        .endSelector()
        .withTemplate(PoolPods.of(inputs, tier, image, limited))
        .endSpec()
        .build();
  }

  private static String hash(PodTemplateSpec template) {
    try {
      byte[] text = JSON.writeValueAsString(template).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(text), 0, Long.BYTES);
    } catch (JsonProcessingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
