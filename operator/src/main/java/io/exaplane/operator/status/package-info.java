// SPDX-License-Identifier: Apache-2.0
/** What all kinds' status has in common: conditions and Events. */
package io.exaplane.operator.status;
