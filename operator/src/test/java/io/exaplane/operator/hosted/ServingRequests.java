// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequestBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERSet;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/** Certificate requests as kubelets, and others, write them. */
final class ServingRequests {
  static final List<String> USAGES = List.of("digital signature", "server auth");
  static final List<String> GROUPS = List.of("system:nodes", "system:authenticated");
  static final KeyPair PAIR = pair();

  String user = "system:node:w1";
  List<String> groups = GROUPS;
  List<String> usages = USAGES;
  X500Name subject = new X500Name("O=system:nodes,CN=system:node:w1");
  private final List<Attribute> attributes = new ArrayList<>();
  private String suffix = "";

  private ServingRequests() {}

  /** A request of system:node:w1 for these names. */
  static ServingRequests of(GeneralName... names) {
    return names.length == 0 ? new ServingRequests() : new ServingRequests().with(extension(names));
  }

  static Extension extension(GeneralName... names) {
    return extension("2.5.29.17", false, new GeneralNames(names));
  }

  static Extension extension(String oid, boolean critical, ASN1Encodable value) {
    try {
      return Extension.create(new org.bouncycastle.asn1.ASN1ObjectIdentifier(oid), critical, value);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds one attribute that asks for these extensions. */
  ServingRequests with(Extension... extensions) {
    return attribute(new DERSequence(extensions));
  }

  /** Adds one attribute that asks for extensions, with any content. */
  ServingRequests attribute(ASN1Encodable... values) {
    attributes.add(
        new Attribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, new DERSet(values)));
    return this;
  }

  ServingRequests subject(X500Name name) {
    subject = name;
    return this;
  }

  ServingRequests subject(String name) {
    return subject(new X500Name(name));
  }

  ServingRequests asker(String name) {
    user = name;
    return this;
  }

  /** Asks for a usage. */
  ServingRequests usages(String... all) {
    usages = List.of(all);
    return this;
  }

  /** Text after the request. */
  ServingRequests followedBy(String text) {
    suffix = text;
    return this;
  }

  CertificateSigningRequest build() {
    return csr(pem() + suffix);
  }

  CertificateSigningRequest csr(String text) {
    return new CertificateSigningRequestBuilder()
        .withNewMetadata()
        .withName("csr-1")
        .endMetadata()
        .withNewSpec()
        .withSignerName(KubeletServingApprover.SIGNER)
        .withUsername(user)
        .withGroups(groups)
        .withUsages(usages)
        .withRequest(Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.ISO_8859_1)))
        .endSpec()
        .build();
  }

  String pem() {
    var builder = new JcaPKCS10CertificationRequestBuilder(subject, PAIR.getPublic());
    attributes.forEach(attribute -> builder.addAttribute(attribute.getAttrType(), each(attribute)));
    try {
      byte[] der =
          builder
              .build(new JcaContentSignerBuilder("SHA256withECDSA").build(PAIR.getPrivate()))
              .getEncoded();
      return pem(der);
    } catch (IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  static String pem(byte[] der) {
    var text = new java.io.StringWriter();
    try (var writer = new org.bouncycastle.util.io.pem.PemWriter(text)) {
      writer.writeObject(new PemObject("CERTIFICATE REQUEST", der));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return text.toString();
  }

  private static ASN1Encodable[] each(Attribute attribute) {
    return attribute.getAttrValues().toArray();
  }

  static GeneralName dns(String name) {
    return new GeneralName(GeneralName.dNSName, name);
  }

  static GeneralName ip(String address) {
    return new GeneralName(GeneralName.iPAddress, address);
  }

  /** An address of any bytes. */
  static GeneralName ip(int... bytes) {
    byte[] address = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      address[i] = (byte) bytes[i];
    }
    return new GeneralName(
        GeneralName.iPAddress, new org.bouncycastle.asn1.DEROctetString(address));
  }

  /** A node that says of itself that it has these addresses, each TYPE=ADDRESS. */
  static Node node(String name, String... addresses) {
    var builder =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .withUid("uid-" + name)
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .withNewStatus();
    for (String address : addresses) {
      String[] parts = address.split("=", 2);
      builder = builder.addNewAddress(parts[1], parts[0]);
    }
    return builder.endStatus().build();
  }

  private static KeyPair pair() {
    try {
      return KeyPairGenerator.getInstance("EC").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
