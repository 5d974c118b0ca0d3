// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names under which pipelines keep the fields of an event. Tables and labels have no objects in
 * objects, so that names are joined by a point, an underscore or a slash; indexes put the name of
 * the integration in front; databases and Azure change the case. One thread.
 */
final class AuditNames {
  /** The client's address, and those of proxies behind it, where each has a field. */
  static final String SOURCE = "sourceIPs.0";

  static final String PROXY = "sourceIPs.n";

  private static final int MOST_KEPT = 1 << 12;

  /** More letters than the name of any field of an event has, whatever is in front of it. */
  private static final int LONGEST = 200;

  private static final List<String> SCALARS =
      List.of(
          "stage",
          "auditID",
          "verb",
          "requestURI",
          "userAgent",
          "requestReceivedTimestamp",
          "stageTimestamp",
          "apiVersion",
          "kind");

  private static final List<String> STRUCTURES =
      List.of("user", "sourceIPs", "objectRef", "responseStatus");

  private static final List<String> OF_STRUCTURES =
      List.of(
          "user.username",
          "responseStatus.code",
          "objectRef.apiGroup",
          "objectRef.resource",
          "objectRef.subresource",
          "objectRef.namespace",
          "objectRef.name");

  /** By their names in lower case. */
  private static final Map<String, String> PLAIN = new HashMap<>();

  private static final Set<String> ALL_SCALARS = new HashSet<>(SCALARS);

  static {
    SCALARS.forEach(name -> PLAIN.put(name.toLowerCase(Locale.ROOT), name));
    STRUCTURES.forEach(name -> PLAIN.put(name.toLowerCase(Locale.ROOT), name));
    OF_STRUCTURES.forEach(name -> PLAIN.put(name.toLowerCase(Locale.ROOT), name));
    PLAIN.put("requestreceivedtime", "requestReceivedTimestamp");
    PLAIN.put("stagereceivedtime", "stageTimestamp");
    ALL_SCALARS.addAll(OF_STRUCTURES);
    ALL_SCALARS.add(SOURCE);
  }

  /** What is in front, a structure, what joins, and its field. */
  private static final Pattern JOINED =
      Pattern.compile(
          "(?i)(?:[\\w@-]+[./])*?(?:(user|objectRef|responseStatus|sourceIPs)[._/\\[{]+(\\w*)[\\]}]*|(\\w+))(?: \\[UTC\\])?(?:\\.keyword)?");

  /** Fields of what was sent or answered have the same names as those of events. */
  private static final Pattern OF_OBJECTS =
      Pattern.compile(
          "(?i).*(?:requestObject|responseObject|annotations|impersonatedUser|extra)[._/].*");

  private final Map<String, String> kept = new HashMap<>();

  /** The name that the API gives the field; the same if it is none of an event's. */
  String plain(String field) {
    if (field.length() > LONGEST) {
      return field;
    }
    String known = kept.get(field);
    if (known != null) {
      return known;
    }
    String plain = found(field);
    if (kept.size() < MOST_KEPT) {
      kept.put(field, plain);
    }
    return plain;
  }

  /** Whether the API has a text or a number under the name. */
  static boolean isScalar(String plain) {
    return ALL_SCALARS.contains(plain);
  }

  private static String found(String field) {
    Matcher joined = JOINED.matcher(field);
    if (OF_OBJECTS.matcher(field).matches() || !joined.matches()) {
      return field;
    }
    if (joined.group(1) == null) {
      return PLAIN.getOrDefault(joined.group(3).toLowerCase(Locale.ROOT), field);
    }
    String structure = joined.group(1).toLowerCase(Locale.ROOT);
    if (structure.equals("sourceips")) {
      return joined.group(2).matches("0?") ? SOURCE : PROXY;
    }
    String name = structure + "." + joined.group(2).toLowerCase(Locale.ROOT);
    return PLAIN.getOrDefault(name, field);
  }
}
