// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.alerts;

import io.exaplane.tuning.apf.FlowControl;
import java.util.List;

/** What kube-apiservers say of their requests, their memory and those that they depend on. */
final class ApiServerAlerts {
  private static final String JOB = "{job=\"" + Series.API_SERVER + "\"}";
  private static final String POD = Series.PLANE + ", pod";
  private static final String SERVER = "kube-apiserver {{ $labels.pod }} of " + Series.WHERE;

  /** Of the container's limit, as the model sets GOMEMLIMIT. */
  private static final String LIMIT = "(go_gc_gomemlimit_bytes" + JOB + " / 0.85)";

  private ApiServerAlerts() {}

  static List<AlertGroup> groups() {
    return List.of(
        AlertGroup.of(
            "api",
            "api",
            List.of(down(), oneDown(), terminated(), aggregated(), clientCertificate())),
        AlertGroup.of("api-queues", "api", List.of(nodesRejected(), rejected(), seats(), waits())),
        AlertGroup.of(
            "api-memory", "api", List.of(killedSoon(), undersized(), collector(), goroutines())),
        AlertGroup.of(
            "api-depends",
            "api",
            List.of(
                storeSlow(),
                storeErrors(),
                decode(),
                webhookSlow(),
                webhookErrors(),
                audit(),
                serviceAddresses())));
  }

  private static Alert down() {
    return Alert.named("ApiServersDown")
        .critical("2m")
        .when("sum by (%s) (up%s) == 0".formatted(Series.PLANE, JOB))
        .says("No kube-apiserver of " + Series.WHERE + " answers: its users have no API.")
        .then("Run 'kubectl describe cpl'; see docs/not-available.md.")
        .since("a single kube-apiserver starts within 2 min; docs/not-available.md");
  }

  private static Alert oneDown() {
    return Alert.named("ApiServerDown")
        .warning("10m")
        .when("max by (%s) (up%s) == 0".formatted(POD, JOB))
        .says("The " + SERVER + " does not answer: the others carry its load.")
        .then("Run 'kubectl describe pod' and 'kubectl logs --previous' for the pod.")
        .since("chosen: longer than the start of one kube-apiserver; a slower start also fires");
  }

  private static Alert terminated() {
    return Alert.named("RequestsTerminated")
        .warning("10m")
        .when(
            Series.rate(Series.PLANE, "apiserver_request_terminations_total" + JOB, "5m")
                + " / ("
                + Series.rate(Series.PLANE, "apiserver_request_total" + JOB, "5m")
                + " + "
                + Series.rate(Series.PLANE, "apiserver_request_terminations_total" + JOB, "5m")
                + ") > 0.2")
        .says(
            Series.WHERE
                + " drops {{ $value | humanizePercentage }} of its requests in self-defence.")
        .then("Add kube-apiservers or memory: './exa tune' with the number of nodes.")
        .since("kubernetes-mixin, KubeAPITerminatedRequests: 20 %");
  }

  private static Alert aggregated() {
    return Alert.named("AggregatedApiDown")
        .warning("10m")
        .when("max by (%s, name) (aggregator_unavailable_apiservice) == 1".formatted(Series.PLANE))
        .says(
            "The aggregated API {{ $labels.name }} of "
                + Series.WHERE
                + " is down: namespaces cannot be deleted, and kubectl is slow.")
        .then("Run 'kubectl --kubeconfig=HOSTED describe apiservice', then check its pods.")
        .since("kubernetes-mixin, KubeAggregatedAPIDown: 10 min");
  }

  private static Alert clientCertificate() {
    return Alert.named("ClientCertificateExpires")
        .warning("5m")
        .when(
            Series.quantile(
                    0.01, Series.PLANE, "apiserver_client_certificate_expiration_seconds", JOB)
                + " < 86400 and "
                + Series.rate(
                    Series.PLANE,
                    "apiserver_client_certificate_expiration_seconds_count" + JOB,
                    "5m")
                + " > 0")
        .says("A client of " + Series.WHERE + " uses a certificate that expires within a day.")
        .then("Find it: kubelets that no longer rotate, or an administrator's kubeconfig.")
        .since(
            "kubernetes-mixin, KubeClientCertificateExpiration: 1 day; kubelets rotate at 70-90 %");
  }

