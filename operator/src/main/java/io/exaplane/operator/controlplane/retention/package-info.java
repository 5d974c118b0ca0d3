// SPDX-License-Identifier: Apache-2.0
/**
 * What stays of a control plane that is removed, and how the next one of its name takes it over.
 */
package io.exaplane.operator.controlplane.retention;
