// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.operator.metrics.AddonMetrics;
import io.exaplane.operator.metrics.AddonMetrics.Running;
import io.exaplane.operator.metrics.AddonMetrics.Stage;
import io.exaplane.operator.outcome.Refusals;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Reads the sources of one control plane: from its spec, from the ConfigMaps and Secrets of its
 * namespace, or from where these send it. Thread-safe.
 */
final class ManagementReader implements AddonReader {
  private static final Logger LOG = Logger.getLogger(ManagementReader.class);
  private static final String INLINE = "inline.yaml";

  private final KubernetesClient client;
  private final LabelledSecrets secrets;
  private final PlaneFetches fetches;
  private final AddonMetrics metrics;
  private final String namespace;

  /** What was read last, by field. */
  private final Map<String, String> versions = new ConcurrentHashMap<>();

  ManagementReader(KubernetesClient client, ControlPlane controlPlane, AddonFetches fetches) {
    this.client = client;
    this.secrets = new LabelledSecrets(client, controlPlane);
    this.fetches = fetches.of(secrets);
    this.metrics = fetches.metrics();
    this.namespace = controlPlane.getMetadata().getNamespace();
  }

  @Override
  public Map<String, String> read(AddonSpec spec) throws Unreadable {
    if (spec.inline() != null) {
      return Map.of(INLINE, spec.inline());
    }
    if (spec.builtIn() != null) {
      throw new Unreadable(
          "builtIn %s: the operator makes the objects when the API has an address. No action is needed"
              .formatted(spec.builtIn()),
          true);
    }
    if (spec.configMap() == null && spec.secret() == null) {
      // A newer operator's field is passed over when the spec is read.
      throw new Unreadable(
          "has a source that this version of the operator does not know; upgrade the operator, or change the source to one of inline, configMap, secret, oci, git and builtIn");
    }
    Running begun = metrics.begin();
    try {
      Map<String, String> texts =
          spec.configMap() != null ? map(spec.configMap()) : secret(spec.secret());
      metrics.end(Stage.FETCH, begun);
      return texts;
    } catch (KubernetesClientException e) {
      throw new Unreadable(
          "%s: %s. The operator retries, and reports if this persists"
              .formatted(field(spec), Refusals.of(e).text()),
          true);
    }
  }

  @Override
  public AddonContents parse(Map<String, String> texts, Optional<AddonContents> before) {
    Running begun = metrics.begin();
    AddonContents read = AddonReader.super.parse(texts, before);
    if (before.filter(one -> one == read).isEmpty()) {
      metrics.end(Stage.RENDER, begun);
    }
    return read;
  }

  private static String field(AddonSpec spec) {
    return spec.configMap() != null
        ? "configMap " + spec.configMap().name()
        : "secret " + spec.secret().name();
  }

  private Map<String, String> map(LocalRef ref) throws Unreadable {
    ConfigMap map = client.configMaps().inNamespace(namespace).withName(ref.name()).get();
    if (map == null) {
      throw new Unreadable(
          "configMap %1$s: does not exist in the namespace %2$s; create it, for example with 'kubectl -n %2$s create configmap %1$s --from-file=DIR'"
              .formatted(ref.name(), namespace));
    }
    versions.put("configMap " + ref.name(), map.getMetadata().getResourceVersion());
    for (String key :
        Objects.requireNonNullElse(map.getBinaryData(), Map.<String, String>of()).keySet()) {
      if (ManifestReader.isManifest(key)) {
        // Left out, its objects would be deleted.
        throw new Unreadable(
            "configMap %s: the key %s is in binaryData, where kubectl writes files that are not UTF-8; save the file as UTF-8, and create the ConfigMap again"
                .formatted(ref.name(), key));
      }
    }
    return files("configMap " + ref.name(), Objects.requireNonNullElse(map.getData(), Map.of()));
  }

  private Map<String, String> secret(LocalRef ref) throws Unreadable {
    Secret secret = secrets.read("secret", ref, "generic %s --from-file=DIR");
    versions.put("secret " + ref.name(), secret.getMetadata().getResourceVersion());
    Map<String, String> texts = new TreeMap<>();
    for (String key :
        Objects.requireNonNullElse(secret.getData(), Map.<String, String>of()).keySet()) {
      if (ManifestReader.isManifest(key)) {
        texts.put(key, LabelledSecrets.text("secret", secret, key));
      }
    }
    return files("secret " + ref.name(), texts);
  }

  private static Map<String, String> files(String field, Map<String, String> all)
      throws Unreadable {
    Map<String, String> files = new TreeMap<>(all);
    files.keySet().removeIf(key -> !ManifestReader.isManifest(key));
    if (files.isEmpty()) {
      throw new Unreadable(
          field + ": has no key that ends in .yaml, .yml or .json; add a file of objects");
    }
    return files;
  }

  @Override
  public Fetching fetch(AddonSpec spec, String previous, long heldBytes, Runnable ended) {
    return fetches.begin(spec, previous, heldBytes, ended);
  }

  @Override
  public Watching watch(AddonSpec spec, Runnable changed) {
    if (spec.configMap() != null) {
      return new Watched<>(
          client.configMaps().inNamespace(namespace).withName(spec.configMap().name()),
          field(spec),
          changed);
    }
    return spec.secret() == null
        ? NOTHING
        : new Watched<>(
            client.secrets().inNamespace(namespace).withName(spec.secret().name()),
            field(spec),
            changed);
  }

  /** A watch of one object; the client connects it again by itself. */
  private final class Watched<T extends HasMetadata> implements Watching, Watcher<T> {
    private final String field;
    private final Runnable changed;
    private final Watch watch;
    private volatile boolean ended;

    Watched(Resource<T> object, String field, Runnable changed) {
      this.field = field;
      this.changed = changed;
      Watch opened = null;
      try {
        opened = object.watch(this);
      } catch (KubernetesClientException e) {
        LOG.debugf(e, "%s is not watched until the next interval", field);
        ended = true;
      }
      watch = opened;
    }

    @Override
    public void eventReceived(Action action, T object) {
      // A watch begins with the object as it is, which was just read.
      if (!object.getMetadata().getResourceVersion().equals(versions.get(field))) {
        changed.run();
      }
    }

    @Override
    public void onClose(WatcherException cause) {
      LOG.debugf(cause, "%s is not watched until the next interval", field);
      ended = true;
    }

    @Override
    public boolean hasEnded() {
      return ended;
    }

    @Override
    public void close() {
      if (watch != null) {
        watch.close();
      }
    }
  }
}
