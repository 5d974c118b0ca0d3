// SPDX-License-Identifier: Apache-2.0
/** How far the rollout of an object is, as its status says. Pure. */
package io.exaplane.operator.rollout;
