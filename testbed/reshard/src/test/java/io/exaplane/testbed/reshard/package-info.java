// SPDX-License-Identifier: Apache-2.0
/** A Kind moves between two stores under load: real stores, kube-apiservers and informers. */
package io.exaplane.testbed.reshard;
