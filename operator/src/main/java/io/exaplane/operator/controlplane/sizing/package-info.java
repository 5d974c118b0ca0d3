// SPDX-License-Identifier: Apache-2.0
/**
 * From a ControlPlane to what the tuning model says of it, and what the user put in its place.
 * Pure.
 */
package io.exaplane.operator.controlplane.sizing;
