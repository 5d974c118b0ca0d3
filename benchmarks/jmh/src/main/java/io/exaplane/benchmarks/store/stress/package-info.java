// SPDX-License-Identifier: Apache-2.0
/**
 * What threads of the store share, in tests for jcstress: each is a few lines that run millions of
 * times beside each other. It knows the smallest classes of the store only.
 */
package io.exaplane.benchmarks.store.stress;
