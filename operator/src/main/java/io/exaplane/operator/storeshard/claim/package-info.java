// SPDX-License-Identifier: Apache-2.0
/** Claims of stores: whose data they hold, and who may take them. */
package io.exaplane.operator.storeshard.claim;
