// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.operator.nodepool.heartbeat.Heartbeats;
import io.exaplane.operator.outcome.AwaitedException;
import io.exaplane.tuning.version.Durations;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Fields of the KubeletConfiguration that a pool sets: the tuning model's, and in their place those
 * that the user gave. Immutable.
 *
 * @param fields by name
 */
public record KubeletSettings(SortedMap<String, Object> fields) {
  /** File of the ConfigMap with what the tuning model says. */
  public static final String FILE = "kubelet.yaml";

  private static final String LEASE = "nodeLeaseDurationSeconds";
  private static final String UPDATE = "nodeStatusUpdateFrequency";
  private static final String REPORT = "nodeStatusReportFrequency";
  private static final String MAX_PODS = "maxPods";
  private static final String CHANGES = "configMapAndSecretChangeDetectionStrategy";

  /** The kubelet's defaults. */
  private static final int DEFAULT_LEASE_SECONDS = 40;

  private static final int DEFAULT_UPDATE_SECONDS = 10;
  private static final int DEFAULT_REPORT_SECONDS = 300;
  private static final long NANOS = 1_000_000_000;

  private static final int DEFAULT_MAX_PODS = 110;
  private static final JsonMapper JSON = new JsonMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  public KubeletSettings {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  /**
   * The settings of a pool.
   *
   * @param advice what the tuning model says, in YAML
   * @throws IllegalStateException if somebody wrote into that what is no YAML
   */
  public static KubeletSettings of(Optional<String> advice, NodeKubeletSpec own) {
    SortedMap<String, Object> fields =
        new TreeMap<>(advice.map(KubeletSettings::read).orElseGet(Map::of));
    fields.remove("apiVersion");
    fields.remove("kind");
    put(fields, MAX_PODS, own.maxPods());
    put(fields, LEASE, own.leaseDurationSeconds());
    put(fields, UPDATE, seconds(own.nodeStatusUpdateFrequencySeconds()));
    put(fields, REPORT, seconds(own.nodeStatusReportFrequencySeconds()));
    put(fields, "imageGCHighThresholdPercent", own.imageGCHighThresholdPercent());
    put(fields, "imageGCLowThresholdPercent", own.imageGCLowThresholdPercent());
    put(fields, "nodeStatusMaxImages", own.nodeStatusMaxImages());
    put(fields, CHANGES, own.changeDetection() == null ? null : own.changeDetection().name());
    return new KubeletSettings(fields);
  }

  private static Map<String, Object> read(String yaml) {
    try {
      return YAML.readValue(yaml, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new AwaitedException(
          "the file %s of the tuning model's ConfigMap is not YAML; the operator retries until it has written the file again"
              .formatted(FILE),
          e);
    }
  }

  private static void put(Map<String, Object> fields, String name, Object value) {
    if (value != null) {
      fields.put(name, value);
    }
  }

  private static String seconds(Integer number) {
    return number == null ? null : number + "s";
  }

  /** As the join script takes it. */
  public String json() {
    try {
      return JSON.writeValueAsString(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the kubelet's settings cannot be written", e);
    }
  }

  /** The most pods of a node. */
  public int maxPods() {
    return number(MAX_PODS, DEFAULT_MAX_PODS);
  }

  /** Duration of a node's Lease. */
  public int leaseSeconds() {
    return number(LEASE, DEFAULT_LEASE_SECONDS);
  }

  /** How often a node says that it lives. */
  public Heartbeats heartbeats() {
    return new Heartbeats(
        leaseSeconds(),
        seconds(UPDATE, DEFAULT_UPDATE_SECONDS),
        seconds(REPORT, DEFAULT_REPORT_SECONDS));
  }

  /** The same with other heartbeats. */
  public KubeletSettings with(Heartbeats other) {
    if (heartbeats().equals(other)) {
      return this;
    }
    SortedMap<String, Object> changed = new TreeMap<>(fields);
    changed.put(LEASE, other.leaseSeconds());
    changed.put(UPDATE, seconds(other.updateSeconds()));
    changed.put(REPORT, seconds(other.reportSeconds()));
    return new KubeletSettings(changed);
  }

  private int seconds(String name, int otherwise) {
    return fields.get(name) instanceof String text
        ? (int) (Durations.nanos(text) / NANOS)
        : otherwise;
  }

  private int number(String name, int otherwise) {
    return fields.get(name) instanceof Number number ? number.intValue() : otherwise;
  }
}
