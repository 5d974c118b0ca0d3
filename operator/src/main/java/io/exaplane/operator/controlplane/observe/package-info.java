// SPDX-License-Identifier: Apache-2.0
/** What is there of a control plane, and what follows for the next step. */
package io.exaplane.operator.controlplane.observe;
