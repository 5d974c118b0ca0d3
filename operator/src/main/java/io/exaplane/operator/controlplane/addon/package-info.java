// SPDX-License-Identifier: Apache-2.0
/** The sources of spec.addons: read here, and kept in the hosted cluster by the apply engine. */
package io.exaplane.operator.controlplane.addon;
