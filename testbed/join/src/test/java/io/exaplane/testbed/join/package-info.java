// SPDX-License-Identifier: Apache-2.0
/** Hosts in namespaces join a real API by the script, as the operator renders it. */
package io.exaplane.testbed.join;
