// SPDX-License-Identifier: Apache-2.0
/** What a ControlPlane's reconciler does and asks inside its hosted cluster. */
package io.exaplane.operator.controlplane.hosted;
