// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How it is written; structured forms as JSON, which is YAML, too. */
enum RunningForm {
  CMDLINE((c, f) -> "/usr/local/bin/" + c + "\0" + String.join("\0", f) + "\0", false, false),
  CMDLINE_SPACED((c, f) -> (c + "=" + String.join("=", f)).replace('=', '\0'), false, false),
  PS(
      (c, f) ->
          "USER PID COMMAND\nroot 1 0.0 /sbin/init --switched-root\nroot 2 1.0 /usr/bin/"
              + c
              + " "
              + String.join(" ", f)
              + "\nroot 3 0.0 etcd --name=x --data-dir=/d\nme 4 0.0 grep --color=auto "
              + c
              + "\n",
      false,
      false),
  SHELL((c, f) -> "GOGC=80 exec " + c + " \\\n  " + String.join(" \\\n  ", f) + "\n", false, false),
  HYPERKUBE((c, f) -> "/hyperkube " + c + " " + String.join(" ", f), false, false),
  UNIT(
      (c, f) ->
          "[Unit]\n"
              + "Description=Kubernetes\n\n"
              + "[Service]\n"
              + "Environment=\"GOGC=80\" X=1\n"
              + "ExecStart=/usr/bin/"
              + c
              + " \\\n  "
              + String.join(" \\\n  ", f)
              + "\nRestart=always\n",
      false,
      true),
  K3S_UNIT(
      (c, f) ->
          "[Service]\nEnvironment=GOGC=80\nExecStart=/usr/local/bin/k3s \\\n    server \\\n"
              + f.stream()
                  .map(s -> "    '--" + c + "-arg=" + s.substring(2) + "' \\\n")
                  .collect(Collectors.joining()),
      false,
      true),
  K3S_SPACED(
      (c, f) ->
          "k3s server --tls-san x "
              + f.stream()
                  .map(s -> "--" + c + "-arg " + s.substring(2))
                  .collect(Collectors.joining(" ")),
      false,
      false),
  K3S_CONFIG((c, f) -> json(Map.of("tls-san", List.of("x"), c + "-arg", bare(f))), true, false),
  RANCHER(
      (c, f) ->
          json(
              Map.of(
                  "spec",
                  Map.of("rkeConfig", Map.of("machineGlobalConfig", Map.of(c + "-arg", bare(f)))))),
      true,
      false),
  RKE(
      (c, f) ->
          json(
              Map.of(
                  "services",
                  Map.of(
                      section(c, "kube-api", "kube-controller"),
                      Map.of("extra_args", map(f), "extra_env", List.of("GOGC=80"))))),
      true,
      true),
  KUBEADM(
      (c, f) ->
          json(
              Map.of(
                  "kind",
                  "ClusterConfiguration",
                  section(c, "apiServer", "controllerManager"),
                  Map.of(
                      "extraArgs",
                      map(f),
                      "extraEnvs",
                      List.of(Map.of("name", "GOGC", "value", "80"))))),
      true,
      true),
  KUBEADM_LIST(
      (c, f) ->
          json(
              Map.of(
                  section(c, "apiServer", "controllerManager"),
                  Map.of(
                      "extraArgs",
                      map(f).entrySet().stream()
                          .map(e -> Map.of("name", e.getKey(), "value", e.getValue()))
                          .toList(),
                      "extraEnvs",
                      List.of(Map.of("name", "GOGC", "value", "80"))))),
      true,
      true),
  STATIC_POD(
      (c, f) ->
          pod(
              Map.of(
                  "name",
                  "main",
                  "image",
                  "registry/" + c + ":v1.36.3",
                  "command",
                  all(c, f),
                  "env",
                  env())),
      true,
      true),
  ARGS_ALONE(
      (c, f) ->
          pod(
              Map.of(
                  "name",
                  "main",
                  "image",
                  "registry/" + c + "-amd64:v1.36.3",
                  "args",
                  f,
                  "env",
                  env())),
      true,
      true),
  SHELL_IN_POD(
      (c, f) ->
          pod(
              Map.of(
                  "name",
                  "main",
                  "command",
                  List.of("/bin/sh", "-c"),
                  "args",
                  List.of("exec /usr/local/bin/" + c + " " + String.join(" ", f) + " 2>&1"),
                  "env",
                  env())),
      true,
      true),
  DOCKER(
      (c, f) ->
          json(
              List.of(
                  Map.of(
                      "Name",
                      "/k8s_x",
                      "Path",
                      c,
                      "Args",
                      f,
                      "Config",
                      Map.of("Env", List.of("PATH=/bin", "GOGC=80"))))),
      true,
      true),
  CRICTL(
      (c, f) ->
          json(
              Map.of(
                  "info",
                  Map.of(
                      "config",
                      Map.of(
                          "command",
                          List.of(c),
                          "args",
                          f,
                          "envs",
                          List.of(Map.of("key", "GOGC", "value", "80")))))),
      true,
      true),
  K3S_MORE((c, f) -> json(Map.of(c + "-arg+", bare(f))), true, false),
  CONFIG_MAP(
      (c, f) ->
          json(
              Map.of(
                  "kind", "ConfigMap", "data", Map.of("ClusterConfiguration", KUBEADM.file(c, f)))),
      true,
      true),
  TALOS(
      (c, f) ->
          json(
              Map.of(
                  "cluster",
                  Map.of(
                      section(c, "apiServer", "controllerManager"),
                      Map.of("extraArgs", map(f), "env", Map.of("GOGC", "80"))))),
      true,
      true),
  LOG(
      (c, f) ->
          f.stream()
              .map(s -> s.replaceFirst("=", "=\"") + "\"")
              .map(s -> "I1122 10:00:00.000000       1 flags.go:64] FLAG: " + s + "\n")
              .collect(Collectors.joining()),
      false,
      false),
  MINIKUBE(
      (c, f) ->
          "minikube start --nodes=2 "
              + f.stream()
                  .map(s -> "--extra-config=" + c.replace("kube-", "") + "." + s.substring(2))
                  .collect(Collectors.joining(" ")),
      false,
      false),
  OPENRC(
      (c, f) -> "command=\"/usr/bin/" + c + "\"\ncommand_args=\"" + String.join(" ", f) + "\"\n",
      false,
      false),
  SUPERVISOR(
      (c, f) ->
          "[program:"
              + c
              + "]\ncommand=/usr/local/bin/"
              + c
              + " "
              + String.join(" ", f)
              + "\nautorestart=true\n",
      false,
      false),
  RUNIT(
      (c, f) ->
          "#!/bin/sh\nexec 2>&1\nexec chpst -u kube /usr/bin/"
              + c
              + " "
              + String.join(" ", f)
              + "\n",
      false,
      false),
  LIST_OF_DEPLOYMENTS(
      (c, f) ->
          json(
              Map.of(
                  "kind",
                  "List",
                  "items",
                  List.of(
                      Map.of(
                          "kind",
                          "Deployment",
                          "spec",
                          Map.of(
                              "template",
                              Map.of(
                                  "spec",
                                  Map.of(
                                      "containers",
                                      List.of(
                                          Map.of(
                                              "name",
                                              c,
                                              "command",
                                              all(c, f),
                                              "env",
                                              List.of(
                                                  Map.of("name", "GOGC", "value", "80"))))))))))),
      true,
      true),
  DESCRIBE(
      (c, f) ->
          "Name: cp\nContainers:\n  main:\n    Image: registry/x:v1\n    Command:\n      "
              + String.join("\n      ", all(c, f))
              + "\n    State:  Running\n    Environment:\n      GOGC:  80\n    Mounts:\n",
      false,
      true),
  FLAGS_ALONE((c, f) -> String.join("\n", f), false, false),
  LIST_ALONE((c, f) -> "- " + String.join("\n- ", f), false, false),
  ENVIRONMENT_FILE((c, f) -> "KUBELET_EXTRA_ARGS=\"" + String.join(" ", f) + "\"\n", false, false);

