// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The join script of a pool: one file for a POSIX shell. The same input gives the same text. Pure;
 * any thread.
 */
public final class JoinScript {
  private static final List<String> BODY =
      List.of(
          "tell",
          "read",
          "address",
          "source",
          "preflight",
          "api",
          "probe",
          "client",
          "hints",
          "write",
          "network",
          "run",
          "heartbeat",
          "join",
          "undo",
          "main");
  private static final Pattern TOKEN = Pattern.compile("[a-z0-9]{6}\\.[a-z0-9]{16}");
  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?");
  private static final Pattern SERVER = Pattern.compile("https://[0-9A-Za-z.:\\[\\]-]+");
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f.:]+(/\\d{1,3})?");
  private static final Pattern LABEL_VALUE =
      Pattern.compile("([0-9A-Za-z]([0-9A-Za-z._-]{0,61}[0-9A-Za-z])?)?");
  private static final Pattern LABEL_KEY =
      Pattern.compile("([0-9a-z.-]{1,253}/)?[0-9A-Za-z]([0-9A-Za-z._-]{0,61}[0-9A-Za-z])?");
  private static final Pattern EFFECT = Pattern.compile("NoSchedule|PreferNoSchedule|NoExecute");
  private static final Pattern POOL = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
  private static final Pattern EXIT_CODES =
      Pattern.compile("^EXIT_CODES='[^']*'\\n", Pattern.MULTILINE);
  private static final Pattern USAGE =
      Pattern.compile(
          "^usage\\(\\) \\{\\n  cat <<EOF\\n.*?^EOF\\n}\\n", Pattern.MULTILINE | Pattern.DOTALL);
  private static final Pattern DRY_RUN =
      Pattern.compile("^files_of_a_join\\(\\) \\{\\n.*?^}\\n", Pattern.MULTILINE | Pattern.DOTALL);

  /** The next action of a failure: the last word of its line, a sentence in quotes. */
  private static final Pattern ACTION =
      Pattern.compile(
          "^(.*\\b(?:fail|bad) [0-9\"$].*) \"[A-Z][^\"\\\\]*\"( ;;| \\}|)$", Pattern.MULTILINE);

  private static final Pattern SOURCE = Pattern.compile("^SOURCE='(\\w+)'$", Pattern.MULTILINE);

  private static final String FUNCTION = "^%1$s\\(\\) \\{(\\n.*?^}\\n(?=\\n|\\z)| [^\\n]* }\\n)";
  private static final String CALL = "|^ *(\\w+\\) )?%1$s( ;;)?\\n";

  /**
   * Of prefixes that no server delegated: whoever delegates one also leads packets there, so nobody
   * has to try that, or to answer solicitations.
   */
  private static final List<String> DELIVERY =
      List.of(
          "check_delivery",
          "delivery_begin",
          "delivery_end",
          "delivery_told",
          "last_address",
          "hexadecimal",
          "proxy_sysctls",
          "proxy_range",
          "proxy_entries",
          "pod_addresses",
          "kept_neighbors",
          "start_ndppd",
          "ndppd_file");

  private static final List<String> CLIENT =
      List.of(
          "delegated_parts",
          "no_delegated",
          "requested_prefixes",
          "requested",
          "from_prefix",
          "requested_sysctls",
          "client_config",
          "client_hook",
          "client_start",
          "check_client",
          "client_ask",
          "client_say",
          "client_back",
          "client_end",
          "own_of_prefix",
          "start_client",
          "undo_client");

  /** By sources of prefixes, the functions that hosts of other sources do not need in user data. */
  private static final Map<String, List<String>> OF_SOURCE =
      Map.of(
          "StaticPrefix",
              with(DELIVERY, "static_prefixes", "routed_prefixes", "parts_of_own", "no_static"),
          "HostPrefix",
              with(
                  DELIVERY,
                  "derived_part",
                  "own_networks",
                  "derived_prefixes",
                  "next_part",
                  "no_derived"),
          "DelegatedPrefix",
              with(
                  DELIVERY,
                  "metadata_text",
                  "delegated_prefixes",
                  "delegated_parts",
                  "firewall_metadata",
                  "no_delegated"),
          "RequestedPrefix", CLIENT);

  private static final String POOL_LABEL = "exaplane.io/pool";

  private JoinScript() {}

  /**
   * Renders the script.
   *
   * @throws IllegalArgumentException with field, value, rule and next action, for a value that no
   *     node could take; no value of the token is in the message
   */
  public static String render(JoinInput input) {
    check(input);
    return part("head.sh")
        + values(input)
        + BODY.stream()
            .flatMap(name -> input.network().isAuto() ? withAuto(name) : Stream.of(name))
            .map(name -> part(name + ".sh"))
            .collect(Collectors.joining("\n"));
  }

  /** Its functions take the place of those before. Scripts of other pools do not have them. */
  private static Stream<String> withAuto(String name) {
    return name.equals("probe") ? Stream.of(name, "auto") : Stream.of(name);
  }

  /**
   * The script for user data, whose length clouds limit: without its help, the list of {@code
   * --dry-run}, the checks that only warn, and the functions of other sources of prefixes; with the
   * page in place of next actions; without comments and, in its body, without indents and with
   * short names. Values of the pool stay as they are.
   *
   * @param script what {@link #render} gave
   */
  static String compact(String script) {
    int body = script.indexOf("\n# --- ") + 1;
    String rest =
        DRY_RUN
            .matcher(
                USAGE
                    .matcher(ofSource(script, script.substring(body).replace(part("hints.sh"), "")))
                    .replaceFirst("usage() { say 'see https://exaplane.io/docs/node-join'; }\n"))
            .replaceFirst("files_of_a_join() { usage; }\n");
    String shorter =
        ACTION
            .matcher(
                EXIT_CODES
                    .matcher(rest)
                    .replaceFirst("EXIT_CODES='  see https://exaplane.io/docs/node-join'\n"))
            .replaceAll("$1$2");
    String head = part("head.sh");
    return bare(head) + script.substring(head.length(), body) + ShortNames.of(bare(shorter));
  }

  /** Without comments, empty lines and indents. */
  private static String bare(String script) {
    return script
        .lines()
        .map(String::stripLeading)
        .filter(line -> !line.isEmpty() && !line.startsWith("# "))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static List<String> with(List<String> some, String... more) {
    return Stream.concat(some.stream(), Stream.of(more)).toList();
  }

  /**
   * The body without what only hosts of other sources than this script's use: functions, and lines
   * that do nothing but call one of them.
   */
  private static String ofSource(String script, String body) {
    Matcher source = SOURCE.matcher(script);
    List<String> own = OF_SOURCE.getOrDefault(source.find() ? source.group(1) : "", List.of());
    boolean isAuto = script.contains("\nNEIGHBORS='Auto'\n");
    String rest = isAuto ? pattern(FUNCTION, "delivery_told").matcher(body).replaceFirst("") : body;
    List<String> others =
        OF_SOURCE.values().stream()
            .flatMap(List::stream)
            .filter(name -> !own.contains(name))
            .distinct()
            .toList();
    for (String name : isAuto ? with(others, "start_ndppd", "ndppd_file") : others) {
      rest = pattern(FUNCTION + CALL, name).matcher(rest).replaceAll("");
    }
    return rest;
  }

  private static Pattern pattern(String form, String name) {
    return Pattern.compile(form.formatted(name), Pattern.MULTILINE | Pattern.DOTALL);
  }

  private static void check(JoinInput input) {
    require(SERVER, "server", input.server(), "be https:// with a host and a port");
    if (!TOKEN.matcher(input.token()).matches()) {
      throw new IllegalArgumentException(
          "token must be six characters, a dot and sixteen characters, of a-z and 0-9; make a new"
              + " bootstrap token");
    }
    require(POOL, "pool", input.pool(), "be the name of a NodePool");
    require(VERSION, "version", input.version(), "be a version such as 1.37.2");
    require(ADDRESS, "clusterDns", input.clusterDns(), "be an IP address");
    input.prefixes().forEach(p -> require(ADDRESS, "prefixes", p, "be a CIDR"));
    for (Map.Entry<String, String> label : input.labels().entrySet()) {
      require(LABEL_KEY, "labels", label.getKey(), "be the key of a label");
      require(LABEL_VALUE, "labels", label.getValue(), "be the value of a label");
    }
    for (JoinInput.Taint taint : input.taints()) {
      require(LABEL_KEY, "taints", taint.key(), "be the key of a taint");
      require(LABEL_VALUE, "taints", taint.value(), "be the value of a taint");
      require(EFFECT, "taints", taint.effect(), "be NoSchedule, PreferNoSchedule or NoExecute");
    }
  }

  static void require(Pattern pattern, String field, String value, String rule) {
    if (!pattern.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "%s: '%s' must %s; change the value".formatted(field, value, rule));
    }
  }

  private static String values(JoinInput input) {
    ObjectNode kubelet = JoinFiles.kubelet(input);
    int maxPods = kubelet.path("maxPods").asInt(JoinFiles.DEFAULT_MAX_PODS);
    String length =
        input.podPrefixLength().isPresent()
            ? Integer.toString(input.podPrefixLength().getAsInt())
            : "";
    StringBuilder text = new StringBuilder();
    text.append(ShellText.assignment("SERVER", input.server()));
    text.append(ShellText.assignment("CA_PEM", input.caPem().strip() + "\n"));
    text.append(ShellText.assignment("TOKEN", input.token()));
    text.append(
        ShellText.assignment(
            "TOKEN_EXPIRES", Long.toString(input.tokenExpires().getEpochSecond())));
    text.append(ShellText.assignment("POOL", input.pool()));
    text.append(ShellText.assignment("VERSION", input.version()));
    text.append(ShellText.assignment("NODE_LABELS", labels(input)));
    text.append(ShellText.assignment("CLUSTER_DNS", input.clusterDns()));
    text.append(ShellText.assignment("PREFIX_LENGTH", length));
    text.append(ShellText.assignment("POOL_PREFIXES", String.join(" ", input.prefixes())));
    text.append(HostNetworkText.render(input.network()));
    text.append(ShellText.assignment("MAX_PODS", Integer.toString(maxPods)));
    text.append(ShellText.assignment("HEARTBEATS", JoinFiles.heartbeats(kubelet)));
    text.append(ShellText.assignment("KUBELET_CONFIG", JoinFiles.text(kubelet)));
    text.append(
        ShellText.assignment(
            "BOOTSTRAP_KUBECONFIG", JoinFiles.text(JoinFiles.bootstrapKubeconfig(input))));
    text.append(
        ShellText.assignment("PROXY_KUBECONFIG", JoinFiles.text(JoinFiles.proxyKubeconfig(input))));
    text.append(ShellText.assignment("PROXY_CONFIG", JoinFiles.text(JoinFiles.proxy(input))));
    return text.append('\n').toString();
  }

  private static String labels(JoinInput input) {
    return POOL_LABEL
        + "="
        + input.pool()
        + input.sortedLabels().entrySet().stream()
            .map(label -> "," + label.getKey() + "=" + label.getValue())
            .collect(Collectors.joining());
  }

  static String part(String name) {
    try (InputStream file = JoinScript.class.getResourceAsStream("/nodepool/join/" + name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
