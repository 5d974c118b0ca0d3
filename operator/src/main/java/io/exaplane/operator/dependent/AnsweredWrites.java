// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.dependent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Writes that the API server accepted and that changed nothing: somebody's admission webhook or
 * policy sets a field back each time. The same write is not repeated while the object stays as it
 * was answered, but once in a while, since the rule may have gone. Thread-safe.
 */
final class AnsweredWrites {
  private static final Duration AGAIN = Duration.ofHours(1);
  private static final int MOST = 10_000;

  /** Written by others, or by the server with each change. */
  private static final List<String> OF_SERVER =
      List.of("managedFields", "resourceVersion", "generation", "creationTimestamp", "uid");

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  AnsweredWrites(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Answer(String wanted, String answer, long atNs) {}

  /** Whether this was written already, and gave what is there. */
  boolean has(HasMetadata there, HasMetadata wanted) {
    Answer answer = answers.get(there.getMetadata().getUid());
    return answer != null
        && nanoTime.getAsLong() - answer.atNs() < AGAIN.toNanos()
        && answer.wanted().equals(text(wanted))
        && answer.answer().equals(text(there));
  }

  /** Remembers a write that gave what was there before. */
  void note(HasMetadata before, HasMetadata wanted, HasMetadata answer) {
    String uid = before.getMetadata().getUid();
    String after = text(answer);
    if (!after.equals(text(before))) {
      answers.remove(uid);
      return;
    }
    if (answers.size() >= MOST) {
      answers.clear();
    }
    answers.put(uid, new Answer(text(wanted), after, nanoTime.getAsLong()));
  }

  /** What an object says of itself. */
  static String text(HasMetadata object) {
    ObjectNode tree = Serialization.unmarshal(Serialization.asJson(object), ObjectNode.class);
    tree.remove("status");
    if (tree.path("metadata") instanceof ObjectNode metadata) {
      metadata.remove(OF_SERVER);
      // The SDK adds it to what is wanted, sooner or later.
      metadata.remove("ownerReferences");
      JsonNode annotations = metadata.path("annotations");
      if (annotations instanceof ObjectNode own) {
        own.properties().removeIf(each -> each.getKey().startsWith("javaoperatorsdk.io/"));
        if (own.isEmpty()) {
          metadata.remove("annotations");
        }
      }
    }
    return tree.toString();
  }
}
