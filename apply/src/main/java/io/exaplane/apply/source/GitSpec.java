// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

/**
 * A folder of a Git repository. Immutable.
 *
 * @param url {@code https://HOST/PATH}, or {@code http://} for a host without TLS; no login
 * @param ref branch, tag, full name such as {@code refs/heads/main}, or whole commit id; empty for
 *     the repository's default branch
 * @param path folder or file inside of the repository; empty for all of it
 * @param login who asks; for a token, any name and the token as the password
 * @param authorities PEM text of further certificate authorities; empty for the runtime's own
 * @param limits what a fetch may take
 */
public record GitSpec(
    String url, String ref, String path, Login login, String authorities, Limits limits) {
  /** Without the login's password. */
  @Override
  public String toString() {
    return "git+" + url + (ref.isEmpty() ? "" : "?ref=" + ref);
  }
}
