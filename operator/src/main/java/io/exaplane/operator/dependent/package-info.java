// SPDX-License-Identifier: Apache-2.0
/** What dependents of all kinds have in common. */
package io.exaplane.operator.dependent;
