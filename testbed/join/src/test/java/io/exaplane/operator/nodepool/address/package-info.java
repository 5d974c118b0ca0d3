// SPDX-License-Identifier: Apache-2.0
/** What a test needs of the operator's looks at nodes, which are the operator's own. */
package io.exaplane.operator.nodepool.address;
