// SPDX-License-Identifier: Apache-2.0
/** The bundle and the catalog under the Operator Lifecycle Manager itself. */
package io.exaplane.testbed.install.olm;
