// SPDX-License-Identifier: Apache-2.0
/** What a control plane's status says. */
package io.exaplane.operator.controlplane.status;
