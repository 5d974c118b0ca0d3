// SPDX-License-Identifier: Apache-2.0
/**
 * The console: read-only pages of what the informers hold, for people whom the API server knows.
 * Nobody else knows this package.
 */
package io.exaplane.operator.console;
