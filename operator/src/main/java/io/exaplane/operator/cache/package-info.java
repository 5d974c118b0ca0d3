// SPDX-License-Identifier: Apache-2.0
/** What informers keep in memory. */
package io.exaplane.operator.cache;
