// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Spent;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The test bed that the launcher brought up, as the tests see it. One for the whole run. */
final class Bed {
  static final Path HOME = Path.of(Machine.environment("EXA_HOME"));
  static final Path STATE = Path.of(Machine.environment("EXA_STATE"));
  static final Path CACHE = Path.of(Machine.environment("EXA_CACHE"));
  static final String VERSION = Machine.environment("KUBERNETES");
  static final String PREVIOUS_VERSION = Machine.environment("KUBERNETES_PREVIOUS");
  static final String OPERATOR_NAMESPACE = "exaplane-system";
  private static final String KUBECTL =
      CACHE.resolve("kube-" + VERSION).resolve("kubectl").toString();

  /** Of a request of a client's; who waits for longer asks again. */
  static final int RETRIES = 3;

  /** A busy machine answers, but late. */
  static final int REQUEST_TIMEOUT_MS = 60_000;

  private static final long SHORTEST_PAUSE_MS = 200;
  private static final long LONGEST_PAUSE_MS = 1000;

  static final KubernetesClient CLIENT = client(STATE.resolve("kubeconfig"));

  /** Of the management cluster, whose namespace is the demo's when nothing else is said. */
  static final Path KUBECONFIG = kubeconfig();

  private Bed() {}

  /** VERSION with another minor and patch, as {@code minorsLater} minors after it. */
  static String version(int minorsLater, int patch) {
    String[] parts = VERSION.split("\\.", -1);
    return "%s.%d.%d".formatted(parts[0], Integer.parseInt(parts[1]) + minorsLater, patch);
  }

