// SPDX-License-Identifier: Apache-2.0
/** The script by which a host joins a pool, and the forms in which hosts get it. Pure. */
package io.exaplane.operator.nodepool.join;
