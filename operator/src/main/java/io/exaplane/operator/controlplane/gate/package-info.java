// SPDX-License-Identifier: Apache-2.0
/**
 * Gates of the control plane's workflow: each holds back what comes after it, and is named for what
 * is true.
 */
package io.exaplane.operator.controlplane.gate;
