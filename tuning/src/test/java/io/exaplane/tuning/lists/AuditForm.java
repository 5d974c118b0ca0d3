// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/**
 * How a store of logs writes events. Longer than others: the forms are one list, which each test
 * walks.
 */
enum AuditForm {
  LINES(e -> lines(e, s -> s)),
  SORTED_KEYS(e -> lines(e, AuditForm::sorted)),
  CARRIAGE_RETURNS(e -> lines(e, s -> s).replace("\n", "\r\n")),
  NO_NEWLINES(e -> String.join("", e)),
  EVENT_LIST(e -> eventList(e, false)),
  EVENT_LIST_FOR_PEOPLE(e -> eventList(e, true)),
  EVENT_LIST_SORTED(e -> sorted(eventList(e, false))),
  WEBHOOK_LISTS(
      e ->
          lines(
              List.of(eventList(e.subList(0, 3), false), eventList(e.subList(3, 7), false)),
              s -> s)),
  ARRAY(e -> "[" + String.join(",", e) + "]"),
  ARRAY_FOR_PEOPLE(e -> pretty("[" + String.join(",", e) + "]")),
  ARRAY_LINES(e -> "[\n" + String.join(",\n", e) + "\n]\n"),
  DOCUMENTS_FOR_PEOPLE(e -> lines(e, AuditForm::pretty)),
  CRI(e -> lines(e, s -> "2026-11-22T10:00:00.123456789Z stdout F " + s)),
  CRI_PARTS(e -> lines(e, AuditForm::criParts)),
  CRI_TAGS(e -> lines(e, s -> "2026-11-22T10:00:00.1+01:00 stderr F:x " + s)),
  DOCKER(e -> lines(e, s -> docker(s + "\n"))),
  DOCKER_PARTS(e -> lines(e, AuditForm::dockerParts)),
  DOCKER_OF_CRI(e -> lines(e, s -> docker("2026-11-22T10:00:00Z stdout F " + s + "\n"))),
  OC_NODE_LOGS(e -> lines(e, s -> "ip-10-0-140-97.ec2.internal " + s)),
  KUBECTL_PREFIX(e -> lines(e, s -> "[pod/kube-apiserver-a/kube-apiserver] " + s)),
  KUBECTL_TIMESTAMPS(e -> lines(e, s -> "2026-11-22T10:00:00.5Z " + s)),
  SYSLOG(e -> lines(e, s -> "Nov 22 10:00:00 cp-1 kube-apiserver[4711]: " + s)),
  SYSLOG_5424(
      e -> lines(e, s -> "<134>1 2026-11-22T10:00:00Z cp-1 audit 1 - [a@1 k=\"{v}\"] " + s)),
  JOURNAL(e -> lines(e, s -> wrapped("{\"_HOSTNAME\":\"cp\"}", "MESSAGE", s))),
  LOGCLI(e -> lines(e, s -> "2026-11-22T10:00:00Z {app=\"audit\", node=\"n\"} " + s)),
  LOKI(AuditForm::loki),
  CLOUDWATCH_FILTER(
      e -> cloudWatch(e, "events", "{\"searchedLogStreams\":[],\"nextToken\":\"x\"}", true)),
  CLOUDWATCH_GET(
      e ->
          cloudWatch(
              e, "events", "{\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/1\"}", false)),
  CLOUDWATCH_SUBSCRIPTION(
      e ->
          cloudWatch(
              e,
              "logEvents",
              "{\"messageType\":\"DATA_MESSAGE\",\"logGroup\":\"/aws/eks/c/cluster\"}",
              false)),
  CLOUDWATCH_INSIGHTS(AuditForm::insights),
  CLOUDWATCH_S3(e -> lines(e, s -> "2026-11-22T10:00:00.000Z " + s)),
  CLOUDWATCH_TAIL(
      e -> lines(e, s -> "2026-11-22T10:00:00.000000+00:00 kube-apiserver-audit-0123abcd " + s)),
  INSIGHTS_CSV(e -> "@timestamp,@message\n" + lines(e, s -> "2026-11-22 10:00:00," + csv(s))),
  AZURE_STORAGE(e -> lines(e, AuditForm::azure)),
  AZURE_EVENT_HUB(
      e ->
          "{\"records\":["
              + e.stream().map(AuditForm::azure).collect(Collectors.joining(","))
              + "]}"),
  AZURE_QUERY(
      e ->
          pretty(
              "["
                  + e.stream()
                      .map(s -> wrapped("{\"TableName\":\"PrimaryResult\"}", "log_s", s + "\n"))
                      .collect(Collectors.joining(","))
                  + "]")),
  AZURE_API(AuditForm::azureTables),
  AZURE_CSV(
      e ->
          "TimeGenerated,Category,log_s,pod_s\n"
              + lines(e, s -> "t,kube-audit," + csv(s + "\n") + ",p")),
  AKS_AUDIT(e -> lines(e, s -> aksAudit(s, false))),
  AKS_AUDIT_OF_TEXT(e -> lines(e, s -> aksAudit(s, true))),
  ELASTIC(
      e ->
          "{\"took\":1,\"hits\":{\"hits\":["
              + e.stream()
                  .map(s -> "{\"_index\":\"audit\",\"_source\":" + s + "}")
                  .collect(Collectors.joining(","))
              + "]}}"),
  ELASTIC_BOTH(
      e ->
          lines(
              e,
              s -> {
                ObjectNode outer = (ObjectNode) tree("{\"kubernetes\":{}}");
                ((ObjectNode) outer.get("kubernetes")).set("audit", tree(s));
                outer.put("message", s);
                return outer.toString();
              })),
  FLAT(e -> lines(e, AuditForm::flat)),
  SPLUNK(
      e ->
          lines(
              e,
              s ->
                  wrapped("{\"preview\":false}", "_raw", s)
                      .replaceFirst("(.*)", "{\"result\":$0}"))),
  STRINGS(e -> lines(e, s -> quoted(s))),
  LOGFMT(e -> lines(e, s -> "time=1 level=info msg=" + quoted(s) + " x=1")),
  QUEUED(
      e ->
          "{\"Records\":["
              + e.stream()
                  .map(s -> "{\"data\":" + quoted(base64(s)) + "}")
                  .collect(Collectors.joining(","))
              + "]}"),
  QUEUED_GZIP(
      e ->
          lines(
              e,
              s ->
                  "{\"awslogs\":{\"data\":"
                      + quoted(base64Gzip("{\"logEvents\":[{\"message\":" + quoted(s) + "}]}"))
                      + "}}")),
  OTLP_TEXT(e -> otlp(e, s -> "{\"stringValue\":" + quoted(s) + "}")),
  OTLP_LIST(e -> otlp(e, s -> otlpValue(tree(s), "kvlistValue", "stringValue"))),
  OTLP_LIST_OF_COLLECTOR(
      e -> lines(e, s -> "{\"body\":" + otlpValue(tree(s), "kvlist_value", "string_value") + "}")),
  JOURNAL_BYTES(
      e ->
          lines(
              e, s -> "{\"_HOSTNAME\":\"cp\",\"MESSAGE\":" + numbers(s) + ",\"PRIORITY\":\"6\"}")),
  JOURNAL_EXPORT(e -> lines(e, s -> "__CURSOR=s\nMESSAGE=" + s + "\n_COMM=kube-apiserver\n")),
  BUFFER(e -> lines(e, s -> "{\"type\":\"Buffer\",\"data\":" + numbers(s) + "}")),
  VECTOR(
      e ->
          lines(
              e, s -> wrapped("{\"file\":\"/var/log/a\",\"source_type\":\"file\"}", "message", s))),
  FILEBEAT(
      e ->
          lines(
              e,
              s ->
                  wrapped(
                      "{\"@timestamp\":\"2026-11-22T10:00:00Z\",\"log\":{\"offset\":1}}",
                      "message",
                      s))),
  FLUENTD(e -> lines(e, s -> "2026-11-22 10:00:00 +0000 kube.audit: " + s)),
  FLUENTD_PAIRS(e -> lines(e, s -> "[1795341600.25," + wrapped("{}", "log", s) + "]")),
  SPLUNK_HEC(e -> lines(e, s -> "{\"time\":1795341600,\"event\":" + s + "}")),
  SPLUNK_CSV(e -> "_time,_raw,host\n" + lines(e, s -> "1795341600," + csv(s) + ",cp")),
  GELF(
      e ->
          lines(
              e,
              s ->
                  wrapped(
                      wrapped("{\"version\":\"1.1\"}", "short_message", s.substring(0, 40)),
                      "full_message",
                      s))),
  LOKI_PUSH(e -> loki(e).replace("\"status\":\"success\",", "").replace("result", "streams")),
  LOGCLI_JSONL(e -> lines(e, s -> wrapped("{\"labels\":{\"app\":\"audit\"}}", "line", s))),
  DATADOG(
      e ->
          lines(
              e,
              s ->
                  "{\"id\":\"A\",\"type\":\"log\",\"attributes\":{\"attributes\":"
                      + s
                      + ",\"tags\":[\"a\"]}}")),
  BIGQUERY(e -> lines(e, s -> "{\"logName\":\"audit\",\"jsonPayload\":" + s + "}")),
  KAFKA(e -> lines(e, s -> "cluster-1\tCreateTime:1795341600000\t" + s)),
  CLOUD_EVENTS(e -> lines(e, s -> wrapped("{\"specversion\":\"1.0\"}", "data_base64", base64(s)))),
  STERN(e -> lines(e, s -> "kube-apiserver-cp1 kube-apiserver " + s)),
  STERN_JSON(e -> lines(e, s -> wrapped("{\"podName\":\"p\"}", "message", s))),
  STERN_COLOURS(e -> lines(e, s -> "\u001b[32mkube-apiserver-cp1\u001b[0m " + s)),
  ELASTIC_DUMP(
      e ->
          lines(
              e,
              s -> "{\"_index\":\"a\",\"_id\":\"1\",\"_source\":" + wrapped("{}", "log", s) + "}")),
  OPENSHIFT_LOGGING(
      e -> lines(e, s -> "{\"@timestamp\":\"t\",\"log_type\":\"audit\",\"structured\":" + s + "}")),
  MIXED(AuditForm::mixed),
  AFTER_A_CRASH(e -> lines(e, s -> s + "\n" + "\0".repeat(500))),
  LEGACY(e -> lines(e, AuditForm::legacy));