  private final BiFunction<String, List<String>, String> writer;
  private final boolean structured;
  private final boolean environment;

  RunningForm(
      BiFunction<String, List<String>, String> writer, boolean structured, boolean environment) {
    this.writer = writer;
    this.structured = structured;
    this.environment = environment;
  }

  String file(String component, List<String> flags) {
    return writer.apply(component, flags);
  }

  boolean isStructured() {
    return structured;
  }

  boolean hasEnvironment() {
    return environment;
  }

  static String json(Object tree) {
    try {
      return new JsonMapper().writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  static List<String> bare(List<String> flags) {
    return flags.stream().map(f -> f.substring(2)).toList();
  }

  static Map<String, String> map(List<String> flags) {
    return flags.stream()
        .map(f -> f.substring(2).split("=", 2))
        .collect(Collectors.toMap(f -> f[0], f -> f[1]));
  }

  static String section(String component, String server, String controllers) {
    return switch (component) {
      case "kube-apiserver" -> server;
      case "kube-controller-manager" -> controllers;
      case "kube-scheduler" -> "scheduler";
      default -> "kubelet";
    };
  }

  static List<String> all(String component, List<String> flags) {
    return Stream.concat(Stream.of(component), flags.stream()).toList();
  }

  static List<Map<String, String>> env() {
    return new ArrayList<>(List.of(Map.of("name", "GOGC", "value", "80")));
  }

  static String pod(Map<String, Object> container) {
    return json(object("Pod", "cp", List.of(container)));
  }

  static Map<String, Object> object(String kind, String name, List<?> containers) {
    Map<String, Object> spec = Map.of("containers", containers);
    return Map.of(
        "kind",
        kind,
        "metadata",
        Map.of("name", name),
        "spec",
        kind.equals("Pod") ? spec : Map.of("template", Map.of("spec", spec)));
  }
}
