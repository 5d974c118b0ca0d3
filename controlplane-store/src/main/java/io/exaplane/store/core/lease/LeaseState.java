// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core.lease;

/**
 * A lease as it was at some time.
 *
 * @param deadlineMs when it ends, in milliseconds since 1970
 */
public record LeaseState(long id, long ttlSeconds, long deadlineMs) {}
