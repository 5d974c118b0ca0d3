// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * What Events say of an object that does not come further: no object has in its status that a
 * StatefulSet's pod is refused, or that a volume can't be mounted. Thread-safe.
 */
public final class FailureEvents {
  private static final Logger LOG = Logger.getLogger(FailureEvents.class);

  private FailureEvents() {}

  /** The last one; nothing if they can't be read, which costs nothing but the words. */
  public static Optional<String> latest(
      KubernetesClient client, HasMetadata about, Set<String> reasons) {
    try {
      return latest(
          client
              .v1()
              .events()
              .inNamespace(about.getMetadata().getNamespace())
              .withField("involvedObject.uid", about.getMetadata().getUid())
              .list()
              .getItems(),
          reasons);
    } catch (KubernetesClientException e) {
      LOG.debugf("cannot read Events: %s", e.getMessage());
      return Optional.empty();
    }
  }

  /** The last of some reasons. */
  static Optional<String> latest(Collection<Event> events, Set<String> reasons) {
    return events.stream()
        .filter(event -> reasons.contains(event.getReason()))
        .filter(event -> event.getMessage() != null)
        .max(Comparator.comparing(FailureEvents::time))
        .map(Event::getMessage)
        .map(Words::cut);
  }

  private static String time(Event event) {
    return event.getLastTimestamp() != null
        ? event.getLastTimestamp()
        : event.getEventTime() == null ? "" : event.getEventTime().getTime();
  }
}
