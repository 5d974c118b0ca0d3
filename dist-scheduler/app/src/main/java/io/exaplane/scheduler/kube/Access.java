// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Whether who asks may read all that decides: who may not must not be in charge, since it would
 * never get in step.
 */
public final class Access {
  private static final Logger LOG = Logger.getLogger(Access.class);
  private static final String ENCODING = "application/vnd.kubernetes.protobuf";
  private static final int OK = 200;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  /** A failure in a row, by which the pause is the longest: some seconds. */
  private static final int LONGEST_PAUSE = 3;

  private Access() {}

  /** Asks for one object of each kind, again and again until all are answered. */
  public static void await(ApiStream api, List<Resource> resources, Pace pace)
      throws InterruptedException {
    String told = "";
    for (int failures = 1; ; failures++) {
      String trouble = trouble(api, resources);
      if (trouble == null) {
        return;
      }
      if (!trouble.equals(told)) {
        LOG.warnf(
            "%s; the scheduler needs every kind, and asks again until the API server answers",
            trouble);
        told = trouble;
      }
      pace.pause(Math.min(failures, LONGEST_PAUSE), Duration.ZERO);
    }
  }

  /** The first kind that cannot be read; null if all can. */
  static String trouble(ApiStream api, List<Resource> resources) throws InterruptedException {
    for (Resource resource : resources) {
      try {
        String trouble = trouble(api, resource);
        if (trouble != null) {
          return trouble;
        }
      } catch (IOException e) {
        return "GET " + resource.path() + ": " + e.getMessage();
      }
    }
    return null;
  }

  private static String trouble(ApiStream api, Resource resource)
      throws IOException, InterruptedException {
    ApiStream.Answer answer = api.get(resource.path() + "?limit=1", ENCODING);
    try (InputStream body = answer.body()) {
      boolean isAbsent =
          resource.mayBeAbsent()
              && (answer.status() == NOT_FOUND
                  || answer.status() == FORBIDDEN && !new Discovery(api).serves(resource));
      if (answer.status() == OK || isAbsent) {
        // Closed before its end, it would take the connection along, and the next request with it.
        body.transferTo(OutputStream.nullOutputStream());
        return null;
      }
      return RefusedException.of(resource, answer, body).getMessage();
    }
  }
}
