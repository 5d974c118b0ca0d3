// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

/** What a watch delivers. Each is immutable. */
public sealed interface WatchEvent {
  /**
   * Created, or changed.
   *
   * @param object the object after the change
   * @param bytes size on the wire
   */
  record Changed(Observed object, long bytes) implements WatchEvent {}

  /**
   * Deleted, or no longer matched by the selector.
   *
   * @param object the object before; its resourceVersion is that of the deletion
   * @param bytes size on the wire
   */
  record Gone(Observed object, long bytes) implements WatchEvent {}

  /**
   * Nothing happened up to here.
   *
   * @param resourceVersion where a watch can be resumed
   */
  record Bookmark(long resourceVersion) implements WatchEvent {}
}
