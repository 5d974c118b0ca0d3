// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.ObjectKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One API server. All methods block, and are called by virtual threads, many at once; an interrupt
 * ends them. None retries by itself: the engine decides when.
 */
public interface ApiPort extends AutoCloseable {
  /**
   * What the server serves, by one aggregated document for {@code /api} and one for {@code /apis}.
   *
   * @return all kinds
   * @throws ApiException when the server did not say
   */
  Discovery discover() throws ApiException, InterruptedException;

  /**
   * How busy the server is.
   *
   * @return figures; unknown ones where the server, or this port, does not say
   * @throws ApiException when it did not answer, or the account may not ask
   */
  default ServerLoad load() throws ApiException, InterruptedException {
    return ServerLoad.UNKNOWN;
  }

  /**
   * Applies an object (server-side apply). Fields that the request ignores stay as they are.
   *
   * @param request what and how
   * @return the object after it
   * @throws ApiException when it was refused, or when the outcome is unknown
   */
  Observed apply(ApplyRequest request) throws ApiException, InterruptedException;

  /**
   * What {@link #apply} would make, by {@code dryRun=All}.
   *
   * @param request what and how; {@code content} is ignored
   * @return the whole object
   * @throws ApiException when it would be refused
   */
  ObjectNode dryRun(ApplyRequest request) throws ApiException, InterruptedException;

  /**
   * Deletes an object.
   *
   * @param request what, with preconditions
   * @throws ApiException when it was refused; code 404 when there is none, 409 when the object is
   *     another one by now
   */
  void delete(DeleteRequest request) throws ApiException, InterruptedException;

  /**
   * Reads one whole object. The engine does so for its inventory only.
   *
   * @param type kind as the server serves it
   * @param key the object, with its namespace
   * @return the object; empty when there is none
   * @throws ApiException when the server did not say
   */
  Optional<ObjectNode> get(ResourceType type, ObjectKey key)
      throws ApiException, InterruptedException;

  /**
   * Reads a page of the objects of a kind in all namespaces.
   *
   * @param type kind as the server serves it
   * @param content how much of each object
   * @param selector label selector; empty for all
   * @param limit objects a page, at most
   * @param next token of the page; empty for the first one
   * @return the page
   * @throws ApiException code 410 when the token expired; reason {@link Failure#TOO_LARGE} when
   *     fewer objects a page are to be asked for
   */
  ListPage list(ResourceType type, Content content, String selector, int limit, String next)
      throws ApiException, InterruptedException;

  /**
   * Watches the objects of a kind in all namespaces, with bookmarks, until the server ends the
   * stream: then this method returns.
   *
   * @param type kind as the server serves it
   * @param content how much of each object
   * @param selector label selector; empty for all
   * @param resourceVersion where to begin: events after it are delivered
   * @param sink gets the events in their order, on the calling thread
   * @throws ApiException code 410 when the server no longer knows that version; other codes when
   *     the stream broke
   */
  void watch(
      ResourceType type,
      Content content,
      String selector,
      long resourceVersion,
      Consumer<WatchEvent> sink)
      throws ApiException, InterruptedException;

  @Override
  void close();
}
