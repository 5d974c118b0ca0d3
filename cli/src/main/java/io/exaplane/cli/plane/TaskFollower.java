// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Follows one ControlPlaneTask until its end. Used by one thread. */
public final class TaskFollower {
  private final Management management;
  private final String in;
  private final String name;
  private final String uid;

  /** A follower of a task as the server created it. */
  public TaskFollower(Management management, String in, JsonNode created) {
    this.management = management;
    this.in = in;
    this.name = PlaneView.name(created);
    this.uid = created.at("/metadata/uid").asText();
  }

  /**
   * Asks whether the account may read tasks, before one is created.
   *
   * @throws RightMissing if it may not
   */
  public static void requireRight(Management management, String in) {
    management.find(Kind.TASK, in, "reshard");
  }

  /**
   * Waits for the end, and tells each change. While the server does not answer, it is asked again.
   *
   * @return the task after it succeeded
   * @throws PlaneException if the task did not succeed, is gone, may not be read any more, or has
   *     not ended after this time; it continues in the last two cases
   */
  public JsonNode follow(Duration patience, Consumer<String> told) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    String last = "";
    while (true) {
      String line;
      try {
        JsonNode task = own();
        line = Reshard.line(task);
        if (Reshard.isEnded(task)) {
          told.accept(line);
          return ended(task);
        }
      } catch (NoAnswer e) {
        line = "no answer about the task, which continues, and is asked for again: " + e.why();
      } catch (RightMissing e) {
        throw new PlaneException(e.getMessage() + "; " + continues(""));
      }
      if (!line.equals(last)) {
        told.accept(line);
        last = line;
      }
      if (System.nanoTime() > deadline) {
        throw new PlaneException(
            continues(" after %d s (%s)".formatted(patience.toSeconds(), line))
                + ", wait for the end with 'kubectl -n %2$s wait cpltask %1$s --for=condition=Complete --timeout=1h', or stop the task with 'kubectl -n %2$s delete cpltask %1$s'"
                    .formatted(name, in));
      }
      TimeUnit.SECONDS.sleep(1);
    }
  }

  private String continues(String when) {
    return "ControlPlaneTask %1$s continues%3$s: do not repeat the command; see the task with 'kubectl -n %2$s get cpltask %1$s'"
        .formatted(name, in, when);
  }

  private JsonNode own() {
    Optional<JsonNode> found =
        management
            .find(Kind.TASK, in, name)
            .filter(each -> each.at("/metadata/uid").asText().equals(uid));
    return found.orElseThrow(
        () ->
            new PlaneException(
                "ControlPlaneTask %s was deleted before its end; see the Event TaskCancelled with 'kubectl -n %s get events', and 'why Complete' for the tasks that exist"
                    .formatted(name, in)));
  }

  private JsonNode ended(JsonNode task) {
    if (task.at("/status/state").asText().equals("Succeeded")) {
      return task;
    }
    throw new PlaneException("ControlPlaneTask %s: %s".formatted(name, Reshard.line(task)));
  }
}
