// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** TLS of a store. Clients must show a certificate of the same CA. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StoreTls(
    @Required
        @JsonPropertyDescription(
            "Secret with tls.crt, tls.key and ca.crt. The certificate must be valid for the store's"
                + " address (status.endpoint). A Secret that you create by hand needs the label"
                + " app.kubernetes.io/managed-by=exaplane, otherwise the operator does not see the"
                + " Secret, and the label exaplane.io/store-shard with the name of this StoreShard."
                + " No other StoreShard can use the Secret.")
        LocalRef secretRef,
    @JsonPropertyDescription(
            "Clients that the store accepts. Default: all clients with a certificate of the CA. A"
                + " change replaces the pod. A store of a ControlPlane does not use the field: only"
                + " kube-apiservers have client certificates of its CA.")
        StoreClients allowedClients) {

  /** One that accepts all clients of its CA. */
  public StoreTls(LocalRef secretRef) {
    this(secretRef, null);
  }
}
