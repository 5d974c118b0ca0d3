// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What a Secret of certificates holds.
 *
 * @param name name of the Secret
 * @param owner what it is for, used in messages and in status
 * @param labels labels beside the control plane's own
 * @param leaves certificates to issue into it
 * @param fixed further files, as PEM or text
 * @param derived files made from the issued certificates, as kubeconfigs that embed one
 */
public record SecretPlan(
    String name,
    String owner,
    Map<String, String> labels,
    List<PlannedLeaf> leaves,
    Map<String, String> fixed,
    Function<Map<String, KeyAndCertificate>, Map<String, String>> derived) {

  /** A certificate in files {@code prefix.crt} and {@code prefix.key}. */
  public record PlannedLeaf(String prefix, CertificateAuthority authority, Leaf leaf) {}
}
