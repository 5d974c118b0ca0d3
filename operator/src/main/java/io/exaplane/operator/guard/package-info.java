// SPDX-License-Identifier: Apache-2.0
/** The meltdown guard's decision: whether nodes that seem dead can be believed to be. Pure. */
package io.exaplane.operator.guard;
