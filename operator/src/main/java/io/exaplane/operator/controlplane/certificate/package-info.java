// SPDX-License-Identifier: Apache-2.0
/** The step of a pass that issues a control plane's certificates, and renews them. */
package io.exaplane.operator.controlplane.certificate;
