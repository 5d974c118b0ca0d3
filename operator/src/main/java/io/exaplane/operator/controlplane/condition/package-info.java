// SPDX-License-Identifier: Apache-2.0
/** Conditions of the control plane's workflow, named for what is true. */
package io.exaplane.operator.controlplane.condition;
