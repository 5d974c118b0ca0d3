// SPDX-License-Identifier: Apache-2.0
/**
 * Keys and certificates: pure functions that issue and check them, and the one place that decides
 * which Secrets of a control plane hold which.
 */
package io.exaplane.operator.pki;
