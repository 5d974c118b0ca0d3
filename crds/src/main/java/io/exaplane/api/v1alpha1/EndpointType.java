// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/** Kind of the Service that publishes the API. */
public enum EndpointType {
  ClusterIP,
  NodePort,
  LoadBalancer
}
