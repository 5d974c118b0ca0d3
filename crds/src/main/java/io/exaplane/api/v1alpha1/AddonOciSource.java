// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** An OCI artifact with objects. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddonOciSource(
    @Required
        @Size(max = 512)
        @Pattern(
            "^[A-Za-z0-9\\[][-A-Za-z0-9.:\\[\\]]*/[a-z0-9][-a-z0-9._/]*(:[A-Za-z0-9_][-A-Za-z0-9_.]*)?(@sha256:[0-9a-f]{64})?$")
        @JsonPropertyDescription(
            "Address of the artifact, for example ghcr.io/example/shop:v1 or"
                + " ghcr.io/example/shop@sha256:…, without oci://. The operator asks a tag again"
                + " at each interval. A digest never changes. Default tag: latest.")
        String reference,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "Folder or file in the artifact, for example deploy/prod. A folder with a kustomization.yaml is"
                + " rendered. Default: the whole artifact.")
        String path,
    @JsonPropertyDescription(
            "Secret of the type kubernetes.io/dockerconfigjson in the ControlPlane's namespace, with"
                + " the label exaplane.io/addons-of: NAME of the ControlPlane. The login goes to"
                + " the registry, and to the token service that the registry names. Default: no login.")
        LocalRef pullSecret,
    @Size(max = 4096)
        @JsonPropertyDescription(
            "Public key in PEM, as the file cosign.pub has it (ECDSA). The operator takes only"
                + " artifacts with a signature that fits this key. Default: signatures are not asked"
                + " for.")
        String publicKey,
    @Size(max = 65_536)
        @JsonPropertyDescription(
            "Certificates in PEM of the authorities that vouch for the registry, instead of the"
                + " public ones. Default: the public authorities.")
        String authorities) {}
