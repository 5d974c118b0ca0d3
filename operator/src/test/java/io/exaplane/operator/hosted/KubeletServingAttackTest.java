// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static io.exaplane.operator.hosted.ServingRequests.dns;
import static io.exaplane.operator.hosted.ServingRequests.extension;
import static io.exaplane.operator.hosted.ServingRequests.ip;
import static io.exaplane.operator.hosted.ServingRequests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Boolean;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.DERSequence;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What somebody who holds a node's client certificate may try, and does not get: a node says itself
 * which addresses it has, so its status holds whatever the attack needs.
 */
class KubeletServingAttackTest {
  private static final String OWN = "fd00:10:1::11";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String EXTENDED_KEY_USAGE = "2.5.29.37";

  private static final ServingRules RULES =
      ServingRules.of(
          Fixtures.controlPlane(
              """
              {version: 1.36.3, maxNodes: 10, network: {ipFamilies: [IPv6, IPv4],
               serviceCIDRs: ['fd00:10:96::/112', 10.96.0.0/16], podCIDRs: ['fd00:20::/48', 10.97.0.0/16]}}
              """),
          Set.of(
              "fd00:10:96::1",
              "localhost",
              "kubernetes",
              "kubernetes.default.svc",
              "kubernetes.default.svc.cluster.local"),
          List.of());

  /** All that an attacker's kubelet could write into the status of its own node. */
  private static final Node LIAR =
      node(
          "w1",
          "InternalIP=" + OWN,
          "InternalIP=192.0.2.11",
          "Hostname=w1",
          "InternalIP=fd00:10:96::1",
          "InternalIP=fd00:10:96::5",
          "InternalIP=fd00:20::1",
          "InternalIP=10.96.0.9",
          "InternalIP=::1",
          "InternalIP=127.0.0.1",
          "InternalIP=::",
          "InternalIP=0.0.0.0",
          "InternalIP=ff02::1",
          "InternalIP=fe80::1",
          "InternalIP=169.254.169.254",
          "InternalIP=::ffff:192.0.2.11",
          "InternalIP=fd00:99::1",
          "Hostname=*",
          "Hostname=*.w1",
          "Hostname=W1",
          "Hostname=w1.",
          "Hostname=w2",
          "Hostname=w11",
          "Hostname=w",
          "Hostname=",
          "Hostname= w1",
          "Hostname=w1\u0000.example.com",
          "Hostname=localhost",
          "Hostname=LOCALHOST",
          "Hostname=kubernetes",
          "Hostname=kubernetes.default.svc",
          "Hostname=KUBERNETES.default.svc",
          "Hostname=kubernetes.default.svc.cluster.local",
          "Hostname=webhook.prod.svc",
          "Hostname=webhook.prod.svc.cluster.local",
          "Hostname=webhook.prod.SVC",
          "InternalDNS=api.example.com",
          "ExternalDNS=bank.example.com",
          "Hostname=an address of a wrong length",
          "Hostname=a name of kind 1",
          "Hostname=a name of kind 6");

  static Stream<Arguments> attacks() {
    return Stream.of(
            names(), addresses(), otherKinds(), subjects(), extensions(), usages(), forms())
        .flatMap(each -> each);
  }

  private static Stream<Arguments> names() {
    return Stream.of(
            "*",
            "*.w1",
            "W1",
            "w1.",
            "w2",
            "w11",
            "w",
            "",
            " w1",
            "w1\u0000.example.com",
            "localhost",
            "LOCALHOST",
            "kubernetes",
            "kubernetes.default.svc",
            "KUBERNETES.default.svc",
            "kubernetes.default.svc.cluster.local",
            "webhook.prod.svc",
            "webhook.prod.svc.cluster.local",
            "webhook.prod.SVC",
            "api.example.com",
            "bank.example.com")
        .flatMap(
            name ->
                Stream.of(
                    attack("the name '" + name + "'", ServingRequests.of(dns(name))),
                    attack(
                        "the name '" + name + "' behind its own",
                        ServingRequests.of(dns("w1"), ip(OWN), dns(name)))));
  }

  private static Stream<Arguments> addresses() {
    return Stream.of(
        "fd00:10:96::1",
        "fd00:10:96::5",
        "fd00:20::1",
        "10.96.0.9",
        "::1",
        "127.0.0.1",
        "::",
        "0.0.0.0",
        "ff02::1",
        "fe80::1",
        "169.254.169.254",
        "fd00:10:1::12")
        .map(
            address -> attack("the address " + address, ServingRequests.of(dns("w1"), ip(address))))
        .toList()
        .stream();
  }

