// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.network;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.controlplane.retention.RetainedData;
import io.exaplane.operator.management.ManagementAddresses;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.outcome.Problem;
import io.exaplane.operator.pki.Ownership;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a control plane may have its networks, by those of the management cluster. Thread-safe.
 */
@ApplicationScoped
public class ManagementNetworks {
  private final KubernetesClient client;
  private final ManagementAddresses addresses;

  /** For all control planes. */
  public ManagementNetworks(KubernetesClient client, ManagementAddresses addresses) {
    this.client = client;
    this.addresses = addresses;
  }

  /**
   * What a control plane must not be made with; of one that is there nothing is said any more.
   *
   * @param shards the StoreShards there are
   */
  public Optional<Problem> check(ControlPlane controlPlane, Collection<StoreShard> shards) {
    if (isMade(controlPlane) || hasStores(controlPlane, shards)) {
      return Optional.empty();
    }
    return NetworkOverlap.find(controlPlane.getSpec(), addresses.taken())
        .filter(
            _ ->
                !isRestored(
                    controlPlane,
                    RetainedData.claims(controlPlane, client),
                    RetainedData.secrets(controlPlane, client)));
  }

  private static boolean isMade(ControlPlane controlPlane) {
    return controlPlane.getStatus() != null
        && controlPlane.getStatus().version() != null
        && controlPlane.getStatus().version().applied() != null;
  }

  /** A backup tool restores no status. Pure. */
  static boolean hasStores(ControlPlane controlPlane, Collection<StoreShard> shards) {
    return shards.stream().anyMatch(shard -> shard.hasOwnerReferenceFor(controlPlane));
  }

  /**
   * Whether claims or keys of a control plane are there: it was made before. Pure.
   *
   * @param claims those that carry its name
   * @param secrets those that have names of its long-lived Secrets, whosever they are
   */
  static boolean isRestored(
      ControlPlane controlPlane, List<PersistentVolumeClaim> claims, List<Secret> secrets) {
    Map<String, String> labels = new ControlPlaneNames(controlPlane).labels();
    return claims.stream().anyMatch(claim -> claim.getMetadata().getDeletionTimestamp() == null)
        || secrets.stream()
            .filter(secret -> secret.getMetadata().getDeletionTimestamp() == null)
            .anyMatch(secret -> Ownership.mayBecome(secret, controlPlane, labels));
  }
}
