// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.schedulerpool.hosted;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.SchedulerPool;
import io.exaplane.api.v1alpha1.SizingSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.names.PoolNames;
import io.exaplane.operator.outcome.ReasonWitness;
import io.exaplane.operator.pki.SecretUse;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The cluster whose pods a pool places, as far as the management cluster says. Immutable.
 *
 * @param secret with the kubeconfig of the pool
 * @param credentialsEpoch stands for what is in it
 * @param kubeconfig what it says
 * @param controlPlane the ControlPlane, if it is one's
 * @param version of the cluster; not known of one that is not Exaplane's
 * @param nodes the largest number of nodes
 * @param pods as many as these have
 */
public record PoolTarget(
    String secret,
    String credentialsEpoch,
    String kubeconfig,
    Optional<ControlPlane> controlPlane,
    Optional<String> version,
    long nodes,
    long pods) {
  private static final String KUBECONFIG = "kubeconfig";
  private static final int PODS_PER_NODE = 30;

  /** Why there is none, and what to do. */
  public record Missing(Reason reason, String message, boolean invalid) {
    public Missing {
      assert ReasonWitness.made(reason);
    }
  }

  /** Either. */
  public record Result(Optional<PoolTarget> target, Optional<Missing> missing) {
    private static Result of(Reason reason, boolean invalid, String message) {
      return new Result(Optional.empty(), Optional.of(new Missing(reason, message, invalid)));
    }
  }

  /** The Secret with which a pool comes to its cluster. */
  public static String secretOf(SchedulerPool pool) {
    return pool.getSpec().controlPlaneRef() == null
        ? pool.getSpec().kubeconfigSecretRef().name()
        : new ControlPlaneNames(pool.getSpec().controlPlaneRef().name())
            .componentSecret(ControlPlaneNames.SCHEDULER);
  }

  /**
   * Looks for it.
   *
   * @param secrets Secrets of the pool's namespace by name; null without one
   */
  public static Result find(
      SchedulerPool pool, Optional<ControlPlane> controlPlane, Function<String, Secret> secrets) {
    boolean hosted = pool.getSpec().controlPlaneRef() != null;
    if (hosted && controlPlane.isEmpty()) {
      return Result.of(
          Reason.ControlPlaneMissing,
          true,
          "spec.controlPlaneRef: ControlPlane %s does not exist in this namespace; create it, or delete this pool."
              .formatted(pool.getSpec().controlPlaneRef().name()));
    }
    if (hosted && current(controlPlane.get()) == null) {
      return Result.of(
          Reason.WaitingForControlPlane,
          false,
          "ControlPlane %s does not run yet. No action is needed."
              .formatted(pool.getSpec().controlPlaneRef().name()));
    }
    Secret secret = secrets.apply(secretOf(pool));
    String kubeconfig =
        secret == null || secret.getData() == null ? null : secret.getData().get(KUBECONFIG);
    if (kubeconfig == null) {
      return hosted
          ? Result.of(
              Reason.WaitingForCertificates,
              false,
              "Secret %s does not exist yet. No action is needed.".formatted(secretOf(pool)))
          : Result.of(
              Reason.KubeconfigSecretMissing,
              true,
              "spec.kubeconfigSecretRef: Secret %s with the key kubeconfig and the labels app.kubernetes.io/managed-by: exaplane and %s: %s does not exist. Create that Secret."
                  .formatted(secretOf(pool), PoolNames.POOL_LABEL, pool.getMetadata().getName()));
    }
    Optional<String> ofAnother =
        hosted
            ? Optional.empty()
            : SecretUse.objection(secret, pool, PoolNames.POOL_LABEL, hasReadIt(pool));
    if (ofAnother.isPresent()) {
      return Result.of(
          Reason.KubeconfigSecretOfAnother,
          true,
          "spec.kubeconfigSecretRef: Secret %1$s %2$s; the pool does not use it. Name another in a new pool, or run 'kubectl label secret %1$s %3$s=%4$s' if it is for this pool."
              .formatted(
                  secretOf(pool),
                  ofAnother.get(),
                  PoolNames.POOL_LABEL,
                  pool.getMetadata().getName()));
    }
    return new Result(
        Optional.of(target(pool, controlPlane, secret, kubeconfig)), Optional.empty());
  }

  /** A pool of an earlier operator: the reference is immutable. */
  private static boolean hasReadIt(SchedulerPool pool) {
    return pool.getStatus() != null && pool.getStatus().kubernetesVersion() != null;
  }

  private static PoolTarget target(
      SchedulerPool pool, Optional<ControlPlane> controlPlane, Secret secret, String kubeconfig) {
    Integer own = pool.getSpec().maxNodes();
    long nodes = own == null ? controlPlane.map(PoolTarget::nodes).orElseThrow() : own;
    Integer podsPerNode =
        controlPlane.map(c -> SizingSpec.of(c.getSpec().sizing()).podsPerNode()).orElse(null);
    return new PoolTarget(
        secret.getMetadata().getName(),
        fingerprint(secret.getData()),
        new String(Base64.getDecoder().decode(kubeconfig), StandardCharsets.UTF_8),
        controlPlane,
        controlPlane.map(PoolTarget::current),
        nodes,
        nodes * (podsPerNode == null ? PODS_PER_NODE : podsPerNode));
  }

  /** The size that counts: a larger one counts after a while. */
  private static long nodes(ControlPlane controlPlane) {
    return controlPlane.getStatus().sizing() == null
            || controlPlane.getStatus().sizing().maxNodes() == null
        ? controlPlane.getSpec().maxNodes()
        : controlPlane.getStatus().sizing().maxNodes();
  }

  private static String current(ControlPlane controlPlane) {
    return controlPlane.getStatus() == null || controlPlane.getStatus().version() == null
        ? null
        : controlPlane.getStatus().version().current();
  }

  private static String fingerprint(Map<String, String> files) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new TreeMap<>(files)
          .forEach(
              (file, text) ->
                  digest.update((file + "\n" + text + "\n").getBytes(StandardCharsets.US_ASCII)));
      return HexFormat.of().formatHex(digest.digest(), 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
