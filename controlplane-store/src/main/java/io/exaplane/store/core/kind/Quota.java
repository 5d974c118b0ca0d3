// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * What the keys with a prefix may take, and what they take. By the writer.
 *
 * @param number of the quota, from 0
 */
public record Quota(int number, PrefixRule rule, Usage usage) {
  /** Whether these keys have as many bytes as they may. */
  public boolean isFull() {
    return usage.bytes() >= rule.maxBytes();
  }
}
