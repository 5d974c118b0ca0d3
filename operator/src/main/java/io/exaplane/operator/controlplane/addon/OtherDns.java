// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.api.v1alpha1.AddonBuiltIn;
import io.exaplane.api.v1alpha1.AddonConflicts;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.apply.entry.Observe;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Holds the built-in CoreDNS back while another DNS has the Service by which programs know the DNS
 * of a cluster: taken, the Service would be deleted with the source. {@code conflicts: Force} in
 * the spec allows that. Used by one thread.
 */
final class OtherDns {
  static final ResourceType SERVICES =
      new ResourceType(new Gvk("", "v1", "Service"), "services", true, Set.of("get"));
  static final ObjectKey SERVICE = new ObjectKey("", "Service", "kube-system", "kube-dns");

  /** Between two looks at a Service that holds the source back. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private Instant next = Instant.MIN;
  private String words = "";
  private int missed;

  /** Why the source is held back, for people; empty if nothing holds it. */
  String words() {
    return words;
  }

  /** Whether it is time for a look. */
  boolean isDue(Instant now) {
    return !now.isBefore(next);
  }

  /** The next look comes at once. */
  void reset() {
    next = Instant.MIN;
    words = "";
    missed = 0;
  }

  /** Looks, if the source asks for that; whether the source may be applied. */
  boolean permits(AddonWish wish, AddonEngine at, Instant now) throws InterruptedException {
    AddonSpec spec = wish.spec();
    if (wish.removed()
        || spec.builtIn() != AddonBuiltIn.CoreDNS
        || spec.conflicts() == AddonConflicts.Force) {
      reset();
      return true;
    }
    next = now.plus(AGAIN);
    try {
      Optional<String> owner =
          at.find(SERVICES, SERVICE)
              .filter(service -> !isOwn(service, wish.set()))
              .map(OtherDns::managers);
      if (owner.isPresent()) {
        words = taken(owner.get());
        return false;
      }
      reset();
      return true;
    } catch (ApiException e) {
      missed++;
      words = missed < 2 ? words : unknown(e);
      return false;
    }
  }

  /** A source of another name had it, if it has the label of any set, and the operator's fields. */
  private static boolean isOwn(JsonNode service, ApplySet set) {
    String label = service.path("metadata").path("labels").path(Observe.PART_OF).asText("");
    return label.equals(set.id())
        || !label.isEmpty() && managed(service).contains(ApplyEngine.MANAGER);
  }

  private static Set<String> managed(JsonNode service) {
    Set<String> names = new TreeSet<>();
    service
        .path("metadata")
        .path("managedFields")
        .forEach(entry -> names.add(entry.path("manager").asText("")));
    names.remove("");
    return names;
  }

  private static String managers(JsonNode service) {
    Set<String> names = managed(service);
    return names.isEmpty() ? "unknown" : String.join(", ", names);
  }

  private static String taken(String managers) {
    return "Service %s/%s of the hosted cluster belongs to another DNS (field managers: %s), so nothing of the source is applied. Remove that DNS with its Service. Or set conflicts to Force: the operator then takes the Service over, and deletes the Service when the source is removed."
        .formatted(SERVICE.namespace(), SERVICE.name(), managers);
  }

  private static String unknown(ApiException e) {
    return "The operator can't read Service %s/%s of the hosted cluster (%s), and applies nothing before it knows that no other DNS has the Service. The operator tries again every 30 seconds. If this persists for 5 minutes, check the hosted API and the rights of serviceAccount."
        .formatted(SERVICE.namespace(), SERVICE.name(), e.getMessage());
  }
}