  private static Alert nodesRejected() {
    return Alert.named("NodeRequestsRejected")
        .critical("2m")
        .when(
            Series.rate(
                    Series.PLANE + ", priority_level, reason",
                    "apiserver_flowcontrol_rejected_requests_total{priority_level=~\"%s|node-high\"}"
                        .formatted(FlowControl.LEASES),
                    "5m")
                + " > 0.5")
        .says(
            Series.WHERE
                + " rejects {{ $value }} heartbeats of nodes a second ({{ $labels.reason }}): nodes "
                + "become NotReady.")
        .then("Find the storm in ExaplaneRelistStorm; add seats: './exa tune'.")
        .since("reference/tuning.md §7.2: 0.5/s, critical for leases and node-high");
  }

  private static Alert rejected() {
    return Alert.named("RequestsRejected")
        .warning("5m")
        .when(
            Series.rate(
                    Series.PLANE + ", priority_level, reason",
                    "apiserver_flowcontrol_rejected_requests_total{priority_level!~\"%s|node-high|%s\"}"
                        .formatted(FlowControl.LEASES, FlowControl.EVENTS),
                    "5m")
                + " > 0.5")
        .says(
            Series.WHERE
                + " rejects {{ $value }} requests a second of {{ $labels.priority_level }} "
                + "({{ $labels.reason }}).")
        .then("Name the client by the label flow_schema, and slow it down; see './exa tune'.")
        .since("reference/tuning.md §7.2: 0.5/s; Events are left out, they are rejected first");
  }

  private static Alert seats() {
    return Alert.named("SeatsSaturated")
        .warning("10m")
        .when(
            ("sum by (%1$s, priority_level) (apiserver_flowcontrol_current_executing_seats)"
                    + " / sum by (%1$s, priority_level) (apiserver_flowcontrol_current_limit_seats)"
                    + " > 0.9")
                .formatted(Series.PLANE))
        .says(
            "The level {{ $labels.priority_level }} of "
                + Series.WHERE
                + " uses {{ $value | humanizePercentage }} of its seats; the next burst waits.")
        .then("Find the requests by flow_schema; raise max-requests-inflight as './exa tune' says.")
        .since("reference/tuning.md §7.2: 90 % of the current limit, after borrowing");
  }

