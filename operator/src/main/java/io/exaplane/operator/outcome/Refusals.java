// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.AggregatedOperatorException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads why a request was refused: out of the status that an API server answers with, and out of
 * the words of those who may refuse before it does. Pure.
 */
public final class Refusals {
  private static final int MOST = 400;

  /** Of what was answered, the begin and the end are read: a webhook may answer a megabyte. */
  private static final int MOST_READ = 4_000;

  private static final int MOST_END = 1_000;

  /** Ends as every message that asks for nothing, so that it has a limit of time as they have. */
  private static final String WAIT = "The operator repeats the request. No action is needed.";

  private static final String API = "The API server";

  /** Texts that tell who refuses; the first that is found counts. */
  private static final List<Known> KNOWN =
      List.of(
          new Known(
              "(?s)admission webhook \"([^\"]+)\" denied the request(?:: (.*)| without explanation)",
              of -> Refusal.WEBHOOK + of.group(1),
              of -> of.group(2) == null ? "it gives no reason" : of.group(2),
              "Change what the webhook objects to, or ask its owner for an exception."),
          new Known(
              "(?s)failed calling webhook \"([^\"]+)\": (.*)",
              of -> Refusal.WEBHOOK + of.group(1),
              of -> "the API server gets no answer from the webhook: " + of.group(2),
              "Repair the webhook, or remove its configuration."),
          new Known(
              "(?s)ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request: (.*)",
              of -> "ValidatingAdmissionPolicy " + of.group(1),
              of -> of.group(2),
              "Change what the policy objects to, or ask its owner for an exception."),
          new Known(
              "(?s)exceeded quota: ([^,]+), (.*)",
              of -> "ResourceQuota " + of.group(1),
              of -> "exceeded quota, " + of.group(2),
              "Raise the quota, or remove objects that it counts."),
          new Known(
              "(?s)(status unknown for quota: ([^,]+), .*)",
              of -> "ResourceQuota " + of.group(2),
              of -> of.group(1),
              WAIT),
          new Known(
              "(?s)(insufficient quota to (?:match these scopes|consume): .*)",
              _ -> "A rule for ResourceQuotas",
              of -> of.group(1),
              "Create a ResourceQuota of that scope in the namespace: the API server accepts such pods only with a quota."),
          new Known(
              "(?s)failed quota: ([^:]+): (.*)",
              of -> "ResourceQuota " + of.group(1),
              of -> of.group(2),
              "Name the resources in the spec, or add a LimitRange with defaults."),
          new Known(
              "(?s)violates PodSecurity \"([^\"]+)\": (.*)",
              of -> "PodSecurity " + of.group(1),
              of -> of.group(2),
              "Change the namespace's label pod-security.kubernetes.io/enforce."),
          new Known(
              "(?s)(unable to validate against any security context constraint: .*)",
              _ -> "SecurityContextConstraints",
              of -> of.group(1),
              "Allow the user 10001 in the namespace: 'oc adm policy add-scc-to-user nonroot-v2 -z default -n NAMESPACE'."),
          new Known(
              "(?s)(no PriorityClass with name (\\S+) was found)",
              _ -> API,
              of -> of.group(1),
              "Create the PriorityClass, or restart the operator's pod, which creates the operator's own."),
          new Known(
              "(?s)(error looking up service account ([^:]+): .*)",
              _ -> API,
              of -> of.group(1),
              "Create the ServiceAccount; in a new namespace Kubernetes creates it within seconds."),
          new Known(
              "(?s)(\\S+ max limit to request ratio per \\S+ is .*)",
              _ -> "A LimitRange",
              of -> of.group(1),
              "Raise maxLimitRequestRatio of the LimitRange, or set requests and limits in the spec."),
          new Known(
              "(?s)((?:minimum|maximum) \\S+ usage per \\S+ is .*)",
              _ -> "A LimitRange",
              of -> of.group(1),
              "Change the LimitRange, or the resources in the spec."),
          new Known(
              "(?s)((?:\\d+|[\\w.\\[\\]]+: Invalid value: \\d+)?:? ?provided port is already allocated)",
              _ -> API,
              of -> of.group(1),
              "Name another port in spec.endpoint.nodePort, or remove the Service that has it."),
          new Known(
              "(?s)(provided port is not in the valid range.*)",
              _ -> API,
              of -> of.group(1),
              "Name a port of that range in spec.endpoint.nodePort."),
          new Known(
              "(?s)((?:failed to allocate|provided IP).*(?:range is full|already allocated).*)",
              _ -> API,
              of -> of.group(1),
              "Free an address of the management cluster's Service network, or enlarge the network."),
          new Known(
              "(?s)(unable to create new content in namespace \\S+ because it is being terminated)",
              _ -> API,
              of -> of.group(1),
              "Wait until the namespace is gone; make the object in another namespace."),
          new Known(
              "(?s)(.*(?:field is immutable|updates to statefulset spec for fields other than).*)",
              _ -> API,
              of -> of.group(1),
              "Compare the object with the spec ('kubectl get -o yaml'). If nothing depends on it, delete it with 'kubectl delete --cascade=orphan', and the operator creates it again."),
          new Known(
              "(?s)(attempting to grant RBAC permissions not currently held.*)",
              _ -> "RBAC",
              of -> of.group(1),
              "Apply the operator's manifests again; their roles name what the operator needs."),
          new Known(
              "(?s)User \"([^\"]+)\" cannot (.*)",
              _ -> "RBAC",
              of -> "user %s cannot %s".formatted(of.group(1), of.group(2)),
              "Apply the operator's manifests again; their roles name what the operator needs."),
          new Known(
              "(?s)Apply failed with \\d+ conflicts?: (.*)",
              _ -> "Another field manager",
              of -> of.group(1),
              "Take the field out of the other manager's object."),
          new Known(
              "(?s)(object is being deleted: .*)",
              _ -> API,
              of -> of.group(1),
              "See the object's finalizers with 'kubectl get -o yaml'; wait until it is gone."),
          new Known(
              "(?s)(etcdserver: mvcc: database space exceeded|.*\\bspace exceeded\\b.*)",
              _ -> "The API server's store",
              of -> of.group(1),
              "Free space in the API server's store, and disarm its alarm."),
          new Known(
              "(?s)(etcdserver: request is too large|.*\\bmessage larger than max\\b.*)",
              _ -> "The API server's store",
              of -> of.group(1),
              "Report the object and its size; no setting of the user's makes it smaller."));

