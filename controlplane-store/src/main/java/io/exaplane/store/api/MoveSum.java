// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

/**
 * What two stores compare that should hold the same keys with the same values.
 *
 * @param revision at which the keys were read
 * @param keys how many there are
 * @param sha256 in hexadecimal digits, of each key and its value in the order of keys, both after
 *     four bytes, big-endian, with their length
 */
public record MoveSum(long revision, long keys, String sha256) {}
