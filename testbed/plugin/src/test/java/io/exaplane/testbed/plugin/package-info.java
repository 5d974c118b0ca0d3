// SPDX-License-Identifier: Apache-2.0
/** kubectl's plugin on a real kube-apiserver, with just the rights that its page names. */
package io.exaplane.testbed.plugin;
