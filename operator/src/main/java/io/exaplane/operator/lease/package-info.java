// SPDX-License-Identifier: Apache-2.0
/** Leases of a hosted cluster, as somebody sees them whose clock is another one. */
package io.exaplane.operator.lease;
