// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** TLS of a store. Clients must show a certificate of the same CA. */
public record StoreTls(
    @Required
        @JsonPropertyDescription(
            "Secret with tls.crt, tls.key and ca.crt. The certificate must be valid for the store's"
                + " address (status.endpoint). A Secret that you create by hand needs the"
                + " label app.kubernetes.io/managed-by=exaplane, otherwise the operator does not see the"
                + " Secret, and the label exaplane.io/store-shard with the name of this StoreShard. No"
                + " other StoreShard can use the Secret.")
        LocalRef secretRef) {}
