// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import java.time.Duration;

/**
 * One request. Immutable; nobody changes the body.
 *
 * @param path with its query, behind the server's address
 * @param accept media types of the answer
 * @param contentType of the body; empty without one
 * @param node name of the node in whose name the request is sent; empty for the account's own name
 * @param timeout from the request to the end of the answer; zero for none
 */
record Call(
    Operation operation,
    String method,
    String path,
    String accept,
    String contentType,
    byte[] body,
    String node,
    Duration timeout) {
  static final String JSON = "application/json";
  static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  static final String WATCH = PROTOBUF + ";stream=watch";
  static final String MERGE_PATCH = "application/merge-patch+json";
  static final String STRATEGIC_PATCH = "application/strategic-merge-patch+json";
  private static final byte[] NOTHING = {};

  static Call get(String resource, String path) {
    return of("get", resource, "GET", path);
  }

  static Call list(String resource, String path) {
    return of("list", resource, "GET", path);
  }

  static Call watch(String resource, String path) {
    return of("watch", resource, "GET", path).accepting(WATCH);
  }

  static Call delete(String resource, String path) {
    return of("delete", resource, "DELETE", path);
  }

  static Call create(String resource, String path, String contentType, byte[] body) {
    return of("create", resource, "POST", path).with(contentType, body);
  }

  static Call update(String resource, String path, byte[] body) {
    return of("update", resource, "PUT", path).with(PROTOBUF, body);
  }

  static Call patch(String resource, String path, String contentType, byte[] body) {
    return of("patch", resource, "PATCH", path).with(contentType, body);
  }

  private static Call of(String verb, String resource, String method, String path) {
    return new Call(
        new Operation(verb, resource), method, path, PROTOBUF, "", NOTHING, "", Duration.ZERO);
  }

  private Call with(String contentType, byte[] body) {
    return new Call(operation, method, path, accept, contentType, body, node, timeout);
  }

  /** The same with a body of JSON, as deletions have one. */
  Call withJson(byte[] body) {
    return with(JSON, body);
  }

  Call accepting(String accept) {
    return new Call(operation, method, path, accept, contentType, body, node, timeout);
  }

  /** The same in the name of a node's kubelet. */
  Call as(String node) {
    return new Call(operation, method, path, accept, contentType, body, node, timeout);
  }

  Call within(Duration timeout) {
    return new Call(operation, method, path, accept, contentType, body, node, timeout);
  }
}
