// SPDX-License-Identifier: Apache-2.0
/**
 * The API of a hosted cluster as any kind may use it: connections, objects of the operator's,
 * kubelets' certificates. Knows no kind.
 */
package io.exaplane.operator.hosted;
