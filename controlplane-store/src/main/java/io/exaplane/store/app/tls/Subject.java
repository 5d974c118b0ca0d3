// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Who a certificate says that its owner is. Pure. */
public final class Subject {
  private Subject() {}

  /**
   * The values of an attribute of a certificate's subject.
   *
   * @param attribute as CN or O
   * @return in any order; empty if there is none, or one of them is no text
   */
  public static List<String> values(X509Certificate certificate, String attribute) {
    List<String> values = new ArrayList<>();
    try {
      for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
        Attribute found = rdn.toAttributes().get(attribute);
        if (found == null) {
          continue;
        }
        for (Enumeration<?> each = found.getAll(); each.hasMoreElements(); ) {
          if (!(each.nextElement() instanceof String text)) {
            return List.of();
          }
          values.add(text);
        }
      }
    } catch (NamingException unreadable) {
      return List.of();
    }
    return List.copyOf(values);
  }
}
