// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/**
 * A kubelet's request for a serving certificate, and the rules for approving it: those of the
 * signer kubernetes.io/kubelet-serving (Kubernetes documentation, "Certificate signing requests"),
 * that it names nothing but the asking node's own name and addresses, and that {@link ServingRules}
 * let a node have these. Pure.
 */
public record KubeletServingRequest(
    String username, List<String> groups, List<String> usages, String pem) {

  private static final String NODE_USER = "system:node:";
  private static final String NODES_GROUP = "system:nodes";
  private static final Set<String> ALLOWED_USAGES =
      Set.of("digital signature", "key encipherment", "server auth");
  private static final Pattern ONE_BLOCK =
      Pattern.compile(
          "\\s*-----BEGIN CERTIFICATE REQUEST-----[A-Za-z0-9+/=\\s]*-----END CERTIFICATE REQUEST-----\\s*");

  /** What a request that holds together asks for. */
  record Verdict(Optional<String> objection, Optional<Node> node, List<InetAddress> addresses) {
    private static Verdict refused(String why) {
      return new Verdict(Optional.of(why), Optional.empty(), List.of());
    }
  }

  static KubeletServingRequest read(CertificateSigningRequest request) {
    var spec = request.getSpec();
    return new KubeletServingRequest(
        Objects.requireNonNullElse(spec.getUsername(), ""),
        Objects.requireNonNullElse(spec.getGroups(), List.of()),
        Objects.requireNonNullElse(spec.getUsages(), List.of()),
        text(spec.getRequest()));
  }

  private static String text(String base64) {
    try {
      return base64 == null
          ? ""
          : new String(Base64.getDecoder().decode(base64), StandardCharsets.ISO_8859_1);
    } catch (IllegalArgumentException notBase64) {
      return "";
    }
  }

  /**
   * Whether it may be approved, and for which addresses.
   *
   * @param nodes finds a node by its name
   * @param recorded whether a node had a certificate for an address before
   */
  Verdict judge(
      Function<String, Optional<Node>> nodes,
      ServingRules rules,
      BiPredicate<Node, InetAddress> recorded) {
    RequestedNames asked;
    try {
      asked = asked();
    } catch (RequestedNames.Refused refused) {
      return Verdict.refused(refused.getMessage());
    }
    String name = username.substring(NODE_USER.length());
    Optional<Node> node =
        nodes.apply(name).filter(found -> name.equals(found.getMetadata().getName()));
    if (node.isEmpty()) {
      return Verdict.refused("the node does not exist");
    }
    Optional<String> objection =
        Stream.of(
                asked.names().stream().map(each -> objection(each, name, rules)),
                asked.addresses().stream()
                    .map(each -> objection(each, node.get(), rules, recorded)))
            .flatMap(each -> each)
            .flatMap(Optional::stream)
            .findFirst();
    return new Verdict(objection, node, asked.addresses());
  }

  /** What a request asks for that is a kubelet's and asks for nothing else. */
  private RequestedNames asked() {
    if (!username.startsWith(NODE_USER)
        || username.length() == NODE_USER.length()
        || !groups.contains(NODES_GROUP)) {
      throw new RequestedNames.Refused("the requester is not a node");
    }
    if (!usages.contains("server auth") || !ALLOWED_USAGES.containsAll(usages)) {
      throw new RequestedNames.Refused("the usages are not exactly those of a server");
    }
    try {
      PKCS10CertificationRequest request = parse();
      if (!isOwnSubject(request.getSubject().getRDNs())) {
        throw new RequestedNames.Refused("the subject is not the requesting node's");
      }
      return RequestedNames.read(request);
    } catch (RequestedNames.Refused refused) {
      throw refused;
    } catch (IOException | PKCSException | OperatorCreationException | RuntimeException broken) {
      // The parser throws all kinds of these when the parts are not what they should be.
      throw new RequestedNames.Refused("it can't be read as a certificate request");
    }
  }

  private PKCS10CertificationRequest parse()
      throws IOException, PKCSException, OperatorCreationException {
    if (!ONE_BLOCK.matcher(pem).matches()) {
      throw new RequestedNames.Refused("it is not one PEM certificate request");
    }
    byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    var request = new PKCS10CertificationRequest(der);
    // What has two readings is read in one way here and in another by the signer.
    if (!Arrays.equals(request.toASN1Structure().getEncoded(ASN1Encoding.DER), der)) {
      throw new RequestedNames.Refused("it is not in DER's one form");
    }
    var key = new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo());
    if (!request.isSignatureValid(key)) {
      throw new RequestedNames.Refused("it is not signed with the key that it shows");
    }
    return request;
  }

  /** One O and one CN, each alone in its RDN and of a kind of text that reads one way only. */
  private boolean isOwnSubject(RDN[] rdns) {
    return rdns.length == 2
        && Stream.of(rdns).anyMatch(rdn -> isOne(rdn, BCStyle.O, NODES_GROUP))
        && Stream.of(rdns).anyMatch(rdn -> isOne(rdn, BCStyle.CN, username));
  }

  private static boolean isOne(RDN rdn, ASN1ObjectIdentifier kind, String value) {
    var first = rdn.getFirst();
    return !rdn.isMultiValued()
        && first.getType().equals(kind)
        && (first.getValue() instanceof DERUTF8String
            || first.getValue() instanceof DERPrintableString)
        && first.getValue().toString().equals(value);
  }

  private static Optional<String> objection(String name, String node, ServingRules rules) {
    return name.equals(node)
        ? rules.objectionToName(name)
        : Optional.of("the name '%s' is not the node's own".formatted(name));
  }

  private static Optional<String> objection(
      InetAddress address, Node node, ServingRules rules, BiPredicate<Node, InetAddress> recorded) {
    return addresses(node).contains(address)
        ? rules.objectionToAddress(address, node, each -> recorded.test(node, each))
        : Optional.of(
            "the node's addresses don't include [%s]".formatted(address.getHostAddress()));
  }

  /** The addresses that a node says it has. */
  static Set<InetAddress> addresses(Node node) {
    return node.getStatus() == null || node.getStatus().getAddresses() == null
        ? Set.of()
        : node.getStatus().getAddresses().stream()
            .map(NodeAddress::getAddress)
            .filter(Objects::nonNull)
            .flatMap(text -> IpAddresses.parse(text).stream())
            .collect(Collectors.toSet());
  }
}
