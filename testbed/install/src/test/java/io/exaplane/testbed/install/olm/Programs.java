// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the images of pods have in them: opm, which unpacks a bundle, and the operator. Stateless
 * but for its files. Any thread.
 *
 * @param bundles folders of bundles by their images
 * @param folder takes logs and kubeconfigs
 */
record Programs(OlmCluster cluster, Map<String, Path> bundles, Path folder) {
  private static final int LIMIT_SECONDS = 300;

  /** The container of OLM's Job that writes a bundle into a ConfigMap. */
  private static final String EXTRACT = "extract";

  private static final Pattern ANNOTATION = Pattern.compile("metadata\\.annotations\\['(.*)']");

  /** Starts a process, which runs until the caller closes the process. */
  record Running(Server server) {
    /** Ends it as a kubelet does, and waits. */
    void stop() throws IOException, InterruptedException {
      ProcessHandle.of(server.pid()).ifPresent(ProcessHandle::destroy);
      server.awaitEnd();
    }

    void kill() {
      server.close();
    }

    String lastWords() {
      try {
        return server.lastWords();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  boolean isUnpacking(Pod pod) {
    return container(pod).getName().equals(EXTRACT);
  }

  /** Does what OLM's Job says, with its account. */
  void unpack(Pod pod) throws IOException, InterruptedException {
    Container container = container(pod);
    String image = environment(pod).get("CONTAINER_IMAGE");
    Path bundle = bundles.get(image);
    if (bundle == null) {
      throw new AssertionError("no bundle has the image " + image + ", but " + bundles.keySet());
    }
    List<String> words = new ArrayList<>(container.getCommand());
    words.set(0, OlmPrograms.binary(words.getFirst()));
    words.replaceAll(word -> word.equals("/bundle/") ? bundle + "/" : word);
    words.add("--kubeconfig=" + kubeconfig(pod));
    Path log = folder.resolve(pod.getMetadata().getName() + ".log");
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile());
    builder.environment().putAll(environment(pod));
    Process process = builder.start();
    if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    if (process.waitFor() != 0) {
      throw new AssertionError(
          "opm ended with " + process.exitValue() + ": " + Files.readString(log));
    }
  }

  /** Starts the operator, and waits until its readiness probe passes. */
  Running operator(Pod pod) throws Exception {
    Container container = container(pod);
    int port = Machine.freePort();
    List<String> words =
        new ArrayList<>(List.of(Machine.environment("EXA_OPERATOR").trim().split(" +")));
    words.add(1, "-Dquarkus.http.port=" + port);
    // Half of the limit, as the image has it; a process outside any container has no limit.
    words.add(1, "-Xmx512m");
    Map<String, String> environment = environment(pod);
    environment.put("HOSTNAME", pod.getMetadata().getName());
    environment.put("KUBECONFIG", kubeconfig(pod).toString());
    environment.put("MALLOC_ARENA_MAX", "2");
    return new Running(
        Server.start(
            words,
            environment,
            URI.create(
                "http://127.0.0.1:" + port + container.getReadinessProbe().getHttpGet().getPath()),
            folder.resolve(pod.getMetadata().getName() + ".log")));
  }

  private static Container container(Pod pod) {
    return pod.getSpec().getContainers().getFirst();
  }

  /** Values, and those of fields that OLM and the operator's manifests ask for. */
  private static Map<String, String> environment(Pod pod) {
    Map<String, String> values = new HashMap<>();
    for (EnvVar variable : container(pod).getEnv()) {
      values.put(
          variable.getName(),
          variable.getValueFrom() == null
              ? variable.getValue()
              : field(pod, variable.getValueFrom().getFieldRef().getFieldPath()));
    }
    return values;
  }

  private static String field(Pod pod, String path) {
    Matcher annotation = ANNOTATION.matcher(path);
    if (annotation.matches()) {
      return pod.getMetadata().getAnnotations().getOrDefault(annotation.group(1), "");
    }
    if (path.equals("metadata.namespace")) {
      return pod.getMetadata().getNamespace();
    }
    throw new AssertionError("the stand-in for a kubelet does not know the field " + path);
  }

  /** With a token of the pod's account. */
  private Path kubeconfig(Pod pod) throws IOException {
    String token =
        cluster
            .client()
            .serviceAccounts()
            .inNamespace(pod.getMetadata().getNamespace())
            .withName(pod.getSpec().getServiceAccountName())
            .tokenRequest(new TokenRequestBuilder().withNewSpec().endSpec().build())
            .getStatus()
            .getToken();
    return cluster.kubeconfig(pod.getMetadata().getName() + ".kubeconfig", token);
  }
}
