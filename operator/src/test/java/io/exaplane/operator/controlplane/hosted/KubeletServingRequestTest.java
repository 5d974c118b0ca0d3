// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;

class KubeletServingRequestTest {
  private static final List<String> USAGES = List.of("digital signature", "server auth");
  private static final List<String> GROUPS = List.of("system:nodes", "system:authenticated");
  private final Node node =
      new NodeBuilder()
          .withNewMetadata()
          .withName("w1")
          .endMetadata()
          .withNewStatus()
          .addNewAddress("fd00:10:1::11", "InternalIP")
          .addNewAddress("w1", "Hostname")
          .endStatus()
          .build();

  @Test
  void aNodesOwnRequestIsApproved() throws Exception {
    assertThat(objection("system:node:w1", GROUPS, USAGES, own())).isEmpty();
  }

  @Test
  void whoIsNotANodeIsNot() throws Exception {
    assertThat(objection("mallory", GROUPS, USAGES, own())).contains("the asker is not a node");
    assertThat(objection("system:node:w1", List.of(), USAGES, own()))
        .contains("the asker is not a node");
  }

  @Test
  void aSubjectOfAnotherNodeIsRefused() throws Exception {
    assertThat(objection("system:node:w2", GROUPS, USAGES, own()))
        .contains("its subject is not the asking node's");
    assertThat(
            objection(
                "system:node:w1",
                GROUPS,
                USAGES,
                request("O=system:masters,CN=system:node:w1", name("w1"))))
        .contains("its subject is not the asking node's");
  }

  @Test
  void aClientsUsageIsRefused() throws Exception {
    assertThat(objection("system:node:w1", GROUPS, List.of("server auth", "client auth"), own()))
        .contains("its usages are not those of a server alone");
  }

  @Test
  void addressesAndNamesOfOthersAreRefused() throws Exception {
    assertThat(
            objection(
                "system:node:w1",
                GROUPS,
                USAGES,
                request(
                    "O=system:nodes,CN=system:node:w1",
                    address("fd00:10:1::11"),
                    address("fd00:10:1::12"))))
        .hasValueSatisfying(why -> assertThat(why).contains("fd00:10:1:0:0:0:0:12"));
    assertThat(
            objection(
                "system:node:w1",
                GROUPS,
                USAGES,
                request("O=system:nodes,CN=system:node:w1", name("kubernetes.default.svc"))))
        .hasValueSatisfying(why -> assertThat(why).contains("kubernetes.default.svc"));
    assertThat(
            objection(
                "system:node:w1", GROUPS, USAGES, request("O=system:nodes,CN=system:node:w1")))
        .contains("it names no address");
  }

  @Test
  void anAddressOfTheApiIsRefusedEvenWhenTheNodeClaimsIt() throws Exception {
    node.getStatus()
        .getAddresses()
        .add(new io.fabric8.kubernetes.api.model.NodeAddress("fd00:10:96::1", "InternalIP"));
    assertThat(
            objection(
                "system:node:w1",
                GROUPS,
                USAGES,
                request("O=system:nodes,CN=system:node:w1", address("fd00:10:96::1"))))
        .hasValueSatisfying(why -> assertThat(why).contains("fd00:10:96:0:0:0:0:1"));
  }

  @Test
  void aNodeThatIsNotThereIsRefused() throws Exception {
    assertThat(
            new KubeletServingRequest("system:node:w1", GROUPS, USAGES, Optional.of(own()))
                .objection(name -> Optional.empty(), Set.of()))
        .contains("there is no such node");
  }

  private Optional<String> objection(
      String user, List<String> groups, List<String> usages, PKCS10CertificationRequest request) {
    return new KubeletServingRequest(user, groups, usages, Optional.of(request))
        .objection(name -> Optional.of(node), Set.of("fd00:10:96::1", "localhost"));
  }

  private static PKCS10CertificationRequest own()
      throws GeneralSecurityException, IOException, OperatorCreationException {
    return request("O=system:nodes,CN=system:node:w1", name("w1"), address("fd00:10:1::11"));
  }

  private static GeneralName name(String name) {
    return new GeneralName(GeneralName.dNSName, name);
  }

  private static GeneralName address(String address) {
    return new GeneralName(GeneralName.iPAddress, address);
  }

  private static PKCS10CertificationRequest request(String subject, GeneralName... names)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
    var builder = new JcaPKCS10CertificationRequestBuilder(new X500Name(subject), pair.getPublic());
    if (names.length > 0) {
      ExtensionsGenerator extensions = new ExtensionsGenerator();
      extensions.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      builder.addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate());
    }
    return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate()));
  }
}
