// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A request to a GKE cluster as Cloud Logging keeps it: a LogEntry whose protoPayload is an
 * AuditLog of the service k8s.io. It has no address, so that nobody knows which resourceVersion or
 * limit was asked for.
 */
final class GoogleEntry {
  private static final String METHOD = "io.k8s.";

  /** google.rpc.Code to HTTP; what is not here failed in the server. */
  private static final Map<Integer, Integer> CODES =
      Map.of(0, 200, 1, 499, 3, 400, 5, 404, 6, 409, 7, 403, 8, 429, 10, 409, 16, 401);

  private static final int SERVER_ERROR = 500;
  private static final int FIRST_HTTP = 100;

  private String service = "";
  private String method = "";
  private String resourceName = "";
  private String user = "";
  private String sourceIp = "";
  private String userAgent = "";
  private int code;
  private boolean first = true;
  private boolean last = true;
  private boolean parts;

  void payload(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "serviceName" -> service = parser.getText();
        case "methodName" -> method = parser.getText();
        case "resourceName" -> resourceName = parser.getText();
        case "status" ->
            AuditFields.each(
                parser, name -> code = name.equals("code") ? parser.getValueAsInt() : code);
        case "authenticationInfo" ->
            AuditFields.each(
                parser, name -> user = name.equals("principalEmail") ? parser.getText() : user);
        case "requestMetadata" ->
            AuditFields.each(
                parser,
                name -> {
                  switch (name) {
                    case "callerIp" -> sourceIp = parser.getText();
                    case "callerSuppliedUserAgent" -> userAgent = parser.getText();
                    default -> {}
                  }
                });
        default -> parser.skipChildren();
      }
    }
  }

  /** A long request has an entry for its beginning and one for its end; a short one has both. */
  void operation(String part, boolean is) {
    if (!parts) {
      parts = true;
      first = false;
      last = false;
    }
    if (part.equals("first")) {
      first = is;
    } else {
      last = is;
    }
  }

  boolean isKubernetes() {
    return service.equals("k8s.io") || method.startsWith(METHOD);
  }

  boolean begins() {
    return first;
  }

  boolean ends() {
    return last;
  }

  String verb() {
    return method.substring(method.lastIndexOf('.') + 1);
  }

  AuditEvent event(long micros, boolean watchesBegin) {
    boolean watch = verb().equals("watch");
    if (watch ? !(first || !watchesBegin) : !last) {
      return null;
    }
    List<String> parts = Arrays.asList(resourceName.split("/"));
    String group = parts.getFirst().equals("core") ? "" : parts.getFirst();
    boolean known = parts.size() > 2;
    boolean namespaced = parts.size() > 4 && parts.get(2).equals("namespaces");
    int at = namespaced ? 4 : 2;
    String resource = known ? parts.get(at) : "";
    if (parts.size() > at + 2) {
      resource += "/" + parts.get(at + 2);
    }
    String name = parts.size() > at + 1 ? parts.get(at + 1) : "";
    String namespace = namespaced ? parts.get(3) : resource.equals("namespaces") ? name : "";
    String uri = (group.isEmpty() ? "/api" : "/apis/" + group) + rest();
    return new AuditEvent(
        verb(),
        user,
        userAgent,
        sourceIp,
        uri,
        group.isEmpty() || !known ? resource : group + "/" + resource,
        namespace,
        name,
        code >= FIRST_HTTP ? code : CODES.getOrDefault(code, SERVER_ERROR),
        micros);
  }

  private String rest() {
    int slash = resourceName.indexOf('/');
    return slash < 0 ? "" : resourceName.substring(slash);
  }
}
