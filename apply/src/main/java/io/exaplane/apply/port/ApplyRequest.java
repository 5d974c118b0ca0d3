// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import io.exaplane.apply.manifest.ObjectKey;
import java.util.List;

/**
 * One server-side apply. Immutable: nobody writes into {@code body}.
 *
 * @param type kind as the server serves it
 * @param key the object, with its namespace
 * @param body JSON in UTF-8, without {@code managedFields}
 * @param manager our name as a field manager
 * @param force whether to take fields that other managers own
 * @param content what the answer is to hold: {@link Content#FULL} where health counts
 * @param ignored JSON pointers of fields that {@code body} is without, and that must stay as they
 *     are even if we own them
 */
public record ApplyRequest(
    ResourceType type,
    ObjectKey key,
    byte[] body,
    String manager,
    boolean force,
    Content content,
    List<String> ignored) {
  /** With nothing that is ignored. */
  public ApplyRequest(
      ResourceType type,
      ObjectKey key,
      byte[] body,
      String manager,
      boolean force,
      Content content) {
    this(type, key, body, manager, force, content, List.of());
  }
}
