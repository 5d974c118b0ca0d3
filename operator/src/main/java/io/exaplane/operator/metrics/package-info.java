// SPDX-License-Identifier: Apache-2.0
/** The operator's own metrics, all of bounded number. */
package io.exaplane.operator.metrics;
