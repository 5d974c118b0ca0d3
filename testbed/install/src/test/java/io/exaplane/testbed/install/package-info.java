// SPDX-License-Identifier: Apache-2.0
/**
 * The ways to install the operator, rendered and applied by Helm and kubectl themselves. It knows
 * nothing of how the files are generated.
 */
package io.exaplane.testbed.install;
