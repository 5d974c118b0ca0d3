// SPDX-License-Identifier: Apache-2.0
/**
 * The operator's own metrics, all of bounded number. They exist from the start, so that what counts
 * nothing shows 0, and no dashboard is empty.
 */
package io.exaplane.operator.metrics;
