// SPDX-License-Identifier: Apache-2.0
/**
 * The script with which a host joins a hosted cluster, and the forms in which clouds take it. Pure:
 * values in, text out. The script's own text is in the resources beside {@code head.sh}.
 */
package io.exaplane.operator.nodepool.join;
