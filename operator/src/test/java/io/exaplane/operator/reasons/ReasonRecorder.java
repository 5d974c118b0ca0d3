// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.reasons;

import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.operator.outcome.ReasonWitness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes down which reasons and conditions the operator's own code makes while tests run, and which
 * test classes ran: a line each, once in each process. A reason that a test makes by hand counts
 * for nothing. JUnit finds this listener by its name in META-INF. Thread-safe.
 *
 * <ul>
 *   <li>{@code made REASON}: for a condition or an Event
 *   <li>{@code event REASON}: for an Event that tells of no condition
 *   <li>{@code repeated REASON}: as something that conditions repeat, whatever it is
 *   <li>{@code pair KIND TYPE REASON}: while the class of that condition, as AvailableCondition,
 *       decided
 *   <li>{@code told KIND TYPE STATUS REASON}: a condition was set
 *   <li>{@code ran CLASS}
 * </ul>
 *
 * <p>Each process has a file of its own in the folder of the Maven run, so that neither the order
 * of classes nor the number of processes matters.
 */
public final class ReasonRecorder
    implements LauncherSessionListener, TestExecutionListener, ReasonWitness.Listener {
  /** The folder of this run of Maven; not set where something else runs the tests. */
  static final String FOLDER = "exaplane.reasons";

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final String PROBLEM = "io.exaplane.operator.outcome.Problem";

  /** What is wrong with something that a pool needs. */
  private static final String MISSING =
      "io.exaplane.operator.schedulerpool.hosted.PoolTarget$Missing";

  private static final Set<String> REPEATED =
      Set.of(PROBLEM, MISSING, "io.exaplane.operator.bundle.Update");

  private static final String NEWS = "io.exaplane.operator.status.News";

  private static final Set<String> PASS_ON =
      Set.of(
          "io.exaplane.operator.outcome.ReasonWitness",
          PROBLEM,
          "io.exaplane.operator.status.Verdict",
          "io.exaplane.operator.status.ConditionSet",
          "io.exaplane.operator.status.EventRecorder",
          MISSING,
          NEWS,
          "io.exaplane.operator.nodepool.address.NodeCounts$Failure",
          ReasonRecorder.class.getName());

  private final Set<String> written = ConcurrentHashMap.newKeySet();
  private Path file;

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String folder = System.getProperty(FOLDER);
    if (folder == null) {
      return;
    }
    try {
      file = Files.createTempFile(Files.createDirectories(Path.of(folder)), "process-", ".reasons");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    ReasonWitness.listen(this);
    session.getLauncher().registerTestExecutionListeners(this);
  }

  @Override
  public void executionFinished(
      TestIdentifier test, org.junit.platform.engine.TestExecutionResult result) {
    test.getSource()
        .filter(ClassSource.class::isInstance)
        .map(source -> ((ClassSource) source).getClassName())
        .ifPresent(name -> write("ran " + name));
  }

  @Override
  public void made(Reason reason) {
    if (!isProductCode()) {
      return;
    }
    write("made " + reason);
    List<String> classes = classes();
    if (REPEATED.stream().anyMatch(classes::contains)) {
      write("repeated " + reason);
    }
    if (classes.contains(NEWS)) {
      write("event " + reason);
      return;
    }
    classes.stream()
        .flatMap(name -> DecidingClass.of(name).stream())
        .findFirst()
        .ifPresent(decides -> write("pair %s %s".formatted(decides, reason)));
  }

  /** The classes of ours on the stack, from the one that was called last. */
  private static List<String> classes() {
    return STACK.walk(
        frames ->
            frames
                .map(frame -> frame.getDeclaringClass().getName())
                .filter(name -> name.startsWith("io.exaplane."))
                .toList());
  }

  @Override
  public void told(Enum<?> type, String status, Reason reason) {
    if (isProductCode()) {
      write(
          "told %s %s %s %s"
              .formatted(type.getDeclaringClass().getSimpleName(), type, status, reason));
    }
  }

  /** Whether the operator's code, and not a test, is the first to know the reason. */
  private static boolean isProductCode() {
    Optional<Class<?>> maker =
        STACK.walk(
            frames ->
                frames
                    .<Class<?>>map(StackWalker.StackFrame::getDeclaringClass)
                    .filter(type -> type.getName().startsWith("io.exaplane."))
                    .filter(type -> !PASS_ON.contains(type.getName()))
                    .findFirst());
    return maker
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation().getPath())
        .filter(path -> !path.contains("test-classes"))
        .isPresent();
  }

  private synchronized void write(String line) {
    if (!written.add(line)) {
      return;
    }
    try {
      Files.writeString(file, line + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
