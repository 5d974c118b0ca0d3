// SPDX-License-Identifier: Apache-2.0
/** How the operator reads the page of metrics of a kube-apiserver. */
package io.exaplane.operator.controlplane.hosted;
