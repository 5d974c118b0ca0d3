// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Address of an artifact. Immutable.
 *
 * @param host registry with its port
 * @param repository name inside of the registry
 * @param tag tag; empty when there is a digest
 * @param digest {@code sha256:} and 64 hexadecimal digits; empty for none
 */
record OciReference(String host, String repository, String tag, String digest) {
  private static final int MOST = 512;
  private static final Pattern FORM =
      Pattern.compile(
          "(?<host>(?:[A-Za-z0-9][-A-Za-z0-9.]{0,252}|\\[[0-9a-fA-F:]{2,45}\\])(?::[0-9]{1,5})?)"
              + "/(?<repository>[a-z0-9][-a-z0-9._/]{0,254})"
              + "(?::(?<tag>[A-Za-z0-9_][-A-Za-z0-9_.]{0,127}))?"
              + "(?:@(?<digest>sha256:[0-9a-f]{64}))?");

  static OciReference of(String address) throws Refused {
    Matcher form = FORM.matcher(address);
    if (address.length() > MOST || !form.matches()) {
      throw Refused.lasting(
          "oci",
          address.length() > MOST ? address.substring(0, 80) + "…" : address,
          "must be HOST/REPOSITORY with a tag or a digest",
          "write an address such as ghcr.io/shop/manifests:v1");
    }
    String repository = form.group("repository");
    boolean isOdd =
        repository.contains("//") || repository.contains("..") || repository.endsWith("/");
    if (isOdd) {
      throw Refused.lasting(
          "oci", address, "has a repository with empty parts", "correct the repository");
    }
    String digest = form.group("digest") == null ? "" : form.group("digest");
    String tag = form.group("tag") == null ? "" : form.group("tag");
    if (tag.isEmpty() && digest.isEmpty()) {
      tag = "latest";
    }
    boolean isHub = form.group("host").equals("docker.io");
    return new OciReference(
        form.group("host"),
        isHub && !repository.contains("/") ? "library/" + repository : repository,
        tag,
        digest);
  }

  /** The host that answers. */
  String endpoint() {
    return host.equals("docker.io") ? "registry-1.docker.io" : host;
  }

  /** What the manifest is asked by. */
  String wanted() {
    return digest.isEmpty() ? tag : digest;
  }

  @Override
  public String toString() {
    return host
        + "/"
        + repository
        + (tag.isEmpty() ? "" : ":" + tag)
        + (digest.isEmpty() ? "" : "@" + digest);
  }
}
