// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.guard;

import io.exaplane.api.v1alpha1.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known from one look to the next. Bad looks in a row freeze, good ones thaw, and a look at
 * an API that does not answer inside says neither: nobody can write then. Immutable.
 *
 * @param frozen whether nodes must not be declared dead
 * @param cause of the last change; null before the first
 * @param numbers of the last change, as a sentence
 * @param bad looks in a row
 * @param good looks in a row
 * @param aliveNodes that are not known to be dead; while frozen those of before
 * @param deadNodes likewise
 * @param pathsGoodSince since when endpoint and store answer; null while one does not
 * @param reached whether the published endpoint has answered this operator, and nothing proved
 *     since that its silence means nothing
 */
public record GuardState(
    boolean frozen,
    Reason cause,
    String numbers,
    int bad,
    int good,
    long aliveNodes,
    long deadNodes,
    Instant pathsGoodSince,
    boolean reached) {

  /** Of a new operator. */
  public static GuardState quiet(boolean reached) {
    return new GuardState(false, null, "", 0, 0, 0, 0, null, reached);
  }

  /** As another operator left it. */
  public static GuardState frozenBefore(Reason cause, String numbers, long alive, long dead) {
    return new GuardState(true, cause, numbers, 0, 0, alive, dead, null, false);
  }

  /** Somebody switched the guard off. */
  public GuardState off() {
    return new GuardState(
        false, cause, "The guard is off (spec.guard.mode).", 0, 0, 0, 0, null, reached);
  }

  /** After one more look. */
  public GuardState next(GuardLook look, GuardPolicy policy) {
    if (!look.inside()) {
      return new GuardState(frozen, cause, numbers, 0, 0, aliveNodes, deadNodes, null, reached);
    }
    Duration silentFor = frozen ? policy.releaseAfter() : policy.deadAfter();
    // To thaw, nodes must have renewed; to freeze, they must have had the time for it.
    Duration renewedWithin = frozen ? Duration.ZERO : policy.staleAfter();
    GuardLook known = look.remembering(aliveNodes, silentFor, renewedWithin);
    return frozen ? whileFrozen(known, policy) : whileQuiet(known, policy);
  }

  private GuardState whileQuiet(GuardLook look, GuardPolicy policy) {
    boolean isCounted = look.leases().kind() == LeaseLook.Kind.COUNTED;
    // A store that has just begun knows too few, and those of before may be silent.
    boolean isYoung = look.leases().countedFor().compareTo(policy.staleAfter()) < 0;
    long known = isYoung ? Math.max(aliveNodes, look.leases().nodes()) : look.leases().nodes();
    long alive = isCounted ? known : aliveNodes;
    long dead = isCounted ? look.leases().dead() : deadNodes;
    boolean answers = reached || look.outsideProblem().isEmpty();
    Optional<Reason> found = cause(look, policy);
    int count = found.isPresent() ? bad + 1 : 0;
    if (count < policy.badLooks()) {
      return new GuardState(false, cause, numbers, count, 0, alive, dead, null, answers);
    }
    Reason why = found.orElseThrow();
    return new GuardState(true, why, text(why, look, policy), 0, 0, alive, dead, null, answers);
  }

  /** An endpoint that never answered this operator proves nothing by its silence. */
  private Optional<Reason> cause(GuardLook look, GuardPolicy policy) {
    LeaseLook leases = look.leases();
    if (reached && !look.outsideProblem().isEmpty()) {
      return Optional.of(Reason.EndpointUnreachable);
    }
    if (leases.kind() == LeaseLook.Kind.UNREACHABLE) {
      return Optional.of(Reason.LeaseStoreUnreachable);
    }
    return leases.nodes() >= policy.minNodes() && isShare(leases.missed(), leases.nodes(), policy)
        ? Optional.of(Reason.LeasesMissed)
        : Optional.empty();
  }

  private GuardState whileFrozen(GuardLook look, GuardPolicy policy) {
    boolean isCounted = look.leases().kind() == LeaseLook.Kind.COUNTED;
    long dead = isCounted ? Math.min(deadNodes, look.leases().dead()) : deadNodes;
    boolean answers = reached || look.outsideProblem().isEmpty();
    boolean isDirect = look.pathsAreGood() || waysCount(look);
    if (!isDirect && !nodesProveTheWay(look, policy)) {
      return new GuardState(true, cause, numbers, 0, 0, aliveNodes, dead, null, answers);
    }
    Instant since = pathsGoodSince == null ? look.at() : pathsGoodSince;
    Duration lasts = Duration.between(since, look.at());
    boolean isOver = lasts.compareTo(policy.patience()) >= 0;
    boolean isBelieved = lasts.compareTo(policy.releaseAfter()) >= 0;
    boolean counts =
        isDirect
            ? isGood(look.leases(), isOver, policy)
            : isOver && lasts.compareTo(policy.staleAfter()) > 0;
    int count = counts || isBelieved ? good + 1 : 0;
    if (count < policy.goodLooks()) {
      return new GuardState(true, cause, numbers, 0, count, aliveNodes, dead, since, answers);
    }
    return new GuardState(
        false,
        cause,
        "%d checks in a row were good%s."
            .formatted(count, renewing(look.leases(), lost(look.leases()))),
        0,
        0,
        look.leases().nodes(),
        look.leases().dead(),
        null,
        isDirect && answers);
  }

  /** The silence of an endpoint that never answered holds nothing that another cause froze. */
  private boolean waysCount(GuardLook look) {
    return !reached
        && cause != Reason.EndpointUnreachable
        && look.leases().kind() != LeaseLook.Kind.UNREACHABLE;
  }

  /** Nodes that renew reach the API, whatever keeps the operator from the endpoint. */
  private boolean nodesProveTheWay(GuardLook look, GuardPolicy policy) {
    LeaseLook leases = look.leases();
    return leases.kind() == LeaseLook.Kind.COUNTED
        && leases.alive() > 0
        && !isShare(lost(leases), leases.alive() + lost(leases), policy);
  }

  /**
   * Whether the nodes are back. Those of before are waited for as long as the patience lasts, also
   * where a store forgot their Leases; then those that exist count, and few nodes no more.
   */
  private boolean isGood(LeaseLook leases, boolean isPatienceOver, GuardPolicy policy) {
    if (leases.kind() != LeaseLook.Kind.COUNTED) {
      return isPatienceOver;
    }
    long expected = leases.alive() + lost(leases);
    if (isPatienceOver) {
      return expected < policy.minNodes() || !isShare(lost(leases), expected, policy);
    }
    long before = Math.max(expected, aliveNodes);
    return before == 0 || !isShare(before - leases.alive(), before, policy);
  }

  /** While this lasts nobody becomes a dead node by time alone. */
  private long lost(LeaseLook leases) {
    return Math.max(0, leases.missed() + leases.dead() - deadNodes);
  }

  private static boolean isShare(long part, long whole, GuardPolicy policy) {
    return part > 0 && part * 100 >= whole * policy.sharePercent();
  }

  private static String renewing(LeaseLook leases, long lost) {
    return leases.kind() == LeaseLook.Kind.COUNTED
        ? "; %d of %d nodes renew their Leases".formatted(leases.alive(), leases.alive() + lost)
        : "";
  }

  private static String text(Reason cause, GuardLook look, GuardPolicy policy) {
    return switch (cause) {
      case EndpointUnreachable ->
          "The API does not answer through the published endpoint (%s), and answers inside the management cluster; %d checks in a row."
              .formatted(look.outsideProblem(), policy.badLooks());
      case LeaseStoreUnreachable ->
          "The store of node Leases does not answer, so no node can renew; %d checks in a row."
              .formatted(policy.badLooks());
      default ->
          "%d of %d nodes did not renew their Leases for %.1f s. The limit is %d %% of at least %d nodes. %d nodes were dead before."
              .formatted(
                  look.leases().missed(),
                  look.leases().nodes(),
                  policy.staleAfter().toMillis() / 1000.0,
                  policy.sharePercent(),
                  policy.minNodes(),
                  look.leases().dead());
    };
  }
}
