// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.Secret;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The CAs that nodes are to trust, with a proof: a signature by a CA that the nodes trust already.
 * Whoever may write what hosts read can therefore give them no CA of his own. Immutable; any
 * thread.
 */
public final class NodeAuthorities {
  private static final int ID_CHARACTERS = 16;

  private final String text;
  private final KeyAndCertificate signer;
  private final boolean addsOne;

  private NodeAuthorities(String pem, KeyAndCertificate signer, boolean addsOne) {
    this.text = Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    this.signer = signer;
    this.addsOne = addsOne;
  }

  /** From the Secret of a cluster's CA; see {@link #of}. */
  public static Optional<NodeAuthorities> in(Secret secret, RotationPhase phase) {
    return of(RotatedKey.read(SecretStore.files(secret), Authorities.CA_FILES), phase);
  }

  /**
   * What nodes are to trust at a step of the CA.
   *
   * @param phase what is told of the rotation; null for nothing
   * @return empty while nodes are to stay as they are: a kubelet that renewed its certificates
   *     before every component has taken the step would have to do so again
   */
  public static Optional<NodeAuthorities> of(RotatedKey ca, RotationPhase phase) {
    Optional<KeyAndCertificate> current = read(ca.current());
    Optional<KeyAndCertificate> other = read(ca.other());
    if (current.isEmpty()) {
      return Optional.empty();
    }
    if (ca.stage() == Stage.SINGLE) {
      return Optional.of(new NodeAuthorities(current.get().certificatePem(), current.get(), false));
    }
    boolean signs =
        ca.stage() == Stage.SERVING
            || ca.stage() == Stage.ISSUING
                && (phase == RotationPhase.Prepared || phase == RotationPhase.Completing);
    return signs && other.isPresent()
        ? Optional.of(
            new NodeAuthorities(
                current.get().certificatePem() + other.get().certificatePem(), other.get(), true))
        : Optional.empty();
  }

  private static Optional<KeyAndCertificate> read(Map<String, String> files) {
    return KeyAndCertificate.parse(
        bytes(files.get(Authorities.CERTIFICATE_FILE)), bytes(files.get(Authorities.KEY_FILE)));
  }

  private static byte[] bytes(String text) {
    return text == null ? null : text.getBytes(StandardCharsets.US_ASCII);
  }

  /** The certificates in PEM, in Base64. The first one is of the CA that signs now. */
  public String text() {
    return text;
  }

  /** Short name, as hosts say which CAs they trust: 16 hexadecimal digits. */
  public String id() {
    return Fingerprints.sha256((text + "\n").getBytes(StandardCharsets.US_ASCII))
        .substring(0, ID_CHARACTERS);
  }

  /** Whether nodes that trusted one CA have to trust a second one, for which kubelets restart. */
  public boolean addsOne() {
    return addsOne;
  }

  /**
   * The signature over the PEM text, in Base64.
   *
   * @param before one that was made earlier; it stays if it is still right, since each is another
   */
  public String proof(Optional<String> before) {
    return before.filter(this::isProof).orElseGet(this::sign);
  }

  private String sign() {
    try {
      Signature signature = Signature.getInstance(algorithm());
      signature.initSign(signer.key());
      signature.update(Base64.getDecoder().decode(text));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the CA's key does not sign", e);
    }
  }

  private boolean isProof(String proof) {
    try {
      Signature signature = Signature.getInstance(algorithm());
      signature.initVerify(signer.certificate());
      signature.update(Base64.getDecoder().decode(text));
      return signature.verify(Base64.getDecoder().decode(proof));
    } catch (GeneralSecurityException | IllegalArgumentException changed) {
      return false;
    }
  }

  /** A person may have brought a CA with a key of RSA. */
  private String algorithm() {
    return signer.key().getAlgorithm().equals("RSA") ? "SHA256withRSA" : KeyPairs.SIGNATURE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeAuthorities that
        && text.equals(that.text)
        && addsOne == that.addsOne
        && signer.certificate().equals(that.signer.certificate());
  }

  @Override
  public int hashCode() {
    return Objects.hash(text, addsOne);
  }

  /** Without a key. */
  @Override
  public String toString() {
    return "NodeAuthorities[%s]".formatted(id());
  }
}
