// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/**
 * What Events say of an object that does not come further: no object has in its status that a
 * StatefulSet's pod is refused, or that a volume can't be mounted. Thread-safe.
 */
public final class FailureEvents {
  /** What an Event says, without what changes with each attempt. */
  record Said(String reason, String message) {}

  private static final Logger LOG = Logger.getLogger(FailureEvents.class);

  private FailureEvents() {}

  /** The last one; nothing if they can't be read, which costs nothing but the words. */
  public static Optional<String> latest(
      KubernetesClient client, HasMetadata about, Set<String> reasons) {
    return latest(list(client, about), reasons);
  }

  /** The last one of the first of some reasons that an Event has. */
  static Optional<Said> first(KubernetesClient client, HasMetadata about, List<String> reasons) {
    return first(list(client, about), reasons);
  }

  private static List<Event> list(KubernetesClient client, HasMetadata about) {
    try {
      return client
          .v1()
          .events()
          .inNamespace(about.getMetadata().getNamespace())
          .withField("involvedObject.uid", about.getMetadata().getUid())
          .list()
          .getItems();
    } catch (KubernetesClientException e) {
      LOG.debugf("cannot read Events: %s", e.getMessage());
      return List.of();
    }
  }

  /** The same of Events that were read. Pure. */
  static Optional<Said> first(Collection<Event> events, List<String> reasons) {
    return reasons.stream()
        .flatMap(
            reason ->
                latest(events, Set.of(reason)).map(text -> new Said(reason, steady(text))).stream())
        .findFirst();
  }

  /** Without ids of sandboxes and ports of clients: each attempt has others. */
  private static String steady(String text) {
    return text.strip()
        .replaceAll("\\b[0-9a-f]{32,}\\b", "…")
        .replaceAll("(read|write) tcp \\S+?->", "$1 tcp …->")
        .replaceAll("\\s+", " ");
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
