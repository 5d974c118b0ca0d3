// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.reshard;

/** What the clients of a test write: objects with a number in an annotation. */
enum Kind {
  LEASES(
      "coordination.k8s.io/leases",
      "/registry/leases/",
      "/apis/coordination.k8s.io/v1",
      "leases",
      "Lease",
      "{\"holderIdentity\":\"somebody\",\"leaseDurationSeconds\":40}"),
  PODS(
      "/pods",
      "/registry/pods/",
      "/api/v1",
      "pods",
      "Pod",
      "{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}");

  private static final String NUMBER = "number";

  /** As flags of kube-apiserver name it: group/resource. */
  final String resource;

  /** Of its keys in a store. */
  final String prefix;

  final String plural;
  private final String version;
  private final String kind;
  private final String spec;

  Kind(String resource, String prefix, String version, String plural, String kind, String spec) {
    this.resource = resource;
    this.prefix = prefix;
    this.version = version;
    this.plural = plural;
    this.kind = kind;
    this.spec = spec;
  }

  /** Its API group; "" for the core. */
  String group() {
    return resource.substring(0, resource.indexOf('/'));
  }

  /** Path of all its objects in the namespace of the tests. */
  String path() {
    return version + "/namespaces/default/" + plural;
  }

  /** Path of all its objects. */
  String everywhere() {
    return version + "/" + plural;
  }

  /** A new object. */
  String manifest(String name, String padding) {
    return """
        {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s",
         "annotations":{"%s":"0","padding":"%s"}},"spec":%s}
        """
        .formatted(version.replaceFirst("^/apis?/", ""), kind, name, NUMBER, padding, spec);
  }
}
