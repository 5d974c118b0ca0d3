// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.core;

import io.exaplane.store.core.index.KeyTree;

/**
 * What readers may see: everything up to a revision. Immutable.
 *
 * @param revision the newest revision that may be shown
 * @param compactedRevision below it nothing can be asked for; -1 if nothing was compacted
 * @param tree the keys at the revision
 * @param firstEvent position of the oldest event that is still there
 * @param events position behind the newest event that may be shown
 * @param lives position behind the newest creation or deletion that may be shown
 */
public record View(
    long revision,
    long compactedRevision,
    KeyTree.Node tree,
    long firstEvent,
    long events,
    long firstLife,
    long lives) {}
