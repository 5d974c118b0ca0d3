// SPDX-License-Identifier: Apache-2.0
/**
 * How fields of the API write durations, for every version of the API and for its readers. Knows
 * nothing else.
 */
package io.exaplane.api.duration;
