// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.operator.net.IpAddresses;
import java.math.BigInteger;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates with a CA's key. Immutable and thread-safe. */
public final class CertificateAuthority {
  private static final Duration CA_VALIDITY = Duration.ofDays(3650);

  /** Certificates begin before now, since clocks of nodes and clients differ. */
  static final Duration BACKDATED = Duration.ofMinutes(5);

  /** By how much an earlier operator did; its certificates serve until they are due. */
  static final Duration EARLIER_BACKDATED = Duration.ofSeconds(5);

  private static final SecureRandom RANDOM = new SecureRandom();

  /** Keys of CAs with certificates that they signed. */
  private static final KnownPairs SIGNED = new KnownPairs();

  private final KeyAndCertificate ca;
  private final Clock clock;

  public CertificateAuthority(KeyAndCertificate ca, Clock clock) {
    this.ca = ca;
    this.clock = clock;
  }

  /** A new self-signed CA, valid for ten years. */
  public static KeyAndCertificate create(String commonName, Clock clock) {
    KeyPair pair = KeyPairs.generate();
    X500Name name = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    return sign(
        new Request(name, name, pair, pair, CA_VALIDITY),
        clock,
        builder -> {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
          builder.addExtension(
              Extension.keyUsage,
              true,
              new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
        });
  }

  /** The CA's own certificate. */
  public KeyAndCertificate ca() {
    return ca;
  }

  /** A new key with a certificate for the leaf. */
  public KeyAndCertificate issue(Leaf leaf) {
    X500NameBuilder subject = new X500NameBuilder();
    leaf.organizations().forEach(organization -> subject.addRDN(BCStyle.O, organization));
    subject.addRDN(BCStyle.CN, leaf.commonName());
    X500Name issuer = X500Name.getInstance(ca.certificate().getSubjectX500Principal().getEncoded());
    KeyPair caPair = new KeyPair(ca.certificate().getPublicKey(), ca.key());
    return sign(
        new Request(subject.build(), issuer, KeyPairs.generate(), caPair, leaf.validity()),
        clock,
        builder -> {
          builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
          builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
          builder.addExtension(
              Extension.extendedKeyUsage, false, new ExtendedKeyUsage(usages(leaf.role())));
          if (!leaf.names().isEmpty()) {
            builder.addExtension(
                Extension.subjectAlternativeName, false, alternativeNames(leaf.names()));
          }
        });
  }

  /**
   * Whether a certificate still serves the leaf: signed by this CA, of the same subject and names,
   * as long-lived as asked, and not yet due for renewal. One that is good for more than its role,
   * as an earlier operator issued them, serves until then: a new operator alone replaces no pod.
   */
  public boolean serves(KeyAndCertificate existing, Leaf leaf) {
    X509Certificate certificate = existing.certificate();
    return isSignedByThis(certificate)
        && clock.instant().isBefore(existing.renewAfter())
        && new X500NameOf(certificate).equals(new X500NameOf(leaf))
        && names(certificate).equals(canonical(leaf.names()))
        && isAsLongLived(certificate, leaf.validity())
        && isFor(certificate, leaf.role());
  }

  private static boolean isAsLongLived(X509Certificate certificate, Duration validity) {
    Duration lifetime = lifetime(certificate);
    return lifetime.equals(validity.plus(BACKDATED))
        || lifetime.equals(validity.plus(EARLIER_BACKDATED));
  }

  private static boolean isFor(X509Certificate certificate, Leaf.Role role) {
    try {
      List<String> has = certificate.getExtendedKeyUsage();
      return has != null
          && Stream.of(usages(role)).map(KeyPurposeId::getId).allMatch(has::contains);
    } catch (CertificateException unreadable) {
      return false;
    }
  }

  private static KeyPurposeId[] usages(Leaf.Role role) {
    return switch (role) {
      case CLIENT -> new KeyPurposeId[] {KeyPurposeId.id_kp_clientAuth};
      case SERVER -> new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth};
      case PEER ->
          new KeyPurposeId[] {KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth};
    };
  }

