// SPDX-License-Identifier: Apache-2.0
/** The objects of one control plane, one class each. */
package io.exaplane.operator.controlplane.dependent;
