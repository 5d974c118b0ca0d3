// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.hosted;

import io.exaplane.operator.nodepool.heartbeat.Wave;
import io.exaplane.operator.pki.NodeAuthorities;

/**
 * The CAs that hosts are to trust, and how fast they come to them. Immutable.
 *
 * @param order its target is the text of the CAs
 */
public record TrustOrder(NodeAuthorities authorities, Wave.Order<String> order) {}