  private static final int LINE_OF_RUNTIME = 200;

  private static String numbers(String text) {
    StringBuilder numbers = new StringBuilder("[");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      numbers.append(numbers.length() == 1 ? "" : ",").append(b & 0xff);
    }
    return numbers.append(']').toString();
  }

  private static String otlp(List<String> events, Function<String, String> body) {
    return events.stream()
        .map(s -> "{\"timeUnixNano\":\"1795341600250000000\",\"body\":" + body.apply(s) + "}")
        .collect(
            Collectors.joining(
                ",",
                "{\"resourceLogs\":[{\"resource\":{\"attributes\":[]},\"scopeLogs\":[{\"logRecords\":[",
                "]}]}]}\n"));
  }

  private static String otlpValue(JsonNode value, String list, String text) {
    ObjectNode typed = (ObjectNode) tree("{}");
    if (value.isObject()) {
      ArrayNode pairs = typed.putObject(list).putArray("values");
      value
          .properties()
          .forEach(
              each ->
                  pairs
                      .addObject()
                      .put("key", each.getKey())
                      .set("value", tree(otlpValue(each.getValue(), list, text))));
    } else if (value.isArray()) {
      ArrayNode values = typed.putObject(list.replace("kvlist", "array")).putArray("values");
      value.forEach(each -> values.add(tree(otlpValue(each, list, text))));
    } else if (value.isInt()) {
      typed.put("intValue", value.asText());
    } else {
      typed.put(text, value.asText());
    }
    return typed.toString();
  }

  /** Every line in another form. */
  private static String mixed(List<String> events) {
    List<AuditForm> forms = List.of(LINES, CRI, DOCKER, KUBECTL_PREFIX, VECTOR, SPLUNK_HEC, GELF);
    StringBuilder file = new StringBuilder();
    for (int i = 0; i < events.size(); i++) {
      file.append(forms.get(i % forms.size()).file(events.subList(i, i + 1)));
    }
    return file.toString();
  }

  private static String base64(String plain) {
    return Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
  }

  private static String base64Gzip(String plain) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(plain.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Base64.getEncoder().encodeToString(packed.toByteArray());
  }

  private final Function<List<String>, String> writer;

  AuditForm(Function<List<String>, String> writer) {
    this.writer = writer;
  }

  /** Whether an event ends where its line does, so that a part of the file is parts of lines. */
  boolean isOfLines() {
    return switch (this) {
      case LINES,
          SORTED_KEYS,
          CRI,
          CRI_TAGS,
          DOCKER,
          OC_NODE_LOGS,
          KUBECTL_PREFIX,
          SYSLOG,
          JOURNAL,
          CLOUDWATCH_S3,
          CLOUDWATCH_TAIL,
          AZURE_STORAGE,
          AKS_AUDIT,
          LEGACY,
          STRINGS,
          VECTOR,
          FILEBEAT,
          FLUENTD,
          SPLUNK_HEC,
          LOGCLI_JSONL,
          BIGQUERY,
          KAFKA,
          STERN,
          STERN_JSON,
          STERN_COLOURS,
          OPENSHIFT_LOGGING,
          MIXED ->
          true;
      default -> false;
    };
  }

  /** Lines that are no events in a whole file: the heads of tables. */
  int heads() {
    return switch (this) {
      case INSIGHTS_CSV, AZURE_CSV, SPLUNK_CSV -> 1;
      case JOURNAL_EXPORT -> 2 * 7;
      default -> 0;
    };
  }

  /** The events as a file of this form. */
  String file(List<String> events) {
    return writer.apply(events);
  }

  private static JsonMapper json() {
    return Mapper.JSON;
  }

  /** An enum's constants are made before its fields. */
  private static final class Mapper {
    private static final JsonMapper JSON = new JsonMapper();
  }

  static String lines(List<String> events, Function<String, String> line) {
    return events.stream().map(line).map(s -> s + "\n").collect(Collectors.joining());
  }

  static JsonNode tree(String json) {
    try {
      return json().readTree(json);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pretty(String json) {
    return tree(json).toPrettyString();
  }

  private static String sorted(String json) {
    try {
      JsonMapper mapper =
          JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();
      return mapper.writeValueAsString(mapper.readValue(json, Object.class));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static String quoted(String text) {
    return json().getNodeFactory().textNode(text).toString();
  }

  private static String wrapped(String outer, String field, String text) {
    return ((ObjectNode) tree(outer)).put(field, text).toString();
  }

  private static String csv(String text) {
    return "\"" + text.replace("\"", "\"\"") + "\"";
  }

  private static String eventList(List<String> events, boolean forPeople) {
    String list =
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},\"items\":["
            + String.join(",", events)
            + "]}";
    return forPeople ? pretty(list) : list;
  }

  private static List<String> parts(String text) {
    List<String> parts = new ArrayList<>();
    for (int at = 0; at < text.length(); ) {
      int end = Math.min(text.length(), at + LINE_OF_RUNTIME);
      end -= end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0;
      parts.add(text.substring(at, end));
      at = end;
    }
    return parts;
  }

  private static String criParts(String event) {
    List<String> parts = parts(event);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      boolean last = i == parts.size() - 1;
      lines.append("2026-11-22T10:00:00Z stdout ").append(last ? "F " : "P ").append(parts.get(i));
      lines.append(last ? "" : "\n2026-11-22T10:00:00Z stderr F I1122 klog\n");
    }
    return lines.toString().replace("\n2026-11-22T10:00:00Z stderr F I1122 klog", "");
  }

  private static String docker(String log) {
    return wrapped("{\"stream\":\"stdout\",\"time\":\"2026-11-22T10:00:00.1Z\"}", "log", log);
  }

  private static String dockerParts(String event) {
    return parts(event + "\n").stream().map(AuditForm::docker).collect(Collectors.joining("\n"));
  }

  private static String cloudWatch(List<String> events, String name, String outer, boolean people) {
    ObjectNode node = (ObjectNode) tree(outer);
    ArrayNode list = node.putArray(name);
    events.forEach(
        e ->
            list.addObject().put("timestamp", 1_795_341_600_250L).put("message", e).put("id", "1"));
    return people ? node.toPrettyString() : node.toString();
  }

  private static String insights(List<String> events) {
    ObjectNode node = (ObjectNode) tree("{\"status\":\"Complete\"}");
    ArrayNode rows = node.putArray("results");
    for (String event : events) {
      ArrayNode row = rows.addArray();
      row.addObject().put("field", "@timestamp").put("value", "2026-11-22 10:00:00.000");
      row.addObject().put("field", "@message").put("value", event);
      row.addObject().put("field", "@ptr").put("value", "Cl0K");
    }
    return node.toPrettyString();
  }

  private static String loki(List<String> events) {
    ObjectNode node =
        (ObjectNode) tree("{\"status\":\"success\",\"data\":{\"resultType\":\"streams\"}}");
    ObjectNode stream = ((ObjectNode) node.get("data")).putArray("result").addObject();
    stream.putObject("stream").put("app", "audit");
    ArrayNode values = stream.putArray("values");
    events.forEach(e -> values.addArray().add("1795341600250000000").add(e));
    return node.toString();
  }

  private static String azure(String event) {
    ObjectNode node =
        (ObjectNode)
            tree(
                "{\"time\":\"2026-11-22T10:00:00Z\",\"category\":\"kube-audit\",\"operationName\":\"Microsoft.ContainerService/managedClusters/diagnosticLogs/Read\"}");
    node.putObject("properties").put("log", event + "\n").put("stream", "stdout").put("pod", "p");
    return node.toString();
  }

  private static String azureTables(List<String> events) {
    ObjectNode node = (ObjectNode) tree("{}");
    ObjectNode table = node.putArray("tables").addObject().put("name", "PrimaryResult");
    table.putArray("columns").addObject().put("name", "log_s").put("type", "string");
    ArrayNode rows = table.putArray("rows");
    events.forEach(e -> rows.addArray().add("2026-11-22T10:00:00Z").add(e + "\n"));
    return node.toString();
  }

  private static String aksAudit(String event, boolean asText) {
    JsonNode e = tree(event);
    ObjectNode row = (ObjectNode) tree("{\"TenantId\":\"t\",\"Type\":\"AKSAudit\"}");
    row.put("TimeGenerated", "2026-11-22T10:01:00Z");
    row.set("AuditId", e.get("auditID"));
    List<String> structures = List.of("User", "SourceIps", "ObjectRef", "ResponseStatus");
    List<String> names = List.of("user", "sourceIPs", "objectRef", "responseStatus");
    for (int i = 0; i < names.size(); i++) {
      JsonNode value = e.get(names.get(i));
      row.set(
          structures.get(i), asText ? json().getNodeFactory().textNode(value.toString()) : value);
    }
    row.set("RequestUri", e.get("requestURI"));
    row.set("Verb", e.get("verb"));
    row.set("UserAgent", e.get("userAgent"));
    row.set("Stage", e.get("stage"));
    row.set("RequestReceivedTime", e.get("requestReceivedTimestamp"));
    return row.toString();
  }

  private static String flat(String event) {
    JsonNode e = tree(event);
    ObjectNode row = (ObjectNode) e.deepCopy();
    row.remove(List.of("user", "objectRef", "responseStatus"));
    row.put("user.username", e.at("/user/username").asText());
    row.put("objectRef.resource", "deployments").put("objectRef.apiGroup", "apps");
    row.put("objectRef.namespace", e.at("/objectRef/namespace").asText());
    row.put("responseStatus.code", e.at("/responseStatus/code").asInt());
    return row.toString();
  }

  private static String legacy(String event) {
    JsonNode e = tree(event);
    return "%s AUDIT: id=%s stage=\"ResponseComplete\" ip=%s method=\"list\" user=%s groups=\"\\\"a\\\"\" as=\"<self>\" asgroups=\"<lookup>\" user-agent=%s namespace=%s uri=%s response=\"%d\""
        .formatted(
            e.get("requestReceivedTimestamp").asText(),
            e.get("auditID"),
            e.at("/sourceIPs/0"),
            e.at("/user/username"),
            e.get("userAgent"),
            e.at("/objectRef/namespace"),
            e.get("requestURI"),
            e.at("/responseStatus/code").asInt());
  }
}
