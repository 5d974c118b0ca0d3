// SPDX-License-Identifier: Apache-2.0
/** What the operator does inside a hosted cluster, through its API. */
package io.exaplane.operator.controlplane.hosted;
