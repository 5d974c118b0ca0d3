// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.cli.plane.SupportBundle;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Every option of every command that takes a file, from the commands themselves: each one that
 * reads data takes it plain, by gzip, and from the standard input. Of the others a line says why
 * not.
 */
class FileOptionsTest {
  private static final Pattern NAMED = Pattern.compile("(FILE|DIR)\\b.*");
  private static final String METRICS =
      "apiserver_resource_objects{group=\"\",resource=\"pods\"} 5000\n";
  private static final String EVENT =
      "{\"stage\":\"ResponseComplete\",\"requestURI\":\"/api/v1/pods\",\"verb\":\"list\","
          + "\"user\":{\"username\":\"u\"},\"requestReceivedTimestamp\":\"2026-11-22T10:00:00Z\"}\n";
  private static final String CLUSTER =
      "{kind: List, items: [{kind: Node, metadata: {name: n1}, status: {allocatable: {pods: '9'}}},"
          + " {kind: Pod, metadata: {name: p}}]}";

  /** A command line with FILE, and the content of the file; the output has the words. */
  private record Reader(String command, String content, String words) {}

  private static final Map<String, Reader> READERS =
      Map.ofEntries(
          Map.entry("tune --file", new Reader("tune -f FILE", "nodes: 5000\n", "max-requests")),
          Map.entry("plan --file", new Reader("plan -f FILE", "nodes: 5000\n", "5,000")),
          Map.entry(
              "addr plan --file",
              new Reader("addr plan -f FILE", "provider: aws\nnodes: 5000\n", "aws")),
          Map.entry(
              "tune --diff",
              new Reader(
                  "tune --diff FILE", "kube-apiserver --max-requests-inflight=399\n", "399")),
          Map.entry("lists --metrics", new Reader("lists --metrics FILE", METRICS, "RESOURCE")),
          Map.entry(
              "lists --inventory",
              new Reader("lists --inventory FILE", "{pods: {objects: 5}}", "RESOURCE")),
          Map.entry(
              "lists --audit-log",
              new Reader(
                  "lists --metrics METRICS --audit-log FILE", EVENT, "1 requests of 1 clients")),
          Map.entry("simulate --file", new Reader("simulate -f FILE", CLUSTER, "n1")),
          Map.entry(
              "simulate --config",
              new Reader(
                  "simulate -f CLUSTER --config FILE",
                  "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration}",
                  "n1")),
          // What is wrong with an object is told before any server is asked.
          Map.entry("apply --filename", new Reader("apply -f FILE", "kind: [\n", "not valid YAML")),
          Map.entry(
              "crds cost --filename",
              new Reader(
                  "crds cost -f FILE",
                  """
                  apiVersion: apiextensions.k8s.io/v1
                  kind: CustomResourceDefinition
                  metadata: {name: widgets.example.com}
                  spec:
                    group: example.com
                    scope: Namespaced
                    names: {kind: Widget, plural: widgets}
                    versions:
                    - name: v1
                      served: true
                      storage: true
                      schema: {openAPIV3Schema: {type: object}}
                  """,
                  "example.com")),
          // The value behind it is wrong: the machine is not looked at.
          Map.entry(
              "bench kubelets --kubelet-config",
              new Reader(
                  "bench kubelets --kubelet-config FILE --lease-duration x",
                  "maxPods: 7\n",
                  "lease-duration")),
          // Its files are packed by the command that writes them.
          Map.entry(
              "report --compare",
              new Reader("report --compare BUNDLE FILE", "", "reports do not differ")));

  /** Options that read no data, by their longest name, and what the file is. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry("--kubeconfig", "who the user is, as kubectl reads it: may name other files"),
          Map.entry("--cacert", "PEM, as etcdctl's"),
          Map.entry("--cert", "PEM, as etcdctl's"),
          Map.entry("--key", "PEM, as etcdctl's"),
          Map.entry("--listen-cert", "PEM"),
          Map.entry("--listen-key", "PEM"),
          Map.entry("--listen-cacert", "PEM"),
          Map.entry("--source-ca", "PEM"),
          Map.entry("--verify-key", "PEM"),
          Map.entry("--registry-config", "docker's file of logins"),
          Map.entry("--git-token-file", "a secret"),
          Map.entry("--token-file", "a secret"),
          Map.entry("--kubelet", "a program"),
          Map.entry("--kube-proxy", "a program"),
          Map.entry("--kubectl", "a program"),
          Map.entry("--image", "given to containerd, which reads it"),
          Map.entry("--folder", "a folder"));

  /** Options of some commands that name a file to write. */
  private static final Set<String> WRITTEN =
      Set.of("report --file", "kubeconfig --file", "man FOLDER");

