// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

/**
 * Concurrency limits of kube-apiserver by the size of the cluster. The smallest step is upstream's
 * default; the others are those that large hosted control planes run with (reference: HyperShift's
 * 3000 in flight, and the 1M-node experiment's 5000 and 1000).
 */
record Sizing(int maxRequestsInflight, int maxMutatingRequestsInflight) {
  static Sizing of(int maxNodes) {
    if (maxNodes <= 1_000) {
      return new Sizing(400, 200);
    }
    if (maxNodes <= 10_000) {
      return new Sizing(1500, 500);
    }
    return maxNodes <= 100_000 ? new Sizing(3000, 1000) : new Sizing(5000, 1000);
  }
}
