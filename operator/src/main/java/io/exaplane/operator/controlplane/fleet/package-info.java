// SPDX-License-Identifier: Apache-2.0
/** Which control planes replace pods at the same time, and which wait for their turn. */
package io.exaplane.operator.controlplane.fleet;
