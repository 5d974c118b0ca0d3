// SPDX-License-Identifier: Apache-2.0
/** The StatefulSet of a store, as all the store's packages find it. */
package io.exaplane.operator.storeshard.set;
