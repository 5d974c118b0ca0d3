// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * A part of what a Kind has, on its way to another store.
 *
 * @param records versions of keys, each four bytes of length and a {@code mvccpb.KeyValue}; not
 *     changed any more
 * @param revision of keys the one at which they were read; of changes the one up to which all are
 *     in this page and those before
 * @param next the last key of a page of keys, if more follow
 * @param keys of the first page of keys how many there are in all, at its revision
 */
public record MovedPage(byte[] records, long revision, Optional<byte[]> next, OptionalLong keys) {}