  private Refusals() {}

  private record Known(
      Pattern pattern,
      Function<Matcher, String> who,
      Function<Matcher, String> why,
      String action) {
    Known(
        String pattern,
        Function<Matcher, String> who,
        Function<Matcher, String> why,
        String action) {
      this(Pattern.compile(pattern), who, why, action);
    }
  }

  /** What a failure tells; a failure of the operator's own is told as that. */
  public static Refusal of(Throwable failure) {
    if (failure instanceof AggregatedOperatorException all
        && !all.getAggregatedExceptions().isEmpty()) {
      return of(all.getAggregatedExceptions().values().iterator().next());
    }
    Optional<NeedsPersonException> stuck = needsPerson(failure);
    if (stuck.isPresent()) {
      return new Refusal(
          "what follows",
          "make",
          Refusal.OPERATOR,
          stuck.get().problem(),
          stuck.get().action(),
          false);
    }
    Throwable found = failure;
    while (!(found instanceof KubernetesClientException) && found.getCause() != null) {
      found = found.getCause();
    }
    if (found instanceof KubernetesClientException refused) {
      return ofRequest(refused);
    }
    // The operator waits for something, and says for what.
    if (failure instanceof AwaitedException waiting) {
      return new Refusal(
          "what follows", "make", Refusal.OPERATOR, oneLine(waiting.getMessage()), WAIT, true);
    }
    return new Refusal(
        "what follows",
        "make",
        Refusal.OPERATOR,
        oneLine(found.getClass().getSimpleName() + ": " + found.getMessage()),
        "Report this with the operator's log.",
        false);
  }

  /**
   * The next action against a refusal of which only words are known, as those of an Event.
   *
   * @param words what the API server said
   * @return a sentence; nothing if nobody knows who refuses
   */
  public static Optional<String> remedy(String words) {
    return KNOWN.stream()
        .filter(known -> known.pattern().matcher(words).find())
        .map(Known::action)
        .findFirst();
  }

  /** The one in a chain of causes, if there is one. */
  private static Optional<NeedsPersonException> needsPerson(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof NeedsPersonException found) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private static Refusal ofRequest(KubernetesClientException failure) {
    RequestedObject asked = RequestedObject.of(failure);
    Status status = failure.getStatus();
    String words = words(failure);
    for (Known known : KNOWN) {
      Matcher matcher = known.pattern().matcher(words);
      if (matcher.find()) {
        return new Refusal(
            asked.object(),
            asked.verb(),
            known.who().apply(matcher),
            oneLine(known.why().apply(matcher)),
            known.action(),
            known.action().equals(WAIT));
      }
    }
    return byCode(asked, failure.getCode(), status, words);
  }

