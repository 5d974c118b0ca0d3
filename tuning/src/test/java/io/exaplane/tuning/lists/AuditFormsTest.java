// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Audit logs in the forms in which they are stored, cut and split where it pleases nobody.
 *
 * <p>Longer than 400 lines: each form in which audit logs are stored is written out once.
 */
class AuditFormsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int EVENTS = 7;
  private static final int LINE_OF_RUNTIME = 200;
  private final Random random = new Random(26);

  /** How a store of logs writes events. */
  enum Form {
    LINES(e -> lines(e, s -> s)),
    SORTED_KEYS(e -> lines(e, AuditFormsTest::sorted)),
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
    DOCUMENTS_FOR_PEOPLE(e -> lines(e, AuditFormsTest::pretty)),
    CRI(e -> lines(e, s -> "2026-11-22T10:00:00.123456789Z stdout F " + s)),
    CRI_PARTS(e -> lines(e, AuditFormsTest::criParts)),
    CRI_TAGS(e -> lines(e, s -> "2026-11-22T10:00:00.1+01:00 stderr F:x " + s)),
    DOCKER(e -> lines(e, s -> docker(s + "\n"))),
    DOCKER_PARTS(e -> lines(e, AuditFormsTest::dockerParts)),
    DOCKER_OF_CRI(e -> lines(e, s -> docker("2026-11-22T10:00:00Z stdout F " + s + "\n"))),
    OC_NODE_LOGS(e -> lines(e, s -> "ip-10-0-140-97.ec2.internal " + s)),
    KUBECTL_PREFIX(e -> lines(e, s -> "[pod/kube-apiserver-a/kube-apiserver] " + s)),
    KUBECTL_TIMESTAMPS(e -> lines(e, s -> "2026-11-22T10:00:00.5Z " + s)),
    SYSLOG(e -> lines(e, s -> "Nov 22 10:00:00 cp-1 kube-apiserver[4711]: " + s)),
    SYSLOG_5424(
        e -> lines(e, s -> "<134>1 2026-11-22T10:00:00Z cp-1 audit 1 - [a@1 k=\"{v}\"] " + s)),
    JOURNAL(e -> lines(e, s -> wrapped("{\"_HOSTNAME\":\"cp\"}", "MESSAGE", s))),
    LOGCLI(e -> lines(e, s -> "2026-11-22T10:00:00Z {app=\"audit\", node=\"n\"} " + s)),
    LOKI(AuditFormsTest::loki),
    CLOUDWATCH_FILTER(
        e -> cloudWatch(e, "events", "{\"searchedLogStreams\":[],\"nextToken\":\"x\"}", true)),
    CLOUDWATCH_GET(
        e ->
            cloudWatch(
                e,
                "events",
                "{\"nextForwardToken\":\"f/1\",\"nextBackwardToken\":\"b/1\"}",
                false)),
    CLOUDWATCH_SUBSCRIPTION(
        e ->
            cloudWatch(
                e,
                "logEvents",
                "{\"messageType\":\"DATA_MESSAGE\",\"logGroup\":\"/aws/eks/c/cluster\"}",
                false)),
    CLOUDWATCH_INSIGHTS(AuditFormsTest::insights),
    CLOUDWATCH_S3(e -> lines(e, s -> "2026-11-22T10:00:00.000Z " + s)),
    CLOUDWATCH_TAIL(
        e -> lines(e, s -> "2026-11-22T10:00:00.000000+00:00 kube-apiserver-audit-0123abcd " + s)),
    INSIGHTS_CSV(e -> "@timestamp,@message\n" + lines(e, s -> "2026-11-22 10:00:00," + csv(s))),
    AZURE_STORAGE(e -> lines(e, AuditFormsTest::azure)),
    AZURE_EVENT_HUB(
        e ->
            "{\"records\":["
                + e.stream().map(AuditFormsTest::azure).collect(Collectors.joining(","))
                + "]}"),
    AZURE_QUERY(
        e ->
            pretty(
                "["
                    + e.stream()
                        .map(s -> wrapped("{\"TableName\":\"PrimaryResult\"}", "log_s", s + "\n"))
                        .collect(Collectors.joining(","))
                    + "]")),
    AZURE_API(AuditFormsTest::azureTables),
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
    FLAT(e -> lines(e, AuditFormsTest::flat)),
    SPLUNK(
        e ->
            lines(
                e,
                s ->
                    wrapped("{\"preview\":false}", "_raw", s)
                        .replaceFirst("(.*)", "{\"result\":$0}"))),
    STRINGS(e -> lines(e, s -> quoted(s))),
    LOGFMT(e -> lines(e, s -> "time=1 level=info msg=" + quoted(s) + " x=1")),
    LEGACY(e -> lines(e, AuditFormsTest::legacy));

    private final Function<List<String>, String> writer;

    Form(Function<List<String>, String> writer) {
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
            STRINGS ->
            true;
        default -> false;
      };
    }

    /** Lines that are no events in a whole file: the heads of tables. */
    int heads() {
      return this == INSIGHTS_CSV || this == AZURE_CSV ? 1 : 0;
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFormHoldsTheSameEvents(Form form) throws IOException {
    List<String> events = events();
    byte[] file = form.writer.apply(events).getBytes(StandardCharsets.UTF_8);
    List<AuditEvent> expected = expected(events);
    for (byte[] stored : List.of(file, gzip(file), utf16(file))) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.Read summary = AuditLog.read(new ByteArrayInputStream(stored), read::add);
      assertThat(read).isEqualTo(expected);
      assertThat(summary.unrecognised()).isEqualTo(form.heads());
    }
  }

  /** What was read before the cut stays, and the cut is said. */
  @ParameterizedTest
  @EnumSource
  void aFileMayEndAnywhere(Form form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = expected(events);
    byte[] file = form.writer.apply(events).getBytes(StandardCharsets.UTF_8);
    int most = 0;
    for (int length = 0; length < file.length; length += 1 + random.nextInt(60)) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.read(new ByteArrayInputStream(Arrays.copyOf(file, length)), read::add);
      assertThat(read).as("%d bytes", length).isEqualTo(expected.subList(0, read.size()));
      assertThat(read).hasSizeGreaterThanOrEqualTo(most);
      most = read.size();
    }
    assertThat(most).isGreaterThanOrEqualTo(EVENTS - 1);
  }

  @ParameterizedTest
  @EnumSource
  void aFileMayBeginAnywhereAndTheRestIsFound(Form form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = expected(events);
    byte[] file = form.writer.apply(events).getBytes(StandardCharsets.UTF_8);
    for (int from = 0; form.isOfLines() && from < file.length; from += 1 + random.nextInt(60)) {
      List<AuditEvent> read = new ArrayList<>();
      byte[] rest = Arrays.copyOfRange(file, from, file.length);
      AuditLog.read(new ByteArrayInputStream(rest), read::add);
      assertThat(read)
          .as("from %d", from)
          .endsWith(
              expected
                  .subList(EVENTS - Math.min(EVENTS, newlines(rest) - 1), EVENTS)
                  .toArray(AuditEvent[]::new));
    }
  }

  /** Rotated in the middle of a line: its end is in the next file. */
  @ParameterizedTest
  @EnumSource
  void filesOfALogGoOnWhereTheOneBeforeBrokeOff(Form form) throws IOException {
    List<String> events = events();
    byte[] file = form.writer.apply(events).getBytes(StandardCharsets.UTF_8);
    for (int at = 1; form.isOfLines() && at < file.length; at += 1 + random.nextInt(60)) {
      List<AuditEvent> read = new ArrayList<>();
      AuditLog log = new AuditLog(read::add);
      log.read(new ByteArrayInputStream(gzip(Arrays.copyOf(file, at))));
      log.read(new ByteArrayInputStream(Arrays.copyOfRange(file, at, file.length)));
      assertThat(read).as("split at %d", at).isEqualTo(expected(events));
      // Two where the event was whole and its wrapper was not.
      assertThat(log.summary().unrecognised()).as("split at %d", at).isIn(0L, 2L);
    }
  }

  /** A line that was cut in the middle of a file costs that line and no other. */
  @ParameterizedTest
  @EnumSource
  void aLineThatIsCutCostsThatLine(Form form) throws IOException {
    List<String> events = events();
    List<AuditEvent> expected = new ArrayList<>(expected(events));
    expected.remove(3);
    String[] lines = form.writer.apply(events).split("(?<=\n)");
    String third = form.isOfLines() ? lines[3] : "";
    for (int length = 1; length < third.length() - 3; length += 1 + random.nextInt(60)) {
      lines[3] = third.substring(0, length) + "\n";
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.Read summary =
          AuditLog.read(
              new ByteArrayInputStream(String.join("", lines).getBytes(StandardCharsets.UTF_8)),
              read::add);
      read.remove(expected(events).get(3)); // whole, in a wrapper that was not
      assertThat(read).as("cut at %d: %s", length, lines[3]).isEqualTo(expected);
      assertThat(summary.unrecognised()).isBetween(0L, 1L);
    }
  }

  /** gzip that was copied while it was written. */
  @ParameterizedTest
  @ValueSource(ints = {20, 40, 60, 80, 99})
  void packedDataMayBreakOff(int percent) throws IOException {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      events.addAll(events());
    }
    byte[] packed = gzip(lines(events, s -> s).getBytes(StandardCharsets.UTF_8));
    List<AuditEvent> read = new ArrayList<>();
    AuditLog.read(
        new ByteArrayInputStream(Arrays.copyOf(packed, packed.length * percent / 100)), read::add);
    assertThat(read).isNotEmpty().isEqualTo(expected(events).subList(0, read.size()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I1122 10:00:00.1 1 trace.go:236] Trace[1]: \"List\" url:/api/v1/pods",
        "{\"kind\":\"EventList\",\"apiVersion\":\"v1\",\"items\":[{\"kind\":\"Event\",\"apiVersion\":\"v1\",\"reason\":\"Failed\"}]}",
        "apiserver_resource_objects{group=\"\",resource=\"pods\"} 5000",
        "2026-11-22T10:00:00Z stdout F I1122 10:00:00.1 1 httplog.go:132]",
        "{\"log\":\"{\\\"a\\\":1}\\n\",\"stream\":\"stdout\"}",
        "{\"stage\":\"build\",\"verb\":\"run\"}",
        "{",
        "[[[[",
        "\"{\\\"requestURI",
        "{\"\"requestURI",
        "x AUDIT: id=\"",
        "\u0000\u0001\u0002",
      })
  void whatIsNoAuditEventIsCountedAndShown(String line) throws IOException {
    AuditLog.Read read =
        AuditLog.read(
            new ByteArrayInputStream((line + "\n").getBytes(StandardCharsets.UTF_8)), event -> {});
    assertThat(read.requests()).isZero();
    assertThat(read.unrecognised() + read.otherStages()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"28b52ffd00", "fd377a585a00", "425a6839", "504b0304"})
  void whatIsPackedInAnotherWayIsNamed(String beginning) {
    byte[] file = java.util.HexFormat.of().parseHex(beginning);
    assertThatThrownBy(() -> AuditLog.read(new ByteArrayInputStream(file), event -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is packed with ");
  }

  /** Bytes that nobody meant never stop the reader, and never make it find what was not written. */
  @ParameterizedTest
  @EnumSource
  void damageIsSurvived(Form form) throws IOException {
    List<String> events = events();
    byte[] file = form.writer.apply(events).getBytes(StandardCharsets.UTF_8);
    for (int run = 0; run < 40; run++) {
      byte[] damaged = file.clone();
      damaged[random.nextInt(file.length)] =
          (byte) "\n{}[]\",:x\\\u0000".charAt(random.nextInt(11));
      List<AuditEvent> read = new ArrayList<>();
      AuditLog.read(new ByteArrayInputStream(damaged), read::add);
      // One that is there twice is taken for two if only one of them is damaged.
      assertThat(read.size()).isLessThanOrEqualTo(EVENTS + (form == Form.ELASTIC_BOTH ? 1 : 0));
      if (form.isOfLines()) {
        assertThat(read).as(form + " " + run).hasSizeGreaterThanOrEqualTo(EVENTS - 2);
      }
    }
  }

  private static int newlines(byte[] bytes) {
    int count = 0;
    for (byte b : bytes) {
      count += b == '\n' ? 1 : 0;
    }
    return count;
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      events.add(event(i));
    }
    return events;
  }

  private String event(int i) {
    String odd = random.nextInt(3) == 0 ? "ä😀\\\"{[,\\\\" : "";
    String ns = "ns" + random.nextInt(5);
    return """
        {"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%08x-%d","stage":"ResponseComplete",\
        "requestURI":"/apis/apps/v1/namespaces/%s/deployments?limit=%d&labelSelector=a%%3D%%7B%d%%7D","verb":"list",\
        "user":{"username":"system:serviceaccount:%s:x","groups":["a","b"],"extra":{"k":["v"]}},"sourceIPs":["10.0.0.%d","10.9.9.9"],\
        "userAgent":"tool%s/v1.2 (linux)","objectRef":{"resource":"deployments","namespace":"%s","apiGroup":"apps","apiVersion":"v1"},\
        "responseStatus":{"metadata":{},"code":%d},"requestReceivedTimestamp":"2026-11-22T10:00:%02d.25%dZ",\
        "stageTimestamp":"2026-11-22T10:00:59.300000Z","annotations":{"authorization.k8s.io/decision":"allow"}}"""
        .formatted(
            random.nextInt(),
            i,
            ns,
            random.nextInt(500),
            i,
            ns,
            random.nextInt(250),
            odd,
            ns,
            random.nextBoolean() ? 200 : 429,
            i,
            random.nextInt(1000));
  }

  private static List<AuditEvent> expected(List<String> events) {
    return events.stream()
        .map(AuditFormsTest::tree)
        .map(
            e ->
                new AuditEvent(
                    "list",
                    e.at("/user/username").asText(),
                    e.get("userAgent").asText(),
                    e.at("/sourceIPs/0").asText(),
                    e.get("requestURI").asText(),
                    "apps/deployments",
                    e.at("/objectRef/namespace").asText(),
                    "",
                    e.at("/responseStatus/code").asInt(),
                    java.time.Instant.parse(e.get("requestReceivedTimestamp").asText())
                                .toEpochMilli()
                            * 1000
                        + java.time.Instant.parse(e.get("requestReceivedTimestamp").asText())
                                .getNano()
                            / 1000
                            % 1000))
        .toList();
  }

  private static String lines(List<String> events, Function<String, String> line) {
    return events.stream().map(line).map(s -> s + "\n").collect(Collectors.joining());
  }

  private static JsonNode tree(String json) {
    try {
      return JSON.readTree(json);
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

  private static String quoted(String text) {
    return JSON.getNodeFactory().textNode(text).toString();
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
    return parts(event + "\n").stream()
        .map(AuditFormsTest::docker)
        .collect(Collectors.joining("\n"));
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
      row.set(structures.get(i), asText ? JSON.getNodeFactory().textNode(value.toString()) : value);
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

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    // As 'cat a.gz b.gz' makes it.
    for (byte[] part :
        List.of(
            Arrays.copyOf(plain, plain.length / 2),
            Arrays.copyOfRange(plain, plain.length / 2, plain.length))) {
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write(part);
      }
    }
    return packed.toByteArray();
  }

  private static byte[] utf16(byte[] plain) {
    return ("\uFEFF" + new String(plain, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_16LE);
  }
}
