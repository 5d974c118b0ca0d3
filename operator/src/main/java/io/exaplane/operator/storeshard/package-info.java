// SPDX-License-Identifier: Apache-2.0
/** The StoreShard's reconciler and what it is made of. */
package io.exaplane.operator.storeshard;