  @TempDir private static Path folder;

  /** By the command's words and the option's name. */
  private static Map<String, ArgSpec> fileOptions() {
    Map<String, ArgSpec> all = new TreeMap<>();
    collect(Exactl.commandLine(), all);
    return all;
  }

  private static void collect(CommandLine command, Map<String, ArgSpec> all) {
    String name = command.getCommandSpec().qualifiedName().replaceFirst("^exactl ?", "");
    for (ArgSpec argument : command.getCommandSpec().args()) {
      boolean isPath =
          argument.type() == Path.class
              || Arrays.asList(argument.auxiliaryTypes()).contains(Path.class);
      if (isPath || NAMED.matcher(argument.paramLabel()).matches()) {
        all.put(name + " " + nameOf(argument), argument);
      }
    }
    command.getSubcommands().values().forEach(each -> collect(each, all));
  }

  private static String nameOf(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  @Test
  void everyOptionThatTakesAFileIsKnownHere() {
    Set<String> unknown = new TreeSet<>();
    Set<String> met = new TreeSet<>();
    fileOptions()
        .forEach(
            (name, argument) -> {
              String option = nameOf(argument);
              if (READERS.containsKey(name) || WRITTEN.contains(name)) {
                met.add(name);
              } else if (OTHERS.containsKey(option)) {
                met.add(option);
              } else {
                unknown.add(name);
              }
            });
    assertThat(unknown).as("add each to READERS, or to OTHERS with the reason").isEmpty();
    Set<String> known = new TreeSet<>(READERS.keySet());
    known.addAll(OTHERS.keySet());
    known.addAll(WRITTEN);
    assertThat(met).as("options that exist").isEqualTo(known);
  }

  static List<String> readers() {
    return fileOptions().keySet().stream().filter(READERS::containsKey).toList();
  }

  @ParameterizedTest
  @MethodSource("readers")
  void readsPlainGzipAndStandardInput(String name) throws IOException {
    Reader reader = READERS.get(name);
    List<byte[]> forms = new ArrayList<>();
    if (reader.content().isEmpty()) {
      forms.add(Files.readAllBytes(bundle()));
    } else {
      forms.add(reader.content().getBytes(UTF_8));
      forms.add(gzip(forms.getFirst()));
    }
    String expected = null;
    for (byte[] content : forms) {
      Path file = Files.write(folder.resolve("input"), content);
      for (String input : List.of(file.toString(), "-")) {
        String answer = answer(reader.command(), input, content).replace(file.toString(), "FILE");
        expected = expected == null ? answer : expected;
        assertThat(answer).as("%s with %s", name, input).isEqualTo(expected);
        assertThat(answer).contains(reader.words());
      }
    }
  }

  /** Code, output and errors, with one name for the input. */
  private static String answer(String command, String input, byte[] content) throws IOException {
    Path metrics = Files.writeString(folder.resolve("metrics"), METRICS);
    Path cluster = Files.writeString(folder.resolve("cluster"), CLUSTER);
    String[] words =
        command
            .replace("FILE", input)
            .replace("METRICS", metrics.toString())
            .replace("CLUSTER", cluster.toString())
            .replace("BUNDLE", folder.resolve("bundle.tar.gz").toString())
            .split(" ");
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(content));
    try {
      int code = Exactl.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
      return "%d\n%s\n%s"
          .formatted(code, out, err)
          .replace("<stdin>", "FILE")
          .replace("'[-]'", "'[FILE]'");
    } finally {
      System.setIn(before);
    }
  }

  private static Path bundle() throws IOException {
    Path file = folder.resolve("bundle.tar.gz");
    Files.deleteIfExists(file);
    try (SupportBundle bundle =
        new SupportBundle(file, "exaplane-ns-demo", Instant.parse("2026-11-23T08:00:00Z"))) {
      bundle.add("objects/controlplanes/demo.yaml", "spec: {version: \"1.37.2\"}");
    }
    return file;
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(plain);
    }
    return packed.toByteArray();
  }
}
