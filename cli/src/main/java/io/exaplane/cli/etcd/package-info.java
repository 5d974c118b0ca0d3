// SPDX-License-Identifier: Apache-2.0
/**
 * A store that speaks etcd v3, from a client's side: who takes its space, and deleting by prefix.
 */
package io.exaplane.cli.etcd;
