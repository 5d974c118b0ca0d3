// SPDX-License-Identifier: Apache-2.0
/**
 * How restarts are counted, held and spread, for every Kind: {@code spec.restart}. Pure; the Kind
 * says what its components depend on, and deletes the pod that is to go.
 */
package io.exaplane.operator.restart;
