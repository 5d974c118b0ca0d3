// SPDX-License-Identifier: Apache-2.0
/**
 * How a store that runs takes up what this operator has: its pod is replaced when it is asked for.
 */
package io.exaplane.operator.storeshard.restart;
