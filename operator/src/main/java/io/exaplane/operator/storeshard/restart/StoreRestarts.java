// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.restart;

import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.names.StoreNames;
import io.exaplane.operator.restart.ComponentLook;
import io.exaplane.operator.restart.Dependency;
import io.exaplane.operator.restart.PodLook;
import io.exaplane.operator.restart.RestartLedger;
import io.exaplane.operator.restart.RestartPlan;
import io.exaplane.operator.restart.RestartPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The restarts of a store. A store needs nobody but its certificate: one that ended and has another
 * certificate since is replaced. A pod whose data goes with it never is. Pure.
 */
public final class StoreRestarts {
  /** As messages call the one component. */
  static final String STORE = "store";

  private StoreRestarts() {}

  /**
   * What is to be done about them.
   *
   * @param mayReplace whether the operator may change anything now
   */
  public static RestartPlan plan(
      StoreShard shard,
      Optional<StatefulSet> set,
      Optional<Pod> pod,
      Optional<Secret> certificate,
      boolean mayReplace,
      Instant now) {
    Map<String, String> annotations = shard.getMetadata().getAnnotations();
    RestartPolicy policy = RestartPolicy.of(shard.getSpec().restart());
    RestartLedger ledger =
        new RestartLedger(
            policy,
            shard.getStatus() == null ? null : shard.getStatus().restart(),
            annotations == null ? null : annotations.get(Names.RELEASE_RESTARTS),
            now);
    ComponentLook look =
        new ComponentLook(
            STORE,
            1,
            pod.map(PodLook::of).stream().toList(),
            certificate
                .filter(secret -> secret.getData() != null)
                .map(secret -> Dependency.NONE.with(fingerprint(secret.getData())))
                .orElse(Dependency.NONE),
            StoreNames.isPersistent(shard, set)
                ? ComponentLook.Turns.ANY
                : ComponentLook.Turns.NEVER);
    return RestartPlan.of(
        policy,
        shard.getMetadata().getUid(),
        ledger,
        List.of(look),
        mayReplace && set.isPresent(),
        now);
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
