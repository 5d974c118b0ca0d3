// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * What holds for the keys that begin with a prefix, unless a longer one fits, too.
 *
 * @param prefix in UTF-8; empty for all keys
 * @param maxBytes of all versions of these keys; 0 for no limit of their own
 * @param durability what these keys' writes survive
 * @param historyMs how long versions of these keys can be asked for that others replaced, if the
 *     store as a whole has not been compacted above them by then; 0 for as long as others
 */
public record PrefixRule(String prefix, long maxBytes, Durability durability, long historyMs) {
  /** A rule that says nothing about history. */
  public PrefixRule(String prefix, long maxBytes, Durability durability) {
    this(prefix, maxBytes, durability, 0);
  }
}
