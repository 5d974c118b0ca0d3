// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

/**
 * A lease as it was at some time.
 *
 * @param deadlineMs when it ends, in milliseconds of the clock that goes on with the store
 */
public record LeaseState(long id, long ttlSeconds, long deadlineMs) {}
