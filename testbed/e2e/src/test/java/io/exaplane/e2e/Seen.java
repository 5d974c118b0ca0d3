// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.exaplane.api.v1alpha1.Condition;
import io.exaplane.api.v1alpha1.ConditionType;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every condition that demo ever showed while this was open. Who sees one of a status sees the
 * others, too. Thread-safe.
 */
final class Seen implements Watcher<ControlPlane>, AutoCloseable {
  private final Set<String> lines = new TreeSet<>();
  private final AutoCloseable watch = Demo.resource(Demo.NAME, Demo.NAMESPACE).watch(this);

  @Override
  public synchronized void eventReceived(Action action, ControlPlane controlPlane) {
    for (ConditionType type : ConditionType.values()) {
      Bed.condition(controlPlane, type).map(Seen::line).ifPresent(lines::add);
    }
  }

  private static String line(Condition condition) {
    return condition.type()
        + "="
        + condition.status()
        + " "
        + condition.reason()
        + " "
        + condition.message();
  }

  synchronized boolean has(String start) {
    return lines.stream().anyMatch(line -> line.startsWith(start));
  }

  /** Whether a condition that began so named it. */
  synchronized boolean has(String start, String part) {
    return lines.stream().anyMatch(line -> line.startsWith(start) && line.contains(part));
  }

  @Override
  public synchronized void onClose(WatcherException cause) {
    lines.add("watch closed: " + cause);
  }

  @Override
  public void close() {
    try {
      watch.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public synchronized String toString() {
    return String.join("\n", lines);
  }
}