  /** Whether this CA issued a certificate. */
  public boolean issued(KeyAndCertificate one) {
    return isSignedByThis(one.certificate());
  }

  private boolean isSignedByThis(X509Certificate certificate) {
    PublicKey key = ca.certificate().getPublicKey();
    try {
      String pair = KnownPairs.key(key.getEncoded(), certificate.getEncoded());
      if (!SIGNED.contains(pair)) {
        certificate.verify(key);
        SIGNED.add(pair);
      }
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private static Duration lifetime(X509Certificate certificate) {
    return Duration.between(
        certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant());
  }

  private static SortedSet<String> names(X509Certificate certificate) {
    SortedSet<String> names = new TreeSet<>();
    try {
      Collection<List<?>> all = certificate.getSubjectAlternativeNames();
      if (all != null) {
        all.forEach(entry -> names.add(canonical((String) entry.get(1))));
      }
    } catch (CertificateException e) {
      return new TreeSet<>();
    }
    return names;
  }

  private static SortedSet<String> canonical(SortedSet<String> names) {
    SortedSet<String> canonical = new TreeSet<>();
    names.forEach(name -> canonical.add(canonical(name)));
    return canonical;
  }

  /** An IP address in Java's own spelling, a DNS name as it is. */
  private static String canonical(String name) {
    return IpAddresses.parse(name).map(InetAddress::getHostAddress).orElse(name);
  }

  private static GeneralNames alternativeNames(SortedSet<String> names) {
    List<GeneralName> all = new ArrayList<>();
    for (String name : names) {
      boolean address = IpAddresses.parse(name).isPresent();
      all.add(new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, name));
    }
    return new GeneralNames(all.toArray(GeneralName[]::new));
  }

  private record Request(
      X500Name subject, X500Name issuer, KeyPair pair, KeyPair signer, Duration validity) {}

  private interface Extensions {
    void addTo(JcaX509v3CertificateBuilder builder) throws CertIOException;
  }

  private static KeyAndCertificate sign(Request request, Clock clock, Extensions extensions) {
    Instant now = clock.instant().truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    try {
      JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              request.issuer(),
              new BigInteger(127, RANDOM),
              Date.from(now.minus(BACKDATED)),
              Date.from(now.plus(request.validity())),
              request.subject(),
              request.pair().getPublic());
      extensions.addTo(builder);
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          identifiers.createSubjectKeyIdentifier(request.pair().getPublic()));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          identifiers.createAuthorityKeyIdentifier(request.signer().getPublic()));
      return new KeyAndCertificate(
          request.pair().getPrivate(),
          new JcaX509CertificateConverter()
              .getCertificate(
                  builder.build(
                      new JcaContentSignerBuilder(KeyPairs.SIGNATURE)
                          .build(request.signer().getPrivate()))));
    } catch (GeneralSecurityException | OperatorCreationException | CertIOException e) {
      throw new IllegalStateException("cannot issue a certificate for " + request.subject(), e);
    }
  }

  /** Subject as its parts, independent of their order. */
  private record X500NameOf(String commonName, SortedSet<String> organizations) {
    X500NameOf(Leaf leaf) {
      this(leaf.commonName(), new TreeSet<>(leaf.organizations()));
    }

    X500NameOf(X509Certificate certificate) {
      this(
          X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
          new TreeSet<>());
    }

    private X500NameOf(X500Name name, SortedSet<String> organizations) {
      this(first(name), organizations);
      for (var rdn : name.getRDNs(BCStyle.O)) {
        organizations.add(rdn.getFirst().getValue().toString());
      }
    }

    private static String first(X500Name name) {
      var rdns = name.getRDNs(BCStyle.CN);
      return rdns.length == 0 ? "" : rdns[0].getFirst().getValue().toString();
    }
  }
}
