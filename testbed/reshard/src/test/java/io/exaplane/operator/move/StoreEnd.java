// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import io.exaplane.operator.hosted.PeerTls;

/**
 * A store of a move as a test reaches it.
 *
 * @param name for messages
 * @param peer what is shown to it, and asked of it
 */
public record StoreEnd(String name, String host, int port, PeerTls.Peer peer) {}
