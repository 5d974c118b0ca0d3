// SPDX-License-Identifier: Apache-2.0
/** What a store's status says. */
package io.exaplane.operator.storeshard.status;
