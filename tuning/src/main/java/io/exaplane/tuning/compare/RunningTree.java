// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.VersionMatrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds programs in a document of YAML or JSON: containers of pods and of what makes pods, of
 * Docker and crictl; the arguments that k3s, RKE, kubeadm, Talos, k0s and OpenShift hand on, also
 * in JSON patches; the fields of kops, Gardener and kubespray.
 */
final class RunningTree {
  /** The kind of the kubelet's file, and where flags are that are fields of it. */
  static final String CONFIGURATION = "KubeletConfiguration";

  private static final List<String> EXTRA =
      List.of("extraArgs", "extra_args", "kubeletExtraArgs", "flags");

  /** Section and arguments in one word: EKS Anywhere, KubeKey, kubespray. */
  private static final Pattern SECTION_AND_ARGUMENTS =
      Pattern.compile(
          "(?i)(?:kube_kubeadm_)?(?:kube)?(apiserver|controllermanager|controller|scheduler|kubelet)_?(?:extra_?args|args|custom_flags)");

  /** Other fields of kubespray. */
  private static final Pattern VARIABLE =
      Pattern.compile("(?:kube_(apiserver|controller_manager|scheduler)|(kubelet))_(\\w+)");

  private static final List<String> EXTRA_ENVIRONMENT = List.of("extraEnvs", "extra_env", "env");

  /** Under which names other tools' files have the components. */
  private static final Map<String, String> SECTIONS =
      Map.ofEntries(
          Map.entry("apiServer", "kube-apiserver"),
          Map.entry("kubeAPIServer", "kube-apiserver"),
          Map.entry("kube-api", "kube-apiserver"),
          Map.entry("api", "kube-apiserver"),
          Map.entry("controllerManager", "kube-controller-manager"),
          Map.entry("kubeControllerManager", "kube-controller-manager"),
          Map.entry("kube-controller", "kube-controller-manager"),
          Map.entry("scheduler", "kube-scheduler"),
          Map.entry("kubeScheduler", "kube-scheduler"),
          Map.entry("kubelet", "kubelet"),
          Map.entry("nodeRegistration", "kubelet"),
          Map.entry("kubeproxy", "kube-proxy"));

  /** OpenShift's maps of flags, each with a list of values; of which component if one has it. */
  private static final Map<String, String> FLAGS =
      Map.of("apiServerArguments", "kube-apiserver", "extendedArguments", "");

  private static final String VARIABLES = "variables";

  private static final int MOST_EMBEDDED = 4;

  private final List<Running> found = new ArrayList<>();
  private final Function<String, List<Object>> parser;
  private final NamedFields fields;
  private boolean ofTool;
  private int embedded;

  private RunningTree(Function<String, List<Object>> parser, VersionMatrix matrix) {
    this.parser = parser;
    this.fields = new NamedFields(matrix);
  }

  /**
   * Of documents.
   *
   * @param parser reads documents that stand in a string, as ConfigMaps have them
   */
  static List<Running> of(
      List<Object> documents, Function<String, List<Object>> parser, VersionMatrix matrix) {
    RunningTree tree = new RunningTree(parser, matrix);
    documents.forEach(document -> tree.walk(document, "", ""));
    return tree.found;
  }

