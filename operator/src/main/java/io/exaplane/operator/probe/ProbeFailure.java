// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.probe;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * What is told of an endpoint that did not answer as it should: the kind of failure, and nothing of
 * what was found there. Whoever names an endpoint has the operator ask it, from where the operator
 * is; its words would tell of services that only the operator reaches. Pure.
 */
public final class ProbeFailure {
  public static final String NO_ANSWER = "there is no answer";
  public static final String NOT_TRUSTED =
      "the server's certificate is not of the CA that is expected, or the connection is no TLS";
  public static final String UNAUTHORIZED = "the credentials are refused";
  public static final String OFF_LIMITS =
      "the server's name leads to the operator's own host or link, or to a cloud's metadata service";
  public static final String ANOTHER_ANSWER = "the answer is none of a Kubernetes API";

  private static final Pattern VERSION =
      Pattern.compile("v?(\\d{1,4}\\.\\d{1,4}(?:\\.\\d{1,4})?)(?:[-+].*)?", Pattern.DOTALL);

  private ProbeFailure() {}

  /** The kind of a failure. */
  public static String of(Throwable failure) {
    if (failure instanceof KubernetesClientException answer && answer.getCode() > 0) {
      return ofStatus(answer.getCode());
    }
    for (Throwable cause = failure; cause != null; cause = next(cause)) {
      if (cause instanceof CheckedAddress.OffLimitsException) {
        return OFF_LIMITS;
      }
      if (cause instanceof SSLException) {
        return NOT_TRUSTED;
      }
      if (cause instanceof TooLargeException
          || cause.getClass().getName().startsWith("com.fasterxml.jackson")) {
        return ANOTHER_ANSWER;
      }
    }
    return NO_ANSWER;
  }

  private static Throwable next(Throwable cause) {
    return cause.getCause() == cause ? null : cause.getCause();
  }

  /** The kind of an answer of this status. */
  public static String ofStatus(int status) {
    return status == HttpURLConnection.HTTP_UNAUTHORIZED
            || status == HttpURLConnection.HTTP_FORBIDDEN
        ? UNAUTHORIZED
        : ANOTHER_ANSWER;
  }

  /** As 1.36.3, of v1.36.3-provider.7 as well; null of what is no version. */
  public static String version(String text) {
    Matcher version = VERSION.matcher(text == null ? "" : text);
    return version.matches() ? version.group(1) : null;
  }

  /** A name of a pod, or a host's; what can be none is not repeated. */
  public static String name(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return text.length() <= 253 && lower.matches("[a-z0-9]?|[a-z0-9][-a-z0-9.]*[a-z0-9]")
        ? text
        : "somebody whose name is no pod's";
  }

  /** An answer was longer than any that is expected. */
  public static final class TooLargeException extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    TooLargeException() {
      super("the answer is too large");
    }
  }
}
