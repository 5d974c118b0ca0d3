// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.Pace;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.jboss.logging.Logger;

/** Which rules fit an API server. */
final class ServerVersion {
  private static final Logger LOG = Logger.getLogger(ServerVersion.class);

  /** A failure in a row, by which the pause is the longest: some seconds. */
  private static final int LONGEST_PAUSE = 3;

  private ServerVersion() {}

  /** There are no rules for it. */
  static final class UnsupportedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnsupportedException(String message) {
      super(message);
    }
  }

  /**
   * Those of its own version; of a newer one than is known, those of the newest. A server that does
   * not answer, or is not well, is asked again and again.
   *
   * @throws UnsupportedException if it is too old
   * @throws IOException if it refuses to say
   */
  static Version await(ApiWriter api, Pace pace) throws IOException, InterruptedException {
    String told = "";
    for (int failures = 1; ; failures++) {
      Answer answer = ask(api);
      if (answer.reply() != null && !answer.reply().isWorthAnotherTry()) {
        return of(answer.reply());
      }
      if (!answer.trouble().equals(told)) {
        LOG.warnf(
            "GET /version: %s; the scheduler asks again until the API server answers",
            answer.trouble());
        told = answer.trouble();
      }
      pace.pause(Math.min(failures, LONGEST_PAUSE), Duration.ZERO);
    }
  }

  /** Null and why, without an answer. */
  private record Answer(ApiWriter.Reply reply, String trouble) {}

  private static Answer ask(ApiWriter api) throws InterruptedException {
    try {
      ApiWriter.Reply reply = api.send(new ApiWriter.Request("GET", "/version", "", null));
      return new Answer(reply, reply.message());
    } catch (IOException e) {
      return new Answer(null, e.getMessage());
    }
  }

  private static Version of(ApiWriter.Reply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw new IOException("GET /version: " + reply.message());
    }
    Fields said = Fields.of(reply.object(), "version");
    return of(said.string("major"), said.string("minor"));
  }

  /** The one that is called so, as {@code 1.36}. */
  static Version named(String text) {
    return Arrays.stream(Version.values())
        .filter(version -> version.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Kubernetes " + text + " has no rules in this engine"));
  }

  static Version of(String major, String minor) {
    String digits = minor.replaceAll("\\D.*", "");
    String text = major + "." + digits;
    for (Version version : Version.values()) {
      if (version.toString().equals(text)) {
        return version;
      }
    }
    Version newest = Version.newest();
    int newestMinor = Integer.parseInt(newest.toString().substring(2));
    if (major.equals("1") && !digits.isEmpty() && Integer.parseInt(digits) > newestMinor) {
      LOG.warnf(
          "Kubernetes %s is newer than every known version; the rules of %s apply", text, newest);
      return newest;
    }
    throw new UnsupportedException(
        "Kubernetes %s has no rules in this scheduler; use one of %s, or a newer version"
            .formatted(text, Arrays.toString(Version.values())));
  }
}
