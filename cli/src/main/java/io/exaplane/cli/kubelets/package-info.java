// SPDX-License-Identifier: Apache-2.0
/**
 * Many kubelets on one Linux machine, each with a containerd and an IPv6 prefix in namespaces of
 * its own. Knows the machine, and of the cluster only a kubeconfig.
 */
package io.exaplane.cli.kubelets;
