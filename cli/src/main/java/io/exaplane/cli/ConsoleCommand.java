// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.measure.FileFailure;
import io.exaplane.cli.plane.ConsoleProxy;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.tuning.model.InvalidInputException;
import io.fabric8.kubernetes.client.LocalPortForward;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The console, in the browser of this machine. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Brings your browser to the operator's console, with the token of your kubeconfig.",
      "The command forwards a port of this machine to a pod of the operator until you end it."
    })
final class ConsoleCommand implements Callable<Integer> {
  private static final int CONSOLE_PORT = 8443;
  private static final String SELECTOR = "app.kubernetes.io/name=exaplane-operator";

  @Spec private CommandSpec spec;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      defaultValue = "exaplane-system",
      description = "Namespace of the operator (default: ${DEFAULT-VALUE}).")
  private String namespace;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Kubeconfig of the management cluster (default: as kubectl).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context of the kubeconfig (default: the current one).")
  private String context;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "TCP port of 127.0.0.1 for your browser; 0 for any (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "File with the token to sign in with (default: the token of the kubeconfig).")
  private Path tokenFile;

  @Override
  public Integer call() {
    if (port < 0 || port > 65535) {
      throw new InvalidInputException(
          "port", Integer.toString(port), "must be from 0 to 65535", "write 0 for any free port");
    }
    try (Management management = Management.connect(kubeconfig, context)) {
      String token = token(management);
      String pod = pod(management);
      management.requireRight("create", "pods", "portforward", namespace);
      try (LocalPortForward tunnel = management.forward(namespace, pod, CONSOLE_PORT);
          ConsoleProxy proxy = proxy(tunnel, token)) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("Open " + proxy.address());
        out.println("Whoever has this address sees what you may see. Press Ctrl-C to end it.");
        out.flush();
        awaitEnd();
      } catch (IOException e) {
        throw new PlaneException(
            "the tunnel to pod %s broke off (%s); start the command again"
                .formatted(pod, e.getMessage()));
      }
    }
    return 0;
  }

  /** Until somebody ends the command: Ctrl-C ends the process, and another program the thread. */
  private static void awaitEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      // That is the end.
    }
  }

  private ConsoleProxy proxy(LocalPortForward tunnel, String token) {
    try {
      return new ConsoleProxy(
          URI.create("https://127.0.0.1:" + tunnel.getLocalPort()), token, port);
    } catch (IOException e) {
      throw new InvalidInputException(
          "port",
          Integer.toString(port),
          "cannot be opened on 127.0.0.1: " + e.getMessage(),
          "name another port");
    }
  }

  private String token(Management management) {
    if (tokenFile == null) {
      return management
          .token()
          .orElseThrow(
              () ->
                  new PlaneException(
                      "the user of the kubeconfig has a certificate and no token; run 'kubectl"
                          + " create token NAME -n NAMESPACE > FILE' for a ServiceAccount, and name"
                          + " --token-file FILE"));
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException e) {
      throw new InvalidInputException(
          "token-file",
          tokenFile.toString(),
          "cannot be read: " + FileFailure.reason(e),
          "name another file");
    }
  }

  /** A pod that is ready: leader and standby show the same. */
  private String pod(Management management) {
    return management.list(Kind.POD, namespace, SELECTOR).stream()
        .filter(ConsoleCommand::isReady)
        .map(pod -> pod.at("/metadata/name").asText())
        .sorted()
        .findFirst()
        .orElseThrow(
            () ->
                new PlaneException(
                    "no pod of the operator is ready in namespace %s; name its namespace with --namespace, or check 'kubectl get pods -n %s'"
                        .formatted(namespace, namespace)));
  }

  private static boolean isReady(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }
}