  private static Refusal byCode(RequestedObject asked, int code, Status status, String words) {
    String why = oneLine(words);
    boolean conflict = code == 409;
    if (conflict && isTaken(status, words)) {
      return lasting(
          asked,
          API,
          why,
          "Remove or rename the object that has the name; the operator takes over only its own.");
    }
    if (conflict) {
      return passing(asked, API, why);
    }
    return switch (code) {
      case -1, 0 -> passing(asked, "The connection to the API server", why);
      case 401 -> lasting(asked, API, why, "Renew the operator's token: restart its pod.");
      case 403 ->
          lasting(asked, API, why, "Allow the request, or change what the answer objects to.");
      case 404 ->
          lasting(
              asked,
              API,
              why,
              "Check that the namespace and the Kind exist; apply the operator's CRDs again.");
      case 413 -> lasting(asked, API, why, "Report the object; no setting makes it smaller.");
      case 400, 405, 406, 415 ->
          lasting(asked, API, why, "Apply the CRDs of the operator's own version.");
      case 422 ->
          lasting(asked, API, causes(status, why), "Change the field that the answer names.");
      case 408, 429 -> passing(asked, API, why);
      default ->
          code >= 500
              ? passing(asked, API, why)
              : lasting(
                  asked, API, why, "See the operator's log, and repair what the answer names.");
    };
  }

  private static Refusal lasting(RequestedObject asked, String who, String why, String action) {
    return new Refusal(asked.object(), asked.verb(), who, why, action, false);
  }

  private static Refusal passing(RequestedObject asked, String who, String why) {
    return new Refusal(asked.object(), asked.verb(), who, why, WAIT, true);
  }

  /** Field by field, as the API server names them. */
  private static String causes(Status status, String otherwise) {
    if (status == null
        || status.getDetails() == null
        || status.getDetails().getCauses() == null
        || status.getDetails().getCauses().isEmpty()) {
      return otherwise;
    }
    return oneLine(
        status.getDetails().getCauses().stream()
            .map(Refusals::text)
            .distinct()
            .collect(Collectors.joining("; ")));
  }

  private static String text(StatusCause cause) {
    return cause.getField() == null || cause.getField().isEmpty()
        ? String.valueOf(cause.getMessage())
        : cause.getField() + ": " + cause.getMessage();
  }

  /** Whether the name of an object is taken; a name in words may be any. */
  private static boolean isTaken(Status status, String words) {
    return status == null || status.getReason() == null
        ? words.contains("already exists")
        : isReason(status, "AlreadyExists");
  }

  private static boolean isReason(Status status, String reason) {
    return status != null && Objects.equals(reason, status.getReason());
  }

  /** The server's own message; else those of the connection, the innermost. */
  private static String words(KubernetesClientException failure) {
    if (failure.getStatus() != null && failure.getStatus().getMessage() != null) {
      return readable(failure.getStatus().getMessage());
    }
    Throwable inner = failure;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    String message = inner.getMessage() == null ? "" : inner.getMessage();
    int at = message.indexOf("Message: ");
    String words = at < 0 ? message : message.substring(at + "Message: ".length());
    return inner == failure
        ? words.isEmpty() ? "status " + failure.getCode() : words
        : kind(inner) + (words.isEmpty() ? "" : ": " + words);
  }

  /** What failed, as "unknown host": a host's name alone tells nothing, and users know no class. */
  private static String kind(Throwable failure) {
    return failure
        .getClass()
        .getSimpleName()
        .replaceFirst("(Exception|Error)$", "")
        .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
        .toLowerCase(Locale.ROOT);
  }

  private static String readable(String text) {
    return text.length() <= MOST_READ + MOST_END
        ? text
        : text.substring(0, MOST_READ) + " … " + text.substring(text.length() - MOST_END);
  }

  /**
   * One line of what policy engines write over many; no stack of calls, no full stop, and no more
   * than somebody reads.
   */
  static String oneLine(String text) {
    String line =
        text.lines()
            .takeWhile(each -> !each.matches("\\s+at .*"))
            .map(String::strip)
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(" "))
            .replaceFirst("\\.+$", "");
    return line.length() <= MOST ? line : line.substring(0, MOST) + "…";
  }
}
