// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A way to ask for the same objects.
 *
 * @param name for people
 * @param query parameters of the address, without the question mark
 * @param accept media types
 * @param gzip whether the client takes compressed answers
 * @param pages whether the pages behind the first are asked for, too
 * @param stream whether it is a watch that begins with all objects
 */
public record ListVariant(
    String name, String query, String accept, boolean gzip, boolean pages, boolean stream) {
  static final String JSON = "application/json";
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private static ListVariant of(String name, String query) {
    return new ListVariant(name, query, JSON, false, false, false);
  }

  /**
   * Those that make sense for a resource; the first is what a client does without thinking.
   *
   * @param revision that the server has now, for those that name one
   * @param nodeName of a node, for pods
   * @param builtIn whether it has a form in protobuf
   */
  static List<ListVariant> all(String revision, Optional<String> nodeName, boolean builtIn) {
    List<ListVariant> all = new ArrayList<>();
    all.add(of("resourceVersion unset", ""));
    all.add(of("resourceVersion=0", "resourceVersion=0"));
    all.add(of("resourceVersion=0, limit=500", "resourceVersion=0&limit=500"));
    all.add(new ListVariant("pages of 500", "limit=500", JSON, false, true, false));
    all.add(
        of("not older than", "resourceVersion=" + revision + "&resourceVersionMatch=NotOlderThan"));
    all.add(of("exact", "resourceVersion=" + revision + "&resourceVersionMatch=Exact"));
    all.add(of("label that none has", "labelSelector=" + encoded("exaplane.io/none=none")));
    nodeName.ifPresent(
        node ->
            all.add(
                of(
                    "one node's, resourceVersion=0",
                    "resourceVersion=0&fieldSelector=" + encoded("spec.nodeName=" + node))));
    all.add(new ListVariant("metadata only", "resourceVersion=0", METADATA, false, false, false));
    if (builtIn) {
      all.add(new ListVariant("protobuf", "resourceVersion=0", PROTOBUF, false, false, false));
      all.add(new ListVariant("protobuf, gzip", "resourceVersion=0", PROTOBUF, true, false, false));
    }
    all.add(new ListVariant("gzip", "resourceVersion=0", JSON, true, false, false));
    all.add(
        new ListVariant(
            "watch-list",
            "watch=true&sendInitialEvents=true&allowWatchBookmarks=true"
                + "&resourceVersionMatch=NotOlderThan&timeoutSeconds=60",
            JSON,
            false,
            false,
            true));
    return all;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** The address of this way to ask. */
  String path(String collection) {
    return query.isEmpty() ? collection : collection + "?" + query;
  }

  Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Accept", accept);
    headers.put("Accept-Encoding", gzip ? "gzip" : "identity");
    return headers;
  }
}