  private static Alert waits() {
    return Alert.named("RequestsWait")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99,
                    Series.PLANE + ", priority_level",
                    "apiserver_flowcontrol_request_wait_duration_seconds",
                    "{execute=\"true\"}")
                + " > 1")
        .says(
            "Requests of {{ $labels.priority_level }} to "
                + Series.WHERE
                + " wait {{ $value | humanizeDuration }} for a seat (p99).")
        .then("Find the requests by flow_schema, and lower their rate or their size.")
        .since("reference/tuning.md §7.2: 1 s, the whole time of SIG Scalability's objective");
  }

  private static Alert killedSoon() {
    return Alert.named("ApiServerMemoryGone")
        .critical("1m")
        .when(
            "max by (%s) (process_resident_memory_bytes%s / %s) > 0.97".formatted(POD, JOB, LIMIT))
        .says("The " + SERVER + " uses {{ $value | humanizePercentage }} of its memory limit.")
        .then("Expect an end for memory: stop the LISTs ('./exa lists'), then raise the limit.")
        .since(
            "reference/tuning.md §7.2: 97 %; the limit is GOMEMLIMIT / 0.85, as the model sets it");
  }

  private static Alert undersized() {
    return Alert.named("ApiServerUndersized")
        .warning("15m")
        .when("max by (%s) (go_gc_heap_live_bytes%s / %s) > 0.65".formatted(POD, JOB, LIMIT))
        .says(
            "The live heap of "
                + SERVER
                + " takes {{ $value | humanizePercentage }} of its memory limit; a relist needs more.")
        .then("Raise the memory, or run more kube-apiservers: './exa tune' with today's nodes.")
        .since("the model's Estimate.FULL: 65 %; resident memory near GOMEMLIMIT is normal");
  }

  private static Alert collector() {
    return Alert.named("GarbageCollectorBusy")
        .warning("10m")
        .when(
            ("max by (%s) (rate(go_cpu_classes_gc_total_cpu_seconds_total%s[5m])"
                    + " / rate(process_cpu_seconds_total%s[5m])) > 0.35")
                .formatted(POD, JOB, JOB))
        .says("The " + SERVER + " spends {{ $value | humanizePercentage }} of its CPU on garbage.")
        .then("Raise the memory limit: GOMEMLIMIT and GOGC follow; see './exa tune'.")
        .since("reference/tuning.md §7.2: 35 %; Go's collector stops at 50 %");
  }

  private static Alert goroutines() {
    return Alert.named("GoroutinesLeak")
        .warning("15m")
        .when(
            ("max by (%1$s) (go_goroutines%2$s) > 4 * sum by (%1$s)"
                    + " (apiserver_longrunning_requests%2$s) + 50000")
                .formatted(POD, JOB))
        .says("The " + SERVER + " has {{ $value }} goroutines, more than its watches explain.")
        .then("Take '/debug/pprof/goroutine?debug=1' before you restart the pod.")
        .since("reference/tuning.md §7.2: four for each watch, and 50,000");
  }

  private static Alert storeSlow() {
    return Alert.named("StoreSlowForApi")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99, Series.PLANE + ", operation", "etcd_request_duration_seconds", JOB)
                + " > 1")
        .says(
            "kube-apiservers of "
                + Series.WHERE
                + " wait {{ $value | humanizeDuration }} for {{ $labels.operation }} in their store.")
        .then(
            "Compare with StoreSlowRanges and StoreSlowWrites: if both are quiet, the network is.")
        .since("the whole second of SIG Scalability's objective for a write");
  }

  private static Alert storeErrors() {
    return Alert.named("StoreErrorsForApi")
        .critical("5m")
        .when(
            Series.rate(Series.PLANE, "etcd_request_errors_total" + JOB, "5m")
                + " / "
                + Series.rate(Series.PLANE, "etcd_requests_total" + JOB, "5m")
                + " > 0.05")
        .says(
            "{{ $value | humanizePercentage }} of the requests of kube-apiservers of "
                + Series.WHERE
                + " to their stores fail.")
        .then("Run 'kubectl get shard -A'; if all serve, check certificates and network.")
        .since("as etcdHighNumberOfFailedGRPCRequests of the etcd mixin: 5 %");
  }

  private static Alert decode() {
    return Alert.named("ObjectsUnreadable")
        .critical("0m")
        .when(
            ("sum by (%s) (increase(apiserver_storage_decode_errors_total[10m])) > 0")
                .formatted(Series.RESOURCE))
        .says(
            "Objects "
                + Series.WHAT
                + " of "
                + Series.WHERE
                + " cannot be read: LISTs of them fail for everybody.")
        .then("Check the encryption configuration first; do not delete keys of the store.")
        .since("one object is enough: a LIST fails as a whole");
  }

  private static Alert webhookSlow() {
    return Alert.named("WebhookSlow")
        .warning("10m")
        .when(
            Series.quantile(
                    0.99,
                    Series.PLANE + ", name",
                    "apiserver_admission_webhook_admission_duration_seconds",
                    JOB)
                + " > 1")
        .says(
            "The webhook {{ $labels.name }} adds {{ $value | humanizeDuration }} to writes of "
                + Series.WHERE
                + " (p99).")
        .then("Check the pods of the webhook; lower its timeoutSeconds, or narrow its rules.")
        .since("reference/tuning.md §7.2: 1 s, the whole time of SIG Scalability's objective");
  }

  private static Alert webhookErrors() {
    return Alert.named("WebhookFails")
        .warning("10m")
        .when(
            Series.rate(
                    Series.PLANE + ", name",
                    "apiserver_admission_webhook_rejection_count{error_type!=\"no_error\"}",
                    "5m")
                + " > 0.1")
        .says(
            "Writes to "
                + Series.WHERE
                + " fail, since the webhook {{ $labels.name }} does not answer.")
        .then("Start the webhook's pods, or set its failurePolicy to Ignore until it answers.")
        .since("six failed writes a minute; a webhook that refuses on purpose does not count");
  }

  private static Alert audit() {
    return Alert.named("AuditEventsLost")
        .warning("10m")
        .when(
            Series.rate(Series.PLANE + ", plugin", "apiserver_audit_error_total" + JOB, "5m")
                + " > 0")
        .says(Series.WHERE + " loses {{ $value }} audit events a second.")
        .then("Check the audit backend: a full disk, or a webhook without an answer.")
        .since("an audit log with holes proves nothing");
  }

  private static Alert serviceAddresses() {
    return Alert.named("ServiceAddressesNearlyGone")
        .warning("15m")
        .when(
            ("min by (%1$s, cidr) (kube_apiserver_clusterip_allocator_available_ips)"
                    + " / (min by (%1$s, cidr) (kube_apiserver_clusterip_allocator_available_ips)"
                    + " + max by (%1$s, cidr) (kube_apiserver_clusterip_allocator_allocated_ips))"
                    + " < 0.05")
                .formatted(Series.PLANE))
        .says(
            "{{ $value | humanizePercentage }} of the Service addresses {{ $labels.cidr }} of "
                + Series.WHERE
                + " are left.")
        .then("Add a ServiceCIDR to the hosted cluster, or delete unused Services.")
        .since("reference/tuning.md §7.2: 5 %");
  }
}