  private static Path kubeconfig() {
    Path shared = STATE.resolve("kubeconfig");
    if (Demo.NAMESPACE.equals("default")) {
      return shared;
    }
    try {
      Path own = Files.createTempFile("management", ".kubeconfig");
      own.toFile().deleteOnExit();
      Files.copy(shared, own, StandardCopyOption.REPLACE_EXISTING);
      String[] choose = {"config", "set-context", "--current", "--namespace=" + Demo.NAMESPACE};
      output(kubectl(own, choose), choose);
      if (CLIENT.namespaces().withName(Demo.NAMESPACE).get() == null) {
        String[] create = {"create", "namespace", Demo.NAMESPACE};
        output(kubectl(own, create), create);
      }
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A client for a kubeconfig file. */
  static KubernetesClient client(Path kubeconfig) {
    Config config = Config.fromKubeconfig(kubeconfig.toFile());
    // Or the client reads the file again with each request.
    config.setOauthTokenProvider(() -> null);
    config.setRequestRetryBackoffLimit(RETRIES);
    config.setRequestTimeout(REQUEST_TIMEOUT_MS);
    config.setConnectionTimeout(REQUEST_TIMEOUT_MS);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Runs the launcher and returns what it printed; fails when it does. */
  static String exa(String... arguments) {
    List<String> command = new ArrayList<>(List.of(HOME.resolve("exa").toString()));
    command.addAll(List.of(arguments));
    Run run = run(command);
    if (run.exit() != 0) {
      throw new AssertionError(command + " ended with " + run.exit() + ":\n" + run.output());
    }
    return run.output();
  }

  record Run(int exit, String output) {}

  /** Runs a command to its end. */
  static Run run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Run(process.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Runs kubectl in the management cluster and returns what it printed; fails when it does. */
  static String kubectl(String... arguments) {
    return output(Retries.run(() -> kubectl(KUBECONFIG, arguments), arguments), arguments);
  }

  /** Runs kubectl with a kubeconfig, without the launcher, whose shell costs as much again. */
  static Run kubectl(Path kubeconfig, String... arguments) {
    List<String> command = new ArrayList<>(List.of(KUBECTL, "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    return run(command);
  }

  /** Runs kubectl in a hosted cluster, through its kubeconfig Secret; fails when it does. */
  static String hosted(String controlPlane, String namespace, String... arguments) {
    return output(
        Retries.run(() -> Hosted.kubectl(controlPlane, namespace, arguments), arguments),
        arguments);
  }

  /** A command that failed: a reason to look again, where something is waited for. */
  static final class CommandFailed extends AssertionError {
    private static final long serialVersionUID = 1;

    CommandFailed(String message) {
      super(message);
    }
  }

  private static String output(Run run, String... arguments) {
    if (run.exit() != 0) {
      throw new CommandFailed(
          "kubectl %s ended with %d:\n%s"
              .formatted(String.join(" ", arguments), run.exit(), run.output()));
    }
    return run.output();
  }

  /** Applies objects with kubectl. */
  static void apply(String manifest) {
    try {
      Path file = Files.createTempFile("manifest", ".yaml");
      try {
        Files.writeString(file, manifest);
        kubectl("apply", "--filename=" + file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a condition holds; fails with the description after the deadline. */
  static void await(String what, Duration deadline, BooleanSupplier holds) {
    await(what, deadline, holds, () -> "");
  }

  /**
   * As above, with what was last seen in the failure. A look that fails for the lack of an answer,
   * or of what it looks at, is repeated; one that asserts ends the wait.
   */
  static void await(String what, Duration deadline, BooleanSupplier holds, Supplier<String> seen) {
    try (Spent.Going _ = Spent.on(Spent.Cause.WAITS)) {
      look(what, deadline, holds, seen);
    }
  }

  private static void look(
      String what, Duration deadline, BooleanSupplier holds, Supplier<String> seen) {
    Instant end = Instant.now().plus(deadline);
    while (true) {
      Instant looked = Instant.now();
      Throwable failure = null;
      try {
        if (holds.getAsBoolean()) {
          return;
        }
      } catch (RuntimeException | CommandFailed e) {
        failure = e;
      }
      Instant now = Instant.now();
      if (now.isAfter(end)) {
        throw new AssertionError(
            "not within " + deadline.toSeconds() + " s: " + what + "\n" + text(seen), failure);
      }
      pause(Duration.between(looked, now));
    }
  }

  private static String text(Supplier<String> seen) {
    try {
      return seen.get();
    } catch (RuntimeException | CommandFailed e) {
      return "nothing can be seen: " + e;
    }
  }

  /** Repeats assertions about what another process changes in its own time, until they hold. */
  static void awaitHolds(Duration deadline, Runnable assertions) {
    Throwable[] last = {null};
    await(
        "the assertions hold",
        deadline,
        () -> {
          try {
            assertions.run();
            return true;
          } catch (AssertionError | RuntimeException e) {
            last[0] = e;
            return false;
          }
        },
        () -> String.valueOf(last[0]));
  }

  /** Between two looks at a condition, never instead of one; a look shares the cores with it. */
  private static void pause(Duration look) {
    try {
      Thread.sleep(Math.clamp(2 * look.toMillis(), SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static ControlPlane controlPlane(String name, String namespace) {
    return CLIENT.resources(ControlPlane.class).inNamespace(namespace).withName(name).get();
  }

  static Optional<Condition> condition(ControlPlane controlPlane, ConditionType type) {
    return controlPlane == null
            || controlPlane.getStatus() == null
            || controlPlane.getStatus().conditions() == null
        ? Optional.empty()
        : controlPlane.getStatus().conditions().stream()
            .filter(condition -> condition.type().equals(type.name()))
            .findFirst();
  }

  /**
   * Deletes control planes the deliberate way: each says first that it may be. One that is gone by
   * now is none of the caller's.
   */
  static void delete(String namespace, List<String> names, String... options) {
    names.forEach(name -> allowDeletion(name, namespace));
    List<String> command =
        new ArrayList<>(List.of("--namespace=" + namespace, "delete", "cpl", "--ignore-not-found"));
    command.addAll(names);
    command.addAll(List.of(options));
    kubectl(command.toArray(String[]::new));
  }

  /** Says on a control plane that it may be deleted, if it is there. */
  static void allowDeletion(String name, String namespace) {
    if (controlPlane(name, namespace) != null) {
      kubectl(
          "--namespace=" + namespace,
          "annotate",
          "--overwrite",
          "cpl",
          name,
          Names.ALLOW_DELETION + "=" + name);
    }
  }

  /** Waits until a condition has a status, and returns it. */
  static Condition awaitCondition(
      String name, String namespace, ConditionType type, String status, Duration deadline) {
    await(
        type + "=" + status + " of " + name,
        deadline,
        () ->
            condition(controlPlane(name, namespace), type)
                .filter(condition -> condition.status().equals(status))
                .isPresent(),
        () -> describe(name, namespace));
    return condition(controlPlane(name, namespace), type).orElseThrow();
  }

  /** Waits until a control plane is up with nothing under way and nothing amiss. */
  static void awaitSettled(String name, String namespace, Duration deadline) {
    await(
        name + " is Available, at its endpoint, not Progressing and not Degraded",
        deadline,
        () -> {
          ControlPlane controlPlane = controlPlane(name, namespace);
          return is(controlPlane, ConditionType.Available, Condition.TRUE)
              && is(controlPlane, ConditionType.EndpointReady, Condition.TRUE)
              && is(controlPlane, ConditionType.Progressing, Condition.FALSE)
              && is(controlPlane, ConditionType.Degraded, Condition.FALSE)
              && controlPlane
                  .getStatus()
                  .observedGeneration()
                  .equals(controlPlane.getMetadata().getGeneration());
        },
        () -> describe(name, namespace));
    int nodes = controlPlane(name, namespace).getSpec().maxNodes();
    if (!ModelAnswers.NODES.contains(nodes)) {
      throw new AssertionError(
          "%s has maxNodes %d, which ModelAnswers.NODES does not list: add it there"
              .formatted(name, nodes));
    }
  }

  static boolean is(ControlPlane controlPlane, ConditionType type, String status) {
    return condition(controlPlane, type).filter(c -> c.status().equals(status)).isPresent();
  }

  /** All conditions as text, for failures. */
  static String describe(String name, String namespace) {
    ControlPlane controlPlane = controlPlane(name, namespace);
    if (controlPlane == null || controlPlane.getStatus() == null) {
      return "no status";
    }
    StringBuilder text = new StringBuilder();
    controlPlane
        .getStatus()
        .conditions()
        .forEach(
            c ->
                text.append(c.type())
                    .append('=')
                    .append(c.status())
                    .append(' ')
                    .append(c.reason())
                    .append(": ")
                    .append(c.message())
                    .append('\n'));
    return text.toString();
  }

  /** Waits until an operator that runs holds the Lease, and so does the work. */
  static void awaitLeader(Duration deadline) {
    await(
        "a running operator leads",
        deadline,
        () -> {
          String leader = leader();
          return CLIENT.pods().inNamespace(OPERATOR_NAMESPACE).list().getItems().stream()
              .anyMatch(
                  pod ->
                      pod.getMetadata().getDeletionTimestamp() == null
                          && pod.getMetadata().getName().equals(leader));
        });
  }

  /** The operator's pod that the Lease names; "" for none. */
  static String leader() {
    Lease lease =
        CLIENT.leases().inNamespace(OPERATOR_NAMESPACE).withName("exaplane-operator").get();
    return lease == null || lease.getSpec().getHolderIdentity() == null
        ? ""
        : lease.getSpec().getHolderIdentity();
  }

  /** The pods of a component of a control plane that are not being deleted, by name. */
  static List<Pod> pods(String controlPlane, String namespace, String component) {
    return CLIENT
        .pods()
        .inNamespace(namespace)
        .withLabel("exaplane.io/control-plane", controlPlane)
        .withLabel("app.kubernetes.io/component", component)
        .list()
        .getItems()
        .stream()
        .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
        .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
        .toList();
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
