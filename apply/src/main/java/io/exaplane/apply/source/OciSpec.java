// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/**
 * An artifact in a registry. Immutable.
 *
 * @param address {@code HOST/REPOSITORY}, with {@code :TAG} or {@code @sha256:…}
 * @param path folder or file inside of the artifact; empty for all of it
 * @param login who asks; {@link DockerConfig} reads it from a {@code config.json}
 * @param publicKey PEM text of the ECDSA key that a signature by cosign must fit; empty for none
 * @param authorities PEM text of further certificate authorities; empty for the runtime's own
 * @param plainHttp whether the registry speaks HTTP without TLS
 * @param limits what a fetch may take
 */
public record OciSpec(
    String address,
    String path,
    Login login,
    String publicKey,
    String authorities,
    boolean plainHttp,
    Limits limits) {
  /** Without the login's password. */
  @Override
  public String toString() {
    return "oci://" + address + (path.isEmpty() ? "" : "?path=" + path);
  }
}
