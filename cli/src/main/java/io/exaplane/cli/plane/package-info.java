// SPDX-License-Identifier: Apache-2.0
/**
 * Control planes of a management cluster, as people who run them see them: reads of the API, and
 * pure answers from what was read.
 */
package io.exaplane.cli.plane;
