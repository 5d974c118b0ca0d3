// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Writes a line for each test class into the file that the launcher names: the class, its seconds
 * with what comes before and after its tests, and those of each {@link Spent.Cause}. JUnit makes it
 * and calls it by the thread that runs the class.
 */
public final class SpentReport implements TestExecutionListener {
  private static final String FILE = System.getProperty("exaplane.spent");

  /** For JUnit. */
  public SpentReport() {}

  @Override
  public void executionStarted(TestIdentifier test) {
    if (FILE != null && className(test).isPresent()) {
      Spent.begin(test.getUniqueId());
    }
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (FILE != null) {
      className(test).ifPresent(name -> write(name, Spent.end(test.getUniqueId())));
    }
  }

  private static Optional<String> className(TestIdentifier test) {
    return test.getSource()
        .filter(ClassSource.class::isInstance)
        .map(source -> ((ClassSource) source).getClassName());
  }

  private static synchronized void write(String name, String seconds) {
    if (!seconds.isEmpty()) {
      try {
        Files.writeString(
            Path.of(FILE),
            name + "\t" + seconds + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
