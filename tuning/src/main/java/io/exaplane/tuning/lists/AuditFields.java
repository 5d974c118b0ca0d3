// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was seen of an audit event so far, under the names of audit.k8s.io, of Azure's table
 * AKSAudit, of a LogEntry of Google's, or of an event of Oracle's.
 */
final class AuditFields {
  static final String STARTED = "ResponseStarted";
  static final String COMPLETE = "ResponseComplete";
  private static final Set<String> STAGES = Set.of("RequestReceived", STARTED, COMPLETE, "Panic");
  private static final String AUDIT = "audit.k8s.io/";
  private static final Pattern RESOURCE =
      Pattern.compile(
          "/(?:api|apis/([^/?]+))/[^/?]+/(?:watch/)?(?:namespaces/([^/?]+)/(?=[^?]))?([^/?]+)(?:/([^/?]+)(?:/([^?]+))?)?(?:\\?.*)?");

  private String id = "";
  private String stage = "";
  private String verb = "";
  private String uri = "";
  private String userAgent = "";
  private String user = "";
  private String sourceIp = "";
  private String group = "";
  private String resource = "";
  private String subresource = "";
  private String namespace = "";
  private String name = "";
  private int code;
  private String received = "";
  private boolean ofAudit;
  private boolean event;
  private GoogleEntry google;
  private OracleEntry oracle;

  /** The time that a wrapper tells, for events that have none of their own. */
  private String around = "";

  /** Begins an object within another one, of which this is known. */
  AuditFields within(AuditFields outer) {
    around = outer.around;
    return this;
  }

