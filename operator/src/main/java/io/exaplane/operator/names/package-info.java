// SPDX-License-Identifier: Apache-2.0
/**
 * Names and labels of the objects that the operator makes, and the tiers of a pool. Pure; knows the
 * API types alone.
 */
package io.exaplane.operator.names;
