// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.protobuf.DamagedException;
import io.exaplane.scheduler.engine.protobuf.ProtobufObjects;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The API server answered, but not with what was asked for. */
final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Of a message nobody reads more. */
  private static final int MOST_BYTES = 4096;

  private final Duration retryAfter;
  private final boolean inWatch;

  private RefusedException(String message, Duration retryAfter, boolean inWatch) {
    super(message);
    this.retryAfter = retryAfter;
    this.inWatch = inWatch;
  }

  static RefusedException of(Resource resource, ApiStream.Answer answer, InputStream body)
      throws IOException {
    byte[] said = body.readNBytes(MOST_BYTES);
    return new RefusedException(
        "GET %s: status %d: %s".formatted(resource.path(), answer.status(), text(said)),
        answer.retryAfter(),
        false);
  }

  /** Of an event ERROR of a watch. */
  static RefusedException of(Resource resource, Fields status) {
    return new RefusedException(
        "the watch of %s ended with %d: %s"
            .formatted(resource.path(), status.integer("code", 0), status.string("message")),
        Duration.ZERO,
        true);
  }

  private static String text(byte[] said) throws IOException {
    if (ProtobufObjects.isBeginning(said)) {
      StringBuilder message = new StringBuilder();
      try {
        new ProtobufObjects(status -> message.append(status.get("message")))
            .read(new ByteArrayInputStream(said));
        return message.toString();
      } catch (DamagedException e) {
        return "an unreadable Status: " + e.getMessage();
      }
    }
    return new String(said, StandardCharsets.UTF_8).strip();
  }

  /** Whether the server has less than it once had, as after it was restored. */
  boolean isFromTheFuture() {
    return getMessage().contains("Too large resource version");
  }

  /** Whether it is how a watch ended that had begun. */
  boolean isInWatch() {
    return inWatch;
  }

  /** How long the server asks to wait; zero if it does not. */
  Duration retryAfter() {
    return retryAfter;
  }
}
