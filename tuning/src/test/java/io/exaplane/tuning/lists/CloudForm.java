// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * How logging services of clouds keep and export the events of their clusters, by what their pages
 * say: docs/tuning.md has the links.
 */
enum CloudForm {
  ALIBABA_GET_LOGS(e -> array(e, CloudForm::sls)),
  ALIBABA_GET_LOGS_V3(e -> object("data", e, CloudForm::sls)),
  ALIBABA_EXPORT(e -> AuditForm.lines(e, s -> sls(s).toString())),
  ALIBABA_RAW(
      e ->
          AuditForm.lines(
              e, s -> node().put("__time__", "1795341600").put("content", s).toString())),
  TENCENT_SEARCH(
      e ->
          node()
              .set(
                  "Response",
                  AuditForm.tree(
                      object(
                          "Results",
                          e,
                          s ->
                              node()
                                  .put("Time", 1_795_341_600_250L)
                                  .put("TopicId", "t")
                                  .put("LogJson", s)
                                  .put("RawLog", ""))))
              .toString()),
  TENCENT_SEARCH_FLAT(
      e -> object("Results", e, s -> node().put("Time", 1L).put("LogJson", structuresAsText(s)))),
  TENCENT_EARLIER(
      e ->
          object(
              "results", e, s -> node().put("timestamp", "2026-11-22 10:00:00").put("content", s))),
  IBM_QUERY(
      e ->
          node()
              .set(
                  "result",
                  AuditForm.tree(object("results", e, s -> labelled(s).put("user_data", s))))
              .toString()),
  IBM_STREAM(
      e ->
          AuditForm.lines(
              e,
              s ->
                  "data: {\"result\":"
                      + object("results", List.of(s), x -> labelled(x).put("user_data", x))
                      + "}")),
  IBM_ARCHIVE(
      e ->
          AuditForm.lines(
              e,
              s ->
                  node()
                      .put("src_obj__event_metadata", "{\"timestamp\":\"2026-11-22T10:00:57.946\"}")
                      .put("src_obj__event_labels", "{\"applicationname\":\"a\"}")
                      .put("src_obj__user_data", s)
                      .toString())),
  IBM_LOGDNA(
      e ->
          AuditForm.lines(
              e,
              s ->
                  node()
                      .put("_account", "a")
                      .put("_ts", 1_795_341_600_250L)
                      .put("_line", s)
                      .toString())),
  ORACLE_AUDIT(e -> array(e, s -> oracle(s, CloudForm::envelope))),
  ORACLE_COMMAND(
      e ->
          object(
              "data",
              e,
              s ->
                  (ObjectNode)
                      AuditForm.tree(
                          oracle(s, (of, data) -> of.set("data", data))
                              .put("event-time", "2026-11-22T10:09:00+00:00")
                              .toString()
                              .replace("eventName", "event-name")
                              .replace("principalName", "principal-name")
                              .replace("ipAddress", "ip-address")
                              .replace("userAgent", "user-agent")
                              .replace("responseTime", "response-time")))),
  ORACLE_LOGGING(
      e ->
          object(
              "results",
              e,
              s ->
                  (ObjectNode)
                      node()
                          .set(
                              "data",
                              node()
                                  .put("datetime", 1_795_341_600_250L)
                                  .set(
                                      "logContent",
                                      oracle(s, (of, data) -> of.set("data", data)))))),
  /** No answer was recorded: the time is the envelope's. */
  ORACLE_WITHOUT_ANSWER_TIME(
      e ->
          AuditForm.lines(
              e,
              s -> {
                ObjectNode event = oracle(s, CloudForm::envelope);
                ((ObjectNode) event.at("/data/response")).remove("responseTime");
                return event.put("eventTime", time(s)).toString();
              }));

  private final Function<List<String>, String> writer;

  CloudForm(Function<List<String>, String> writer) {
    this.writer = writer;
  }

  /** The events as a file of this form. */
  String file(List<String> events) {
    return writer.apply(events);
  }

  private static ObjectNode node() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static String array(List<String> events, Function<String, ObjectNode> form) {
    ArrayNode array = JsonNodeFactory.instance.arrayNode();
    events.forEach(event -> array.add(form.apply(event)));
    return array.toString();
  }

  private static String object(
      String name, List<String> events, Function<String, ObjectNode> form) {
    return node().set(name, AuditForm.tree(array(events, form))).toString();
  }

  private static String time(String event) {
    return AuditForm.tree(event).get("requestReceivedTimestamp").asText();
  }

  private static String structuresAsText(String event) {
    ObjectNode texts = node();
    AuditForm.tree(event)
        .properties()
        .forEach(
            each ->
                texts.put(
                    each.getKey(),
                    each.getValue().isContainerNode()
                        ? each.getValue().toString()
                        : each.getValue().asText()));
    return texts.toString();
  }

  /** Log Service keeps keys and texts, and adds keys of its own. */
  private static ObjectNode sls(String event) {
    ObjectNode log = node().put("__time__", "1795341600").put("__source__", "10.0.0.1");
    log.put("__topic__", "").put("__tag__:__receive_time__", "1795341601");
    log.setAll((ObjectNode) AuditForm.tree(structuresAsText(event)));
    return log;
  }

  private static ObjectNode labelled(String event) {
    ObjectNode result = node();
    result.putArray("metadata").addObject().put("key", "timestamp").put("value", time(event));
    result.putArray("labels").addObject().put("key", "applicationname").put("value", "a");
    return result;
  }

  private static void envelope(ObjectNode of, ObjectNode data) {
    of.put("eventType", "com.oraclecloud.Example.Access").put("cloudEventsVersion", "0.1");
    of.put("eventId", "e").put("eventTime", "2026-11-22T10:09:00Z").set("data", data);
  }

  private static ObjectNode oracle(String event, BiConsumer<ObjectNode, ObjectNode> envelope) {
    var e = AuditForm.tree(event);
    ObjectNode data = node().putNull("eventGroupingId");
    data.put("eventName", "apps.v1.deployments." + e.get("verb").asText());
    data.put("resourceId", "ocid1.cluster.oc1..a");
    data.putObject("identity")
        .put("principalName", e.at("/user/username").asText())
        .put("ipAddress", e.at("/sourceIPs/0").asText())
        .put("userAgent", e.get("userAgent").asText());
    String[] address = e.get("requestURI").asText().split("\\?");
    ObjectNode request = data.putObject("request").put("id", "r").put("path", address[0]);
    request
        .put("action", "GET")
        .putObject("parameters")
        .putArray("limit")
        .add(address[1].split("=")[1]);
    data.putObject("response")
        .put("status", e.at("/responseStatus/code").asText())
        .put("responseTime", time(event));
    ObjectNode whole = node();
    envelope.accept(whole, data);
    return whole;
  }
}
