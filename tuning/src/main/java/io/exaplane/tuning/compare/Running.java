// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import io.exaplane.tuning.version.Component;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A program as a file describes it.
 *
 * @param name of the component's binary; of what is none of Kubernetes' the container's
 * @param where it stands in the file
 * @param words of its command line
 * @param environment as far as the file has it; {@link #ELSEWHERE} for a value of another object
 * @param knowsEnvironment whether the file would have a variable that is set
 * @param image of its container; empty if the file has none
 * @param memory limit of its container as a quantity; empty if the file has none
 */
public record Running(
    String name,
    String where,
    List<String> words,
    Map<String, String> environment,
    boolean knowsEnvironment,
    String image,
    String memory) {
  /** The value of a variable that the file takes from another object or field. */
  public static final String ELSEWHERE = "(valueFrom)";

  /** A program that is in no container. */
  Running(
      String name,
      String where,
      List<String> words,
      Map<String, String> environment,
      boolean knowsEnvironment) {
    this(name, where, words, environment, knowsEnvironment, "", "");
  }

  /** The component that it is, if flags of it are known. */
  public Optional<Component> component() {
    return byName(name);
  }

  /** As {@link Arguments#parse} gives them. */
  public Map<String, String> flags() {
    return Arguments.of(words);
  }

  static Optional<Component> byName(String name) {
    return Arrays.stream(Component.values())
        .filter(component -> component.label().equals(name))
        .findFirst();
  }

  /** With other words behind its own. */
  Running plus(List<String> more) {
    List<String> all = new ArrayList<>(words);
    all.addAll(more);
    return new Running(name, where, all, environment, knowsEnvironment, image, memory);
  }

  /** The component that a path or an image is of, as /usr/local/bin/kube-apiserver; or null. */
  static String binary(String word) {
    String bare = word.replaceAll("^[\"'\\[(]+|[\"',;\\])]+$", "");
    String base =
        bare.substring(Math.max(bare.lastIndexOf('/'), bare.lastIndexOf('\\')) + 1)
            .replaceFirst("[:@].*", "");
    base = base.replaceFirst("-(amd64|arm64|s390x|ppc64le)$|[.]exe$", "");
    return !bare.startsWith("-") && isBinary(base) ? base : null;
  }

  private static boolean isBinary(String base) {
    return switch (base) {
      case "kube-apiserver",
          "kube-controller-manager",
          "kube-scheduler",
          "kubelet",
          "kube-proxy",
          "etcd" ->
          true;
      default -> false;
    };
  }

  /** Variables of words such as GOGC=100. */
  static Map<String, String> variables(List<String> words) {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      if (equals > 0 && word.substring(0, equals).matches("[A-Z_][A-Z0-9_]*")) {
        String value = word.substring(equals + 1).replaceAll("^[\"']|[\"']$", "");
        variables.put(word.substring(0, equals), value);
      }
    }
    return variables;
  }
}
