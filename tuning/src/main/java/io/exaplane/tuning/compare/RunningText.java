// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds programs in text: a process's command line, lines of ps, a unit of systemd, a shell script,
 * a list of flags alone.
 */
final class RunningText {
  /** What k3s and RKE2 hand on: --kube-apiserver-arg=max-requests-inflight=800. */
  private static final Pattern HANDED_ON =
      Pattern.compile(
          "-{0,2}(kube-apiserver|kube-controller-manager|kube-scheduler|kubelet|kube-proxy|etcd)-arg\\+?");

  /** What minikube hands on: --extra-config=apiserver.max-requests-inflight=800. */
  private static final Pattern EXTRA_CONFIG =
      Pattern.compile("(apiserver|controller-manager|scheduler|kubelet|proxy|etcd)\\.(.+)");

  /** Keys of units and names of variables behind which a command line stands. */
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "^\\s*(?:export\\s+)?(?i:ExecStart|Environment|\\w*(?:ARGS|OPTS|OPTIONS|FLAGS))=");

  /** How 'kubectl describe' shows variables. */
  private static final Pattern DESCRIBED =
      Pattern.compile("(?m)^\\s+(GOGC|GOMEMLIMIT):\\s+(\\S+)$");

  private static final Pattern DESCRIPTION = Pattern.compile("(?m)^\\s+Environment:");

  /** What 'systemctl cat' writes before each file; a drop-in belongs to the unit before. */
  private static final Pattern FILE_OF_UNIT = Pattern.compile("# /\\S+/[^/]+\\.service");

  private static final Pattern RESET = Pattern.compile("\\s*ExecStart=\\s*");

  /** How kube-apiserver and others begin their page of flags, and a line of that. */
  private static final Pattern FLAGZ =
      Pattern.compile("\\s*(kube-[a-z-]+|kubelet) flagz\\s[\\s\\S]*");

  private static final Pattern LINE_OF_FLAGZ =
      Pattern.compile("(?m)^([a-z][a-z0-9-]*)\\s*[=:]\\s*(.*?)\\s*$");

  /** Also behind the branches of a tree, as 'systemctl status' draws them. */
  private static final Pattern PID = Pattern.compile("\\W*\\d+");

  private static final Pattern UNIT = Pattern.compile("(?m)^\\s*ExecStart=");
  private final List<Running> found = new ArrayList<>();
  private final Map<String, List<String>> handedOn = new LinkedHashMap<>();
  private final List<String> variables = new ArrayList<>();
  private final boolean unit;
  private String name;
  private int lineOfName;
  private int ofUnit;
  private List<String> words = new ArrayList<>();

  private RunningText(boolean unit) {
    this.unit = unit;
  }

  /** What has flags; one without a name holds flags that nothing names. */
  static List<Running> of(String text) {
    Matcher page = FLAGZ.matcher(text);
    if (page.matches()) {
      List<String> flags =
          LINE_OF_FLAGZ
              .matcher(text)
              .results()
              .map(one -> "--" + one.group(1) + "=" + one.group(2))
              .toList();
      return List.of(new Running(page.group(1), "/flagz", flags, Map.of(), false));
    }
    boolean all = UNIT.matcher(text).find() || DESCRIPTION.matcher(text).find();
    RunningText reader = new RunningText(all);
    DESCRIBED
        .matcher(text)
        .results()
        .forEach(one -> reader.variables.add(one.group(1) + "=" + one.group(2)));
    if (text.indexOf('\0') >= 0) {
      reader.line(List.of(text.split("\0")), 1);
    } else {
      String joined = Variables.expanded(text.replaceAll("\\\\\\s*\\R", " "));
      int number = 0;
      for (String line : joined.split("\\R")) {
        number++;
        reader.unitFile(line);
        if (!line.stripLeading().startsWith(";")) {
          reader.line(Arguments.words(ASSIGNED.matcher(line).replaceFirst("")), number);
        }
      }
    }
    return reader.end();
  }

  /** An empty ExecStart takes back what the unit had before. */
  private void unitFile(String line) {
    if (FILE_OF_UNIT.matcher(line.strip()).matches()) {
      finish();
      name = null;
      ofUnit = found.size();
    } else if (unit && RESET.matcher(line).matches()) {
      finish();
      name = null;
      found.subList(ofUnit, found.size()).clear();
    }
  }

  /** The component of an argument that is handed on, or null. */
  static String handedOn(String key) {
    Matcher matcher = HANDED_ON.matcher(key);
    return matcher.matches() ? matcher.group(1) : null;
  }

  private void line(List<String> line, int number) {
    boolean ofArgument = false;
    boolean process = false;
    if (line.contains("grep") || line.stream().anyMatch(word -> word.endsWith("/grep"))) {
      return;
    }
    for (int i = 0; i < line.size(); i++) {
      String word = line.get(i);
      int equals = word.indexOf('=');
      String to = handedOn(equals < 0 ? word : word.substring(0, equals));
      Matcher extra =
          EXTRA_CONFIG.matcher(word.startsWith("--extra-config=") ? word.substring(15) : "");
      if (extra.matches()) {
        String known = extra.group(1);
        boolean bare = known.equals("kubelet") || known.equals("etcd");
        hand(bare ? known : "kube-" + known, extra.group(2));
        continue;
      }
      if (to != null && word.startsWith("-")) {
        String value =
            equals >= 0 ? word.substring(equals + 1) : ++i < line.size() ? line.get(i) : "";
        hand(to, value);
        continue;
      }
      String binary = ofArgument ? null : Running.binary(word);
      if (binary != null && !(binary.equals(name) && lineOfName == number)) {
        begin(binary, number);
        process = line.subList(0, i).stream().anyMatch(one -> PID.matcher(one).matches());
      } else if (binary == null) {
        words.add(word);
      }
      variables.add(word);
      ofArgument = word.startsWith("-") && equals < 0 && number == lineOfName;
    }
    if (process) {
      // The next line of ps is another program, known or not.
      finish();
      name = null;
    }
  }

  private void hand(String component, String value) {
    handedOn.computeIfAbsent(component, any -> new ArrayList<>()).add("--" + bare(value));
  }

  private static String bare(String value) {
    return value.replaceFirst("^-+", "");
  }

  private void begin(String binary, int number) {
    finish();
    name = binary;
    lineOfName = number;
  }

  private void finish() {
    boolean flags = words.stream().anyMatch(word -> word.startsWith("-"));
    if (flags) {
      List<String> unknown = Variables.unknown(words);
      String without = unknown.isEmpty() ? "" : " without " + String.join(", ", unknown);
      found.add(
          new Running(
              name == null ? "" : name,
              name == null ? "" : "line " + lineOfName + without,
              List.copyOf(words),
              Map.of(),
              unit));
    }
    words = new ArrayList<>();
  }

  private List<Running> end() {
    finish();
    Map<String, String> environment = Running.variables(variables);
    List<Running> all = new ArrayList<>();
    handedOn.forEach(
        (component, arguments) ->
            all.add(new Running(component, component + "-arg", arguments, environment, unit)));
    found.stream()
        .filter(running -> !running.name().isEmpty() || found.size() == 1 && handedOn.isEmpty())
        .map(r -> new Running(r.name(), r.where(), r.words(), environment, unit))
        .forEach(all::add);
    return all;
  }
}
