// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/**
 * What the analyser takes from a completed request of an audit log (audit.k8s.io/v1).
 *
 * @param uri path and query as they were asked for
 * @param resource with its group as in apps/deployments, or empty for what is no resource
 * @param code of the response; 0 if the log has none
 * @param receivedMicros microseconds since 1970
 */
public record AuditEvent(
    String verb,
    String user,
    String userAgent,
    String sourceIp,
    String uri,
    String resource,
    String namespace,
    String name,
    int code,
    long receivedMicros) {}
