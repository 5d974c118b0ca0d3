// SPDX-License-Identifier: Apache-2.0
/** One operator, as it is shipped, with more control planes than any machine runs. */
package io.exaplane.testbed.fleet;
