// SPDX-License-Identifier: Apache-2.0
/** What a store of our own tells of itself. */
package io.exaplane.operator.storeshard.usage;
