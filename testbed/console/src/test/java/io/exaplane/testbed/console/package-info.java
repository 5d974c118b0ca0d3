// SPDX-License-Identifier: Apache-2.0
/** The console in a browser: an operator as a process, with a real kube-apiserver. */
package io.exaplane.testbed.console;
