// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.certificate;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.ControlPlanePki;
import io.exaplane.operator.pki.KeyAndCertificate;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Base64;
import java.util.Optional;
import java.util.function.Predicate;

/** Which group the administrator's kubeconfig is issued for. Pure. */
final class AdminGroup {
  private static final String CERTIFICATE = "admin.crt";
  private static final String KEY = "admin.key";

  private AdminGroup() {}

  /**
   * The group that the spec asks for, unless an earlier kubeconfig is there: its group stays until
   * the other one has rights. A certificate that the operator's CAs did not issue says nothing.
   *
   * @param existing the Secret of the kubeconfig; null without one
   * @param isBound whether a group has rights inside of the hosted cluster
   */
  static String of(
      ControlPlane controlPlane, Secret existing, Authorities keys, Predicate<String> isBound) {
    String wanted = ControlPlanePki.administrators(controlPlane.getSpec().pki());
    return group(existing, keys).filter(_ -> !isBound.test(wanted)).orElse(wanted);
  }

  private static Optional<String> group(Secret secret, Authorities keys) {
    return secret == null || secret.getData() == null
        ? Optional.empty()
        : KeyAndCertificate.parse(file(secret, CERTIFICATE), file(secret, KEY))
            .filter(one -> keys.cluster().issued(one) || keys.serving().issued(one))
            .flatMap(KeyAndCertificate::organization);
  }

  private static byte[] file(Secret secret, String name) {
    String text = secret.getData().get(name);
    return text == null ? null : Base64.getDecoder().decode(text);
  }
}