  /**
   * Takes a field if it is one of an event's; else its value is still to be read.
   *
   * @param field as {@link AuditNames#plain} names it
   */
  boolean take(String field, JsonParser parser) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return true;
    }
    if (parser.currentToken() == JsonToken.START_ARRAY && AuditNames.isScalar(field)) {
      takeFirst(field, parser);
      return true;
    }
    if (parser.currentToken().isStructStart()) {
      return takeStructure(field, parser);
    }
    return takeScalar(field, parser);
  }

  /** Search engines answer with a list for each field. */
  private void takeFirst(String field, JsonParser parser) throws IOException {
    boolean first = true;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken().isStructStart()) {
        parser.skipChildren();
      } else if (first) {
        takeScalar(field, parser);
      }
      first = false;
    }
  }

  private boolean takeScalar(String field, JsonParser parser) throws IOException {
    boolean text = parser.currentToken() == JsonToken.VALUE_STRING;
    switch (field) {
      // A wrapper's stage may be the name of an environment.
      case "stage" -> stage = STAGES.contains(parser.getText()) ? parser.getText() : stage;
      case "auditID" -> id = parser.getText();
      case "verb" -> verb = parser.getText();
      case "requestURI" -> uri = parser.getText();
      case "userAgent" -> userAgent = parser.getText();
      case "requestReceivedTimestamp" -> received = parser.getText();
      case "stageTimestamp", "timestamp" -> {
        boolean time = text || field.equals("stageTimestamp");
        received = received.isEmpty() && time ? parser.getText() : received;
        return time;
      }
      case "apiVersion" -> ofAudit = parser.getText().startsWith(AUDIT);
      case "kind" -> event = parser.getText().equals("Event");
      case "user", "user.username" -> user = parser.getText();
      case "responseStatus", "responseStatus.code" -> code = parser.getValueAsInt();
      case "sourceIPs", AuditNames.SOURCE ->
          sourceIp = text && sourceIp.isEmpty() ? parser.getText() : sourceIp;
      case AuditNames.PROXY -> {}
      case "eventTime", "event-time", "time", "datetime" -> {
        around = parser.getText();
        return false;
      }
      case "eventName", "event-name" -> {
        oracle = text ? OracleEntry.of(parser.getText()) : null;
        return oracle != null;
      }
      default -> {
        return field.startsWith("objectRef.") && takeObject(field.substring(10), parser.getText());
      }
    }
    return true;
  }

  private boolean takeStructure(String field, JsonParser parser) throws IOException {
    switch (field) {
      case "user" -> each(parser, name -> user = name.equals("username") ? parser.getText() : user);
      case "sourceIPs" -> sources(parser);
      case "objectRef" -> each(parser, name -> takeObject(name, parser.getText()));
      case "responseStatus" ->
          each(parser, name -> code = name.equals("code") ? parser.getValueAsInt() : code);
      case "protoPayload", "protopayload_auditlog" -> google().payload(parser);
      case "operation" ->
          each(
              parser,
              name -> {
                if (name.equals("first") || name.equals("last")) {
                  google().operation(name, parser.getText().equals("true"));
                }
              });
      default -> {
        return oracle != null && oracle.take(field, parser);
      }
    }
    return true;
  }

  private GoogleEntry google() {
    if (google == null) {
      google = new GoogleEntry();
    }
    return google;
  }

  private boolean takeObject(String field, String value) {
    switch (field) {
      case "apiGroup" -> group = value;
      case "resource" -> resource = value;
      case "subresource" -> subresource = value;
      case "namespace" -> namespace = value;
      case "name" -> name = value;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The first is the client; proxies follow. */
  private void sources(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (sourceIp.isEmpty()) {
        sourceIp = parser.getText();
      }
      parser.skipChildren();
    }
  }

  /** Whether a text may hold what {@link #take} takes as a structure, as exports of tables have. */
  static boolean isStructure(String field) {
    return switch (field) {
      case "user", "sourceIPs", "objectRef", "responseStatus" -> true;
      default -> false;
    };
  }

  static void each(JsonParser parser, Field action) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      if (parser.nextToken().isStructStart()) {
        parser.skipChildren();
      } else {
        action.take(field);
      }
    }
  }

  /** One field of an object. */
  interface Field {
    void take(String name) throws IOException;
  }

  /** Takes what kube-apiserver wrote as text, before it wrote JSON. */
  void line(
      String time, String stageThen, String ip, String method, String username, String agent) {
    received = time;
    stage = stageThen;
    sourceIp = ip;
    verb = method;
    user = username;
    userAgent = agent;
  }

  void asked(String address, int status) {
    uri = address;
    code = status;
  }

  /** Whether enough was seen to know that it is no wrapper. */
  boolean begunAsEvent() {
    return !stage.isEmpty() || !id.isEmpty() || ofAudit && event || oracle != null;
  }

  boolean isEvent() {
    if (google != null && google.isKubernetes() || oracle != null) {
      return true;
    }
    boolean completed = stage.isEmpty() && code > 0 && !id.isEmpty();
    return (STAGES.contains(stage) || completed) && !(uri.isEmpty() && verb.isEmpty());
  }

  /** The same for what is written twice of one stage of one request; empty if it is not known. */
  String identity() {
    return id.isEmpty() ? "" : id + stage;
  }

  boolean watchBegins() {
    return google == null
        ? verb.equals("watch") && stage.equals(STARTED)
        : google.verb().equals("watch") && google.begins() && !google.ends();
  }

  /**
   * The event, or null if it is of a request that is not completed. A watch is counted when it
   * begins, since its end comes minutes later or not before the log ends; by its end where the
   * audit policy leaves beginnings out.
   */
  AuditEvent event(boolean watchesBegin) {
    if (google != null && google.isKubernetes()) {
      return google.event(AuditTimes.micros(received), watchesBegin);
    }
    if (oracle != null) {
      return oracleEvent();
    }
    boolean watch = verb.equals("watch");
    boolean begun = watch && stage.equals(STARTED);
    boolean completed = (stage.equals(COMPLETE) || stage.isEmpty()) && !(watch && watchesBegin);
    if (!begun && !completed) {
      return null;
    }
    if (resource.isEmpty()) {
      objectFromAddress();
    }
    String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
    return new AuditEvent(
        verb,
        user,
        userAgent,
        sourceIp,
        uri,
        group.isEmpty() ? full : group + "/" + full,
        namespace,
        name,
        code,
        AuditTimes.micros(received));
  }

  private AuditEvent oracleEvent() {
    uri = oracle.uri();
    objectFromAddress();
    String full = subresource.isEmpty() ? resource : resource + "/" + subresource;
    boolean isNamed = resource.isEmpty();
    String of = isNamed ? oracle.group() : group;
    String what = isNamed ? oracle.resource() : full;
    return new AuditEvent(
        oracle.verb(),
        oracle.user(),
        oracle.userAgent(),
        oracle.sourceIp(),
        uri,
        of.isEmpty() ? what : of + "/" + what,
        namespace,
        name,
        oracle.code(),
        AuditTimes.micros(oracle.time().isEmpty() ? around : oracle.time()));
  }

  /** Not every pipeline keeps objectRef. */
  private void objectFromAddress() {
    Matcher matcher = RESOURCE.matcher(uri);
    if (!matcher.matches()) {
      return;
    }
    group = orEmpty(matcher.group(1));
    namespace = orEmpty(matcher.group(2));
    resource = matcher.group(3);
    name = orEmpty(matcher.group(4));
    subresource = orEmpty(matcher.group(5));
    if (resource.equals("namespaces")) {
      namespace = name;
    }
  }

  private static String orEmpty(String text) {
    return text == null ? "" : text;
  }
}
