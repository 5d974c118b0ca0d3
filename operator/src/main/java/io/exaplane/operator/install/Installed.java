// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.install;

import io.fabric8.kubernetes.api.model.HasMetadata;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which objects of the cluster are known to be there. Thread-safe. */
@ApplicationScoped
public class Installed {
  /** The class of stores that no control plane works without. */
  public static final String STORE_PRIORITY = "exaplane-store-critical";

  private final Set<String> objects = ConcurrentHashMap.newKeySet();

  void add(HasMetadata object) {
    objects.add(object.getKind() + "/" + object.getMetadata().getName());
  }

  /** Whether pods may name the class: a pod with one that is not there is refused. */
  public boolean hasStorePriority() {
    return objects.contains("PriorityClass/" + STORE_PRIORITY);
  }
}
