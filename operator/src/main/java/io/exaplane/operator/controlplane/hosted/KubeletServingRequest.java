// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import io.exaplane.operator.pki.IpAddresses;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import java.io.IOException;
import java.io.StringReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/**
 * A kubelet's request for a serving certificate, and the rules for approving it: those of the
 * signer kubernetes.io/kubelet-serving (Kubernetes documentation, "Certificate signing requests"),
 * and that every name and address belongs to the asking node. Pure.
 */
record KubeletServingRequest(
    String username,
    List<String> groups,
    List<String> usages,
    Optional<PKCS10CertificationRequest> request) {

  private static final String NODE_USER = "system:node:";
  private static final String NODES_GROUP = "system:nodes";
  private static final Set<String> ALLOWED_USAGES =
      Set.of("digital signature", "key encipherment", "server auth");

  static KubeletServingRequest read(CertificateSigningRequest request) {
    var spec = request.getSpec();
    return new KubeletServingRequest(
        spec.getUsername(), spec.getGroups(), spec.getUsages(), parse(spec.getRequest()));
  }

  private static Optional<PKCS10CertificationRequest> parse(String base64) {
    String pem = new String(Base64.getDecoder().decode(base64), StandardCharsets.US_ASCII);
    try (PEMParser parser = new PEMParser(new StringReader(pem))) {
      return parser.readObject() instanceof PKCS10CertificationRequest parsed
          ? Optional.of(parsed)
          : Optional.empty();
    } catch (IOException broken) {
      return Optional.empty();
    }
  }

  /**
   * Why the request is not approved; empty when it is.
   *
   * @param nodes finds a node by its name
   * @param reserved names and addresses of the API, which no node may serve
   */
  Optional<String> objection(Function<String, Optional<Node>> nodes, Set<String> reserved) {
    if (!username.startsWith(NODE_USER) || !groups.contains(NODES_GROUP)) {
      return Optional.of("the asker is not a node");
    }
    if (request.isEmpty()) {
      return Optional.of("it holds no PEM certificate request");
    }
    X500Name subject = request.get().getSubject();
    if (!values(subject.getRDNs(BCStyle.CN)).equals(List.of(username))
        || !values(subject.getRDNs(BCStyle.O)).equals(List.of(NODES_GROUP))) {
      return Optional.of("its subject is not the asking node's");
    }
    if (!usages.contains("server auth") || !ALLOWED_USAGES.containsAll(usages)) {
      return Optional.of("its usages are not those of a server alone");
    }
    return names(nodes.apply(username.substring(NODE_USER.length())), reserved);
  }

  private Optional<String> names(Optional<Node> node, Set<String> reserved) {
    if (node.isEmpty()) {
      return Optional.of("there is no such node");
    }
    Extension extension =
        request.get().getRequestedExtensions() == null
            ? null
            : request.get().getRequestedExtensions().getExtension(Extension.subjectAlternativeName);
    if (extension == null) {
      return Optional.of("it names no address");
    }
    Set<String> own =
        node.get().getStatus().getAddresses().stream()
            .map(NodeAddress::getAddress)
            .map(KubeletServingRequest::canonical)
            .collect(Collectors.toSet());
    // A node writes its addresses itself, so those of the API must not count as its own.
    reserved.stream().map(KubeletServingRequest::canonical).forEach(own::remove);
    List<String> foreign = new ArrayList<>();
    for (GeneralName name : GeneralNames.getInstance(extension.getParsedValue()).getNames()) {
      String text = text(name);
      if (!own.contains(text)) {
        foreign.add(text);
      }
    }
    return foreign.isEmpty()
        ? Optional.empty()
        : Optional.of("the node's addresses don't include " + foreign);
  }

  private static String text(GeneralName name) {
    return switch (name.getTagNo()) {
      case GeneralName.dNSName -> name.getName().toString();
      case GeneralName.iPAddress -> {
        try {
          byte[] address =
              org.bouncycastle.asn1.ASN1OctetString.getInstance(name.getName()).getOctets();
          yield InetAddress.getByAddress(address).getHostAddress();
        } catch (UnknownHostException wrongLength) {
          yield "an address of a wrong length";
        }
      }
      default -> "a name of kind " + name.getTagNo();
    };
  }

  private static String canonical(String address) {
    return IpAddresses.parse(address).map(InetAddress::getHostAddress).orElse(address);
  }

  private static List<String> values(RDN[] rdns) {
    List<String> values = new ArrayList<>();
    for (RDN rdn : rdns) {
      values.add(rdn.getFirst().getValue().toString());
    }
    return values;
  }
}
