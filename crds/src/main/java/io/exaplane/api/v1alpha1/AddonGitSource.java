// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/** A Git repository with objects. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddonGitSource(
    @Required
        @Size(max = 1024)
        @Pattern("^https://[^@?#\\s]+$")
        @JsonPropertyDescription(
            "Address of the repository, for example https://github.com/example/shop, without a login.")
        String url,
    @Size(max = 255)
        @JsonPropertyDescription(
            "Branch, tag, full name such as refs/tags/v1, or whole commit id. The operator asks a name"
                + " again at each interval. A commit never changes. Default: the repository's default"
                + " branch.")
        String ref,
    @Size(max = 1024)
        @JsonPropertyDescription(
            "Folder or file in the repository, for example deploy/prod. A folder with a kustomization.yaml is"
                + " rendered. Default: the whole repository.")
        String path,
    @JsonPropertyDescription(
            "Secret in the ControlPlane's namespace, with the label exaplane.io/addons-of: NAME of the"
                + " ControlPlane. The Secret has the key host, which must be the url's host, or host:port"
                + " if the port is not 443, for example github.com. The Secret also has the key token, or the"
                + " keys username and password. The login goes to that host alone. Default: no login.")
        LocalRef secret,
    @Size(max = 65_536)
        @JsonPropertyDescription(
            "Certificates in PEM of the authorities that vouch for the server, instead of the public"
                + " ones. Default: the public authorities.")
        String authorities) {}
