// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.kind;

/**
 * What holds for the keys that begin with a prefix, unless a longer one fits, too.
 *
 * @param prefix in UTF-8; empty for all keys
 * @param maxBytes of all versions of these keys; 0 for no limit of their own
 * @param durability what these keys' writes survive
 */
public record PrefixRule(String prefix, long maxBytes, Durability durability) {}
