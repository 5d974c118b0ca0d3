// SPDX-License-Identifier: Apache-2.0
/** Whether a store has the data that it had, and what is done when it does not. Pure. */
package io.exaplane.operator.storeshard.data;