  private static Stream<Arguments> otherKinds() {
    int[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 192, 0, 2, 11};
    return Stream.of(
        attack("an IPv4-mapped address", ServingRequests.of(dns("w1"), ip(mapped))),
        attack("an address of three bytes", ServingRequests.of(dns("w1"), ip(192, 0, 2))),
        attack("an address with a mask", ServingRequests.of(ip(192, 0, 2, 11, 255, 255, 255, 0))),
        attack(
            "an e-mail address",
            ServingRequests.of(dns("w1"), new GeneralName(GeneralName.rfc822Name, "a@b.c"))),
        attack(
            "a URI",
            ServingRequests.of(
                dns("w1"),
                new GeneralName(GeneralName.uniformResourceIdentifier, "spiffe://w1/a"))),
        attack(
            "a directory name",
            ServingRequests.of(dns("w1"), new GeneralName(GeneralName.directoryName, "CN=w1"))),
        attack(
            "another name",
            ServingRequests.of(dns("w1"), new GeneralName(GeneralName.registeredID, "1.2.3.4"))),
        attack("no name", ServingRequests.of()),
        attack("an empty list of names", ServingRequests.of().with(extension(new GeneralName[0]))));
  }

  private static Stream<Arguments> subjects() {
    return Stream.of(
            "CN=system:node:w1+O=system:masters,O=system:nodes",
            "O=system:nodes+O=system:masters,CN=system:node:w1",
            "CN=system:node:w1+CN=kube-apiserver,O=system:nodes",
            "O=system:nodes+OU=x,CN=system:node:w1",
            "O=system:nodes,O=system:masters,CN=system:node:w1",
            "O=system:nodes,CN=system:node:w1,CN=system:node:w1",
            "O=system:nodes,O=system:nodes,CN=system:node:w1",
            "O=system:nodes,OU=system:masters,CN=system:node:w1",
            "O=system:nodes,CN=system:node:w1,E=a@b.c",
            "O=system:nodes,CN=system:node:w1,DC=w1",
            "O=system:nodes,CN=system:node:W1",
            "O=system:nodes,CN=system:node:w2",
            "O=system:nodes,CN=system:node:w11",
            "O=System:Nodes,CN=system:node:w1",
            "CN=system:node:w1",
            "O=system:nodes")
        .map(
            subject ->
                attack("the subject " + subject, ServingRequests.of(dns("w1")).subject(subject)));
  }

