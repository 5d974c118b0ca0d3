// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.port;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.ObjectKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A server that expects no request at all, for tests that answer some of them: each other request
 * ends its test. Thread-safe.
 */
public class UnexpectedPort implements ApiPort {
  private static IllegalStateException unexpected(String request) {
    return new IllegalStateException(request + " is not expected in this test");
  }

  @Override
  public Discovery discover() throws ApiException, InterruptedException {
    throw unexpected("discover");
  }

  @Override
  public Observed apply(ApplyRequest request) throws ApiException, InterruptedException {
    throw unexpected("apply of " + request.key());
  }

  @Override
  public ObjectNode dryRun(ApplyRequest request) throws ApiException, InterruptedException {
    throw unexpected("dry run of " + request.key());
  }

  @Override
  public void delete(DeleteRequest request) throws ApiException, InterruptedException {
    throw unexpected("delete of " + request.key());
  }

  @Override
  public Optional<ObjectNode> get(ResourceType type, ObjectKey key)
      throws ApiException, InterruptedException {
    throw unexpected("get of " + key);
  }

  @Override
  public ListPage list(ResourceType type, Content content, String selector, int limit, String next)
      throws ApiException, InterruptedException {
    throw unexpected("list of " + type);
  }

  @Override
  public void watch(
      ResourceType type,
      Content content,
      String selector,
      long resourceVersion,
      Consumer<WatchEvent> sink)
      throws ApiException, InterruptedException {
    throw unexpected("watch of " + type);
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
