// SPDX-License-Identifier: Apache-2.0
/** What a test on a real kube-apiserver needs of the operator's own classes. */
package io.exaplane.operator.controlplane.addon;
