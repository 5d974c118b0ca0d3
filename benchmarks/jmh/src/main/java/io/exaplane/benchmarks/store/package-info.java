// SPDX-License-Identifier: Apache-2.0
/**
 * What pieces of the store cost, by JMH: writes, reads, the journal, copies. How to run them is in
 * benchmarks/README.md.
 */
package io.exaplane.benchmarks.store;
