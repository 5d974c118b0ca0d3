// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.pkcs.Attribute;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;

/**
 * The names and addresses that a certificate request asks for, when it asks for nothing else.
 *
 * @param names DNS names as they are written
 * @param addresses each of the family that its length says
 */
public record RequestedNames(List<String> names, List<InetAddress> addresses) {

  /** More than any host has; each address that is approved is written down. */
  private static final int MAX_NAMES = 16;

  private static final int SERVER_KEY_USAGES = KeyUsage.digitalSignature | KeyUsage.keyEncipherment;

  /**
   * Reads a request.
   *
   * @throws Refused if it asks for what is no server's
   * @throws RuntimeException if its parts are not what they should be
   */
  static RequestedNames read(PKCS10CertificationRequest request) {
    Attribute[] attributes = request.getAttributes();
    if (attributes.length != 1
        || !attributes[0].getAttrType().equals(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)
        || attributes[0].getAttrValues().size() != 1) {
      throw new Refused(
          "the request names no address, or has attributes beside one list of extensions");
    }
    var sequence =
        org.bouncycastle.asn1.ASN1Sequence.getInstance(
            attributes[0].getAttrValues().getObjectAt(0));
    Set<String> seen = new HashSet<>();
    GeneralName[] all = {};
    for (var element : sequence) {
      Extension extension = Extension.getInstance(element);
      if (!seen.add(extension.getExtnId().getId())) {
        throw new Refused("it has the extension " + extension.getExtnId() + " twice");
      }
      if (extension.getExtnId().equals(Extension.subjectAlternativeName)) {
        all = GeneralNames.getInstance(extension.getParsedValue()).getNames();
      } else if (!isServers(extension)) {
        throw new Refused("its extension " + extension.getExtnId() + " is no server's");
      }
    }
    if (all.length == 0 || all.length > MAX_NAMES) {
      throw new Refused("it names %d addresses; 1 to %d may be".formatted(all.length, MAX_NAMES));
    }
    return of(all);
  }

  /** Whether an extension says of itself what the signer sets anyway. */
  private static boolean isServers(Extension extension) {
    var alone = new Extensions(extension);
    if (extension.getExtnId().equals(Extension.basicConstraints)) {
      return !BasicConstraints.fromExtensions(alone).isCA();
    }
    if (extension.getExtnId().equals(Extension.keyUsage)) {
      byte[] bits = KeyUsage.fromExtensions(alone).getBytes();
      int asked = bits[0] & 0xff | (bits.length > 1 ? (bits[1] & 0xff) << 8 : 0);
      return (asked & ~SERVER_KEY_USAGES) == 0;
    }
    return extension.getExtnId().equals(Extension.extendedKeyUsage)
        && List.of(KeyPurposeId.id_kp_serverAuth)
            .equals(List.of(ExtendedKeyUsage.fromExtensions(alone).getUsages()));
  }

  private static RequestedNames of(GeneralName[] all) {
    List<String> names = new ArrayList<>();
    List<InetAddress> addresses = new ArrayList<>();
    for (GeneralName name : all) {
      switch (name.getTagNo()) {
        case GeneralName.dNSName -> names.add(name.getName().toString());
        case GeneralName.iPAddress -> addresses.add(address(name));
        default -> throw new Refused("it has a name of kind " + name.getTagNo());
      }
    }
    return new RequestedNames(List.copyOf(names), List.copyOf(addresses));
  }

  private static InetAddress address(GeneralName name) {
    byte[] bytes = ASN1OctetString.getInstance(name.getName()).getOctets();
    try {
      InetAddress address = InetAddress.getByAddress(bytes);
      // Java takes an IPv4 address in IPv6's form for the address itself; others don't.
      if (bytes.length == 16 && address instanceof Inet4Address) {
        throw new Refused("it has an IPv4 address in the form of an IPv6 address");
      }
      return address;
    } catch (UnknownHostException wrongLength) {
      throw new Refused("it has an address of %d bytes".formatted(bytes.length));
    }
  }

  /** What a request asks for is not for a kubelet's server. */
  static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
      super(why);
    }
  }
}