  private static Stream<Arguments> extensions() {
    Extension names = extension(dns("w1"), ip(OWN));
    return Stream.of(
        with("a CA", names, extension(BASIC_CONSTRAINTS, true, new BasicConstraints(true))),
        with(
            "a key usage of CAs",
            names,
            extension(
                KEY_USAGE, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyCertSign))),
        with(
            "a client's usage",
            names,
            extension(
                EXTENDED_KEY_USAGE,
                false,
                new ExtendedKeyUsage(
                    new KeyPurposeId[] {
                      KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
                    }))),
        with(
            "any usage",
            names,
            extension(
                EXTENDED_KEY_USAGE, false, new ExtendedKeyUsage(KeyPurposeId.anyExtendedKeyUsage))),
        with(
            "an unknown critical extension",
            names,
            extension("1.3.6.1.4.1.99.1", true, ASN1Boolean.TRUE)),
        with("an unknown extension", names, extension("1.3.6.1.4.1.99.1", false, ASN1Boolean.TRUE)),
        with("names twice", names, extension(dns("kubernetes.default.svc"))),
        with("the same names twice", names, names),
        attack(
            "names in a second attribute",
            ServingRequests.of(dns("w1")).with(extension(dns("kubernetes.default.svc")))),
        attack(
            "names in a second value",
            ServingRequests.of()
                .attribute(
                    new DERSequence(names),
                    new DERSequence(extension(dns("kubernetes.default.svc"))))));
  }

  private static Stream<Arguments> usages() {
    ServingRequests good = ServingRequests.of(dns("w1"));
    return Stream.of(
        Arguments.of(
            "a client's usage in spec", again(good).usages("server auth", "client auth").build()),
        Arguments.of("no server's usage", again(good).usages("digital signature").build()),
        Arguments.of(
            "signing certificates", again(good).usages("server auth", "cert sign").build()),
        Arguments.of("any", again(good).usages("server auth", "any").build()),
        Arguments.of("no usage", again(good).usages().build()),
        Arguments.of("no node's name", again(good).asker("system:node:").build()),
        Arguments.of("another asker", again(good).asker("system:node:w2").build()),
        Arguments.of("a longer asker", again(good).asker("system:node:w11").build()),
        Arguments.of("a shorter asker", again(good).asker("system:node:w").build()),
        Arguments.of(
            "a service account",
            again(good).asker("system:serviceaccount:system:node:w1").build()));
  }

  private static Stream<Arguments> forms() {
    ServingRequests good = ServingRequests.of(dns("w1"));
    String other = ServingRequests.of(dns("kubernetes.default.svc")).pem();
    String pem = good.pem();
    var bmp = new X500NameBuilder();
    bmp.addRDN(BCStyle.O, new DERUTF8String("system:nodes"));
    bmp.addRDN(BCStyle.CN, new DERBMPString("system:node:w1"));
    return Stream.of(
        attack("a second request behind it", again(good).followedBy(other)),
        attack("a request behind text", again(good).followedBy("x")),
        Arguments.of("nothing", good.csr("")),
        Arguments.of("no PEM", good.csr("hello")),
        Arguments.of("a cut one", good.csr(pem.substring(0, pem.length() / 2))),
        Arguments.of("a certificate's PEM", good.csr(pem.replace(" REQUEST", ""))),
        attack("a name in 16 bits a character", again(good).subject(bmp.build())),
        attack(
            "extensions that are none",
            ServingRequests.of().attribute(new DEROctetString(new byte[] {1, 2, 3}))),
        attack(
            "names that are none",
            ServingRequests.of().with(extension("2.5.29.17", false, ASN1Boolean.TRUE))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void isRefused(String attack, CertificateSigningRequest request) {
    assertThat(objection(request, LIAR)).as(attack).isPresent();
  }

  /** Whoever holds the name of a Service, of the API or of an address as the name of a node. */
  @ParameterizedTest
  @org.junit.jupiter.params.provider.ValueSource(
      strings = {
        "kubernetes",
        "kubernetes.default.svc",
        "localhost",
        "web.prod.svc",
        "web.prod.svc.cluster.local",
        "cluster.local",
        "svc",
        "10.0.0.1",
        "0x7f.1",
        "1"
      })
  void aNodeOfSuchANameIsRefused(String name) {
    CertificateSigningRequest request =
        ServingRequests.of(dns(name))
            .asker("system:node:" + name)
            .subject("O=system:nodes,CN=system:node:" + name)
            .build();
    assertThat(objection(request, node(name, "Hostname=" + name, "InternalIP=" + OWN))).isPresent();
  }

  /**
   * No request, however broken, ends the thread of the informer; what passes asks for the same. A
   * signature has more than one form.
   */
  @Test
  void everyFlippedBitIsJudged() throws java.io.IOException {
    byte[] der =
        java.util.Base64.getMimeDecoder()
            .decode(body(ServingRequests.of(dns("w1"), ip(OWN)).pem()));
    byte[] asked = asked(der);
    Random random = new Random(28);
    int passed = 0;
    for (int i = 0; i < der.length; i++) {
      byte[] flipped = der.clone();
      flipped[i] ^= (byte) (1 << random.nextInt(8));
      var request = ServingRequests.of().csr(ServingRequests.pem(flipped));
      if (objection(request, LIAR).isEmpty()) {
        assertThat(asked(flipped)).as("byte %d", i).isEqualTo(asked);
        passed++;
      }
    }
    assertThat(passed).isLessThan(10);
  }

  private static byte[] asked(byte[] der) throws java.io.IOException {
    return new org.bouncycastle.pkcs.PKCS10CertificationRequest(der)
        .toASN1Structure()
        .getCertificationRequestInfo()
        .getEncoded();
  }

  private static String body(String pem) {
    return pem.replaceAll("-----.*-----", "");
  }

  private static Arguments with(String what, Extension... extensions) {
    return attack(what, ServingRequests.of().with(extensions));
  }

  private static Arguments attack(String what, ServingRequests request) {
    return Arguments.of(what, request.build());
  }

  private static ServingRequests again(ServingRequests like) {
    return ServingRequests.of(dns("w1")).asker(like.user);
  }

  private static Optional<String> objection(CertificateSigningRequest request, Node node) {
    return KubeletServingRequest.read(request)
        .judge(
            name -> Optional.of(node).filter(found -> found.getMetadata().getName().equals(name)),
            RULES,
            (_, _) -> false)
        .objection();
  }
}
