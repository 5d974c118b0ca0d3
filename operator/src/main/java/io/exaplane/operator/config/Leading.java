// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

/** This operator has the Lease now, and no other one acts. Fired once, before anything is done. */
public record Leading() {}
