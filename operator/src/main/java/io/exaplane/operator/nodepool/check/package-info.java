// SPDX-License-Identifier: Apache-2.0
/** Rules about a NodePool that the schema cannot express. Pure. */
package io.exaplane.operator.nodepool.check;
