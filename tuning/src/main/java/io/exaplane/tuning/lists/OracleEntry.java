// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request to an OKE cluster as OCI Audit keeps it: the field data of an audit event of Oracle's,
 * whose eventName names group, version, resource and verb, as apps.v1.deployments.delete. One
 * thread.
 */
final class OracleEntry {
  private static final Pattern NAME =
      Pattern.compile(
          "(?:([a-z0-9.-]+)\\.)?v\\d+(?:(?:alpha|beta)\\d+)?\\.([a-z]+(?:[./][a-z]+)?)\\.(get|list|watch|create|update|patch|delete|deletecollection)");

  private final String group;
  private final String resource;
  private final String verb;
  private String path = "";
  private final StringBuilder query = new StringBuilder();
  private String user = "";
  private String sourceIp = "";
  private String userAgent = "";
  private int code;
  private String time = "";

  private OracleEntry(Matcher name) {
    group = name.group(1) == null || name.group(1).equals("core") ? "" : name.group(1);
    resource = name.group(2).replace('.', '/');
    verb = name.group(3);
  }

  /** One whose event has this name; null if no request to a cluster has. */
  static OracleEntry of(String eventName) {
    Matcher name = NAME.matcher(eventName);
    return name.matches() ? new OracleEntry(name) : null;
  }

  /** Takes a structure of data if it tells of the request; its other fields do not. */
  boolean take(String field, JsonParser parser) throws IOException {
    switch (field) {
      case "identity" -> AuditFields.each(parser, name -> takeIdentity(plain(name), parser));
      case "request" -> request(parser);
      case "response" -> AuditFields.each(parser, name -> takeResponse(plain(name), parser));
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The command line writes principal-name for principalName. */
  private static String plain(String field) {
    return field.replace("-", "").toLowerCase(Locale.ROOT);
  }

  private void takeIdentity(String field, JsonParser parser) throws IOException {
    switch (field) {
      case "principalname" -> user = text(parser);
      case "ipaddress" -> sourceIp = text(parser);
      case "useragent" -> userAgent = text(parser);
      default -> {}
    }
  }

  private void takeResponse(String field, JsonParser parser) throws IOException {
    switch (field) {
      case "status" -> code = parser.getValueAsInt();
      case "responsetime" -> time = text(parser);
      default -> {}
    }
  }

  private void request(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken token = parser.nextToken();
      if (field.equals("path")) {
        path = text(parser);
      } else if (field.equals("parameters") && token == JsonToken.START_OBJECT) {
        parameters(parser);
      } else {
        parser.skipChildren();
      }
    }
  }

  /** Each has a text, or a list of texts. */
  private void parameters(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          parameter(name, parser);
        }
      } else {
        parameter(name, parser);
      }
    }
  }

  private void parameter(String name, JsonParser parser) throws IOException {
    if (parser.currentToken().isStructStart()) {
      parser.skipChildren();
    } else {
      query.append(query.isEmpty() ? '?' : '&').append(name).append('=').append(text(parser));
    }
  }

  private static String text(JsonParser parser) throws IOException {
    return parser.currentToken() == JsonToken.VALUE_NULL ? "" : parser.getText();
  }

  String verb() {
    return verb;
  }

  /** Empty if the event does not tell it. */
  String uri() {
    return path.isEmpty() || path.indexOf('?') >= 0 ? path : path + query;
  }

  String user() {
    return user;
  }

  String sourceIp() {
    return sourceIp;
  }

  String userAgent() {
    return userAgent;
  }

  int code() {
    return code;
  }

  /** RFC 3339; empty if the event tells none. */
  String time() {
    return time;
  }

  String group() {
    return group;
  }

  String resource() {
    return resource;
  }
}