  private void walk(Object node, String key, String object) {
    if (node instanceof String text) {
      embedded(text, key, object);
    } else if (node instanceof List<?> list) {
      list.forEach(element -> walk(element, key, object));
    } else if (node instanceof Map<?, ?> map) {
      String here = map.containsKey("kind") ? name(map) : object;
      ofTool = map.containsKey("kind") ? NamedFields.isOfTool(map) : ofTool;
      if (container(map, here) || patch(map) || page(map) || option(map)) {
        return;
      }
      String section = SECTIONS.get(key);
      if (section != null && ofTool) {
        List<String> flags = fields.flags(section, map);
        if (!flags.isEmpty()) {
          add(section, key, flags, Map.of(), false);
        }
      }
      boolean isObject = map.containsKey("kind") || map.containsKey("spec");
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        String field = String.valueOf(entry.getKey());
        if (isObject && field.equals("metadata")) {
          continue; // annotations have what was applied once
        }
        String handedOn = RunningText.handedOn(field);
        String owner = ownerOfFlags(field, here);
        if (owner != null && entry.getValue() instanceof Map<?, ?> flags) {
          add(owner, field, flags(flags), Map.of(), false);
        } else if (handedOn != null) {
          Object extra = map.get(handedOn + "-extra-env");
          add(handedOn, field, flags(entry.getValue()), environment(listed(extra)), extra != null);
        } else if (joined(field, entry.getValue())) {
          continue;
        } else if (EXTRA.contains(field) && bySection(entry.getValue(), field)) {
          continue;
        } else if (section != null && EXTRA.contains(field)) {
          Map<String, String> environment =
              EXTRA_ENVIRONMENT.stream()
                  .map(map::get)
                  .filter(Objects::nonNull)
                  .map(RunningTree::environment)
                  .findFirst()
                  .orElse(Map.of());
          add(section, key + "." + field, flags(entry.getValue()), environment, true);
        } else {
          walk(entry.getValue(), field, here);
        }
      }
    }
  }

  /** A field whose name tells the component. */
  private boolean joined(String field, Object value) {
    Matcher matcher = SECTION_AND_ARGUMENTS.matcher(field);
    if (!field.equals("kubeletExtraArgs") && matcher.matches()) {
      boolean any = value instanceof Map<?, ?> map ? !map.isEmpty() : value instanceof List<?>;
      if (any) {
        String where = field.contains("_") ? VARIABLES : field;
        add(component(matcher.group(1)), where, flags(value), Map.of(), false);
      }
      return any;
    }
    Matcher variable = VARIABLE.matcher(field);
    if (!variable.matches() || value instanceof Map<?, ?> || value == null) {
      return false;
    }
    String component = component(variable.group(1) == null ? "kubelet" : variable.group(1));
    String flag = fields.flag(component, variable.group(3));
    if (flag != null) {
      add(component, VARIABLES, List.of("--" + flag + "=" + text(value)), Map.of(), false);
    }
    return flag != null;
  }

  private static String component(String word) {
    return switch (word.toLowerCase(Locale.ROOT).charAt(0)) {
      case 'a' -> "kube-apiserver";
      case 'c' -> "kube-controller-manager";
      case 's' -> "kube-scheduler";
      default -> "kubelet";
    };
  }

  /** Kamaji has the components below the arguments. */
  private boolean bySection(Object value, String field) {
    if (!(value instanceof Map<?, ?> map)
        || map.isEmpty()
        || !map.keySet().stream().allMatch(one -> SECTIONS.containsKey(one) || "kine".equals(one))
        || !map.values().stream().allMatch(one -> one instanceof List<?>)) {
      return false;
    }
    map.forEach(
        (section, words) -> {
          if (SECTIONS.containsKey(section)) {
            String where = field + "." + section;
            add(SECTIONS.get(section), where, flags(words), Map.of(), false);
          }
        });
    return true;
  }

  /** An operation of a JSON patch on a component's arguments. */
  private boolean patch(Map<?, ?> map) {
    if (!map.containsKey("op") || !(map.get("path") instanceof String path)) {
      return false;
    }
    List<String> steps = List.of(path.split("/"));
    for (int i = 0; i + 1 < steps.size(); i++) {
      String section = SECTIONS.get(steps.get(i));
      if (section == null || !EXTRA.contains(steps.get(i + 1)) || map.get("value") == null) {
        continue;
      }
      String flag = i + 2 < steps.size() ? steps.get(i + 2) : "";
      Object value = map.get("value");
      boolean element = flag.matches("-|\\d+");
      Object flags =
          flag.isEmpty()
              ? value
              : element ? List.of(value) : Map.of(flag.replace("~1", "/"), value);
      add(section, steps.get(i) + "." + steps.get(i + 1), flags(flags), Map.of(), false);
      return true;
    }
    return false;
  }

  /** An option of minikube's profile. */
  private boolean option(Map<?, ?> map) {
    if (!(map.get("Component") instanceof String component
        && map.get("Key") instanceof String key)) {
      return false;
    }
    boolean bare = component.equals("kubelet") || component.equals("etcd");
    String name = bare ? component : "kube-" + component;
    add(name, "ExtraOptions", List.of("--" + key + "=" + map.get("Value")), Map.of(), false);
    return true;
  }

  private static Object listed(Object value) {
    return value instanceof String one ? List.of(one) : value;
  }

  /** What a component answers at /flagz, and the kubelet's configuration, also of /configz. */
  private boolean page(Map<?, ?> map) {
    if ("Flagz".equals(map.get("kind")) && map.get("flags") instanceof Map<?, ?> flags) {
      Object name = map.get("metadata") instanceof Map<?, ?> meta ? meta.get("name") : "";
      add(String.valueOf(name), "/flagz", flags(flags), Map.of(), false);
      return true;
    }
    boolean asked = map.get("kubeletconfig") instanceof Map<?, ?>;
    if (asked || CONFIGURATION.equals(map.get("kind"))) {
      Map<?, ?> settings = asked ? (Map<?, ?>) map.get("kubeletconfig") : map;
      List<String> flags = fields.flags("kubelet", settings);
      if (!flags.isEmpty()) {
        add("kubelet", CONFIGURATION, flags, Map.of(), false);
      }
      return true;
    }
    return false;
  }

  /** A document or a command line that stands in a string. */
  private void embedded(String text, String key, String object) {
    boolean several = text.indexOf('\n') >= 0 || text.startsWith("{");
    if (!several || text.indexOf(':') < 0 || embedded >= MOST_EMBEDDED) {
      return;
    }
    embedded++;
    parser.apply(text).stream()
        .filter(document -> !(document instanceof String))
        .forEach(document -> walk(document, key, object));
    embedded--;
  }

  private static String ownerOfFlags(String field, String object) {
    String owner = FLAGS.get(field);
    if (owner == null || !owner.isEmpty()) {
      return owner;
    }
    return object.startsWith("KubeControllerManager") ? "kube-controller-manager" : null;
  }

  private static String name(Map<?, ?> object) {
    Object name = object.get("metadata") instanceof Map<?, ?> meta ? meta.get("name") : null;
    return object.get("kind") + (name == null ? "" : " " + name);
  }

  private void add(
      String name, String where, List<String> words, Map<String, String> environment, boolean all) {
    put(new Running(name, where, words, environment, all));
  }

  private void put(Running running) {
    for (int i = 0; i < found.size(); i++) {
      Running before = found.get(i);
      if (before.name().equals(running.name()) && before.where().equals(running.where())) {
        found.set(i, before.plus(running.words()));
        return;
      }
    }
    found.add(running);
  }

  /** A map with a command line: of a pod's container, of Docker's or crictl's inspect. */
  private boolean container(Map<?, ?> map, String object) {
    List<String> command = new ArrayList<>(strings(map.get("command")));
    command.addAll(strings(map.get("args")));
    if (map.get("Path") instanceof String path && map.get("Args") instanceof List<?> arguments) {
      command.add(path);
      command.addAll(strings(arguments));
    }
    if (command.isEmpty()) {
      return false;
    }
    CommandLine line = CommandLine.of(command);
    String container =
        Stream.of("name", "Name")
            .map(map::get)
            .filter(Objects::nonNull)
            .map(String::valueOf)
            .findFirst()
            .orElse("");
    String image = map.get("image") instanceof String one ? one : "";
    String name = line.component() == null ? component(image, container) : line.component();
    Object environment =
        Stream.of(map.get("env"), map.get("envs"), map.get("environment"), config(map))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(List.of());
    String where =
        (container.isEmpty() ? "a container" : "container " + container)
            + (object.isEmpty() ? "" : " of " + object);
    put(new Running(name, where, line.words(), environment(environment), true, image, memory(map)));
    return true;
  }

  private static String memory(Map<?, ?> container) {
    return container.get("resources") instanceof Map<?, ?> resources
            && resources.get("limits") instanceof Map<?, ?> limits
            && limits.get("memory") != null
        ? String.valueOf(limits.get("memory"))
        : "";
  }

  private static Object config(Map<?, ?> map) {
    return map.get("Config") instanceof Map<?, ?> config ? config.get("Env") : null;
  }

  /** Of a command line that does not name it. */
  private static String component(String image, String container) {
    return Stream.of(image, container)
        .map(Running::binary)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(container);
  }

  private static List<String> strings(Object value) {
    return value instanceof List<?> list
        ? list.stream().map(String::valueOf).toList()
        : value instanceof String one ? List.of(one) : List.of();
  }

  /** A list of name=value, with or without dashes, or of name and value; or a map. */
  private static List<String> flags(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(e -> "--" + e.getKey() + "=" + text(e.getValue()))
          .toList();
    }
    if (!(value instanceof List<?> list)) {
      return value == null ? List.of() : List.of("--" + text(value).replaceFirst("^-+", ""));
    }
    return list.stream()
        .map(
            element ->
                element instanceof Map<?, ?> pair && pair.containsKey("name")
                    ? "--" + pair.get("name") + "=" + text(pair.get("value"))
                    : "--" + text(element).replaceFirst("^-+", ""))
        .toList();
  }

  static String text(Object value) {
    return value instanceof List<?> list
        ? String.join(",", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }

  private static Map<String, String> environment(Object value) {
    Map<String, String> environment = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, one) -> environment.put(String.valueOf(name), String.valueOf(one)));
    } else if (value instanceof List<?> list) {
      for (Object element : list) {
        if (element instanceof Map<?, ?> pair) {
          Object name = pair.containsKey("name") ? pair.get("name") : pair.get("key");
          Object one = pair.containsKey("valueFrom") ? Running.ELSEWHERE : pair.get("value");
          environment.put(String.valueOf(name), one == null ? "" : String.valueOf(one));
        } else {
          environment.putAll(Running.variables(List.of(String.valueOf(element))));
        }
      }
    }
    return environment;
  }
}
