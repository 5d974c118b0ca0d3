// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.version;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of Kubernetes as upstream and vendors write it: v1.30.14-eks-5e0fdde,
 * 1.36.3-gke.1234000, v1.31.6+rke2r1, 1.35+. What a vendor adds does not change which upstream
 * release it is.
 *
 * @param patch empty if it was not said; of a release candidate that of the release before
 */
public record PatchVersion(MinorVersion minor, OptionalInt patch) {
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:Kubernetes |kubelet |kube-apiserver |Server Version: |gitVersion: ?|(?:k3s|rke2) version )?[vV]?1\\.(\\d{1,4})(?:\\.(\\d{1,5}))?((?:[-+.~_][0-9A-Za-z.+_~-]*)?)");

  /** Of files, and the commit that a program of Rancher tells behind its version. */
  private static final Pattern QUOTES =
      Pattern.compile("^[\"']|[\"',]+$|(?<=\\S) \\([0-9a-f]{6,40}\\)$|\"(?=: )|(?<=: )\"");

  private static final Pattern BEFORE = Pattern.compile("-(?:alpha|beta|rc)\\..*");
  private static final Pattern OPENSHIFT = Pattern.compile("v?4\\.(\\d{1,2})(?:\\.\\d+)?.*");

  /** OpenShift 4.18 has Kubernetes 1.31, and both grow together. */
  private static final int OPENSHIFT_BEHIND = 13;

  /**
   * Reads a version.
   *
   * @throws IllegalArgumentException if it is none of Kubernetes
   */
  public static PatchVersion parse(String text) {
    String bare = QUOTES.matcher(text.strip()).replaceAll("");
    Matcher matcher = TEXT.matcher(bare);
    if (!matcher.matches()) {
      Matcher openShift = OPENSHIFT.matcher(bare);
      throw new IllegalArgumentException(
          "must be a version such as 1.36, 1.36.3 or v1.36.3-gke.100"
              + (openShift.matches()
                  ? "; an OpenShift "
                      + bare
                      + " has Kubernetes 1."
                      + (Integer.parseInt(openShift.group(1)) + OPENSHIFT_BEHIND)
                  : ""));
    }
    MinorVersion minor = MinorVersion.of(Integer.parseInt(matcher.group(1)));
    if (matcher.group(2) == null) {
      return new PatchVersion(minor, OptionalInt.empty());
    }
    int patch = Integer.parseInt(matcher.group(2));
    boolean before = BEFORE.matcher(matcher.group(3)).matches();
    return new PatchVersion(minor, OptionalInt.of(before ? Math.max(0, patch - 1) : patch));
  }

  @Override
  public String toString() {
    return patch.isPresent() ? minor + "." + patch.getAsInt() : minor.toString();
  }
}
