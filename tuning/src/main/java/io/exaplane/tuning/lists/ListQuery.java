// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * What a LIST or WATCH asks for: the parameters of its address that decide how it is served.
 *
 * @param resourceVersion empty, 0, or a revision
 * @param match resourceVersionMatch: empty, NotOlderThan or Exact
 * @param limit 0 if there is none
 * @param continued whether it goes on behind another page
 * @param initialEvents whether a watch begins with all objects because it asked so
 */
public record ListQuery(
    String resourceVersion,
    String match,
    long limit,
    boolean continued,
    String labelSelector,
    String fieldSelector,
    boolean initialEvents) {
  private static final String NODE_NAME = "spec.nodeName=";
  private static final String NAME = "metadata.name=";

  /** Of an address as the audit log has it. */
  public static ListQuery of(String uri) {
    Map<String, String> parameters = parameters(uri);
    return new ListQuery(
        parameters.getOrDefault("resourceVersion", ""),
        parameters.getOrDefault("resourceVersionMatch", ""),
        number(parameters.getOrDefault("limit", "")),
        !parameters.getOrDefault("continue", "").isEmpty(),
        parameters.getOrDefault("labelSelector", ""),
        parameters.getOrDefault("fieldSelector", ""),
        parameters.getOrDefault("sendInitialEvents", "").equals("true"));
  }

  private static Map<String, String> parameters(String uri) {
    Map<String, String> parameters = new HashMap<>();
    int begin = uri.indexOf('?');
    if (begin < 0) {
      return parameters;
    }
    for (String parameter : uri.substring(begin + 1).split("&")) {
      int equals = parameter.indexOf('=');
      if (equals > 0) {
        parameters.put(parameter.substring(0, equals), decoded(parameter.substring(equals + 1)));
      }
    }
    return parameters;
  }

  /** As it stands if it is not encoded as it should be: the server refused it. */
  private static String decoded(String value) {
    try {
      return URLDecoder.decode(value, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return value;
    }
  }

  private static long number(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  boolean unset() {
    return resourceVersion.isEmpty();
  }

  boolean zero() {
    return resourceVersion.equals("0");
  }

  boolean selects() {
    return !labelSelector.isEmpty() || !fieldSelector.isEmpty();
  }

  /** One node's pods, for which kube-apiserver has an index. */
  boolean selectsNode() {
    return fieldSelector.contains(NODE_NAME);
  }

  boolean selectsName() {
    return fieldSelector.contains(NAME);
  }

  /** The same for requests that ask for the same objects, whatever their versions and pages. */
  String selection() {
    return labelSelector + "|" + fieldSelector;
  }
}
