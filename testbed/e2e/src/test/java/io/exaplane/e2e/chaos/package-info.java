// SPDX-License-Identifier: Apache-2.0
/**
 * What chaos does to a control plane and what must be seen meanwhile, without a cluster: the table
 * of steps, their order, the comparison with the conditions, and the books of a client.
 */
package io.exaplane.e2e.chaos;
