// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.LocalRef;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.operator.outcome.Refusals;
import io.exaplane.operator.pki.SecretUse;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Reads the sources of one control plane: from its spec, or from the ConfigMaps and Secrets of its
 * namespace. Who writes a spec need not be allowed to read every Secret of the namespace, so
 * whoever made the Secret says by a label whom it is for. Thread-safe.
 */
final class ManagementReader implements AddonReader {
  /** On a Secret, the name of the ControlPlane whose add-ons may have it. */
  static final String LABEL = "exaplane.io/addons-of";

  private static final Logger LOG = Logger.getLogger(ManagementReader.class);
  private static final String INLINE = "inline.yaml";

  private final KubernetesClient client;
  private final ControlPlane controlPlane;
  private final String namespace;

  /** What was read last, by field. */
  private final Map<String, String> versions = new ConcurrentHashMap<>();

  ManagementReader(KubernetesClient client, ControlPlane controlPlane) {
    this.client = client;
    this.controlPlane = controlPlane;
    this.namespace = controlPlane.getMetadata().getNamespace();
  }

  @Override
  public Map<String, String> read(AddonSpec spec) throws Unreadable {
    if (spec.inline() != null) {
      return Map.of(INLINE, spec.inline());
    }
    try {
      return spec.configMap() != null ? map(spec.configMap()) : secret(spec.secret());
    } catch (KubernetesClientException e) {
      throw new Unreadable(
          "%s: %s. The operator retries, and reports if this persists"
              .formatted(field(spec), Refusals.of(e).text()),
          true);
    }
  }

  private static String field(AddonSpec spec) {
    return spec.configMap() != null
        ? "configMap " + spec.configMap().name()
        : "secret " + spec.secret().name();
  }

  private Map<String, String> map(LocalRef ref) throws Unreadable {
    ConfigMap map = client.configMaps().inNamespace(namespace).withName(ref.name()).get();
    if (map == null) {
      throw missing("configMap", ref, "configmap");
    }
    versions.put("configMap " + ref.name(), map.getMetadata().getResourceVersion());
    return files("configMap " + ref.name(), Objects.requireNonNullElse(map.getData(), Map.of()));
  }

  private Map<String, String> secret(LocalRef ref) throws Unreadable {
    Secret secret = client.secrets().inNamespace(namespace).withName(ref.name()).get();
    if (secret == null) {
      throw missing("secret", ref, "secret generic");
    }
    versions.put("secret " + ref.name(), secret.getMetadata().getResourceVersion());
    Optional<String> objection = SecretUse.objection(secret, controlPlane, LABEL, false);
    if (objection.isPresent()) {
      throw new Unreadable(
          "secret %1$s: the Secret %2$s, with which its maker allows the use; run 'kubectl -n %3$s label secret %1$s %4$s=%5$s', or name another Secret"
              .formatted(
                  ref.name(),
                  objection.get(),
                  namespace,
                  LABEL,
                  controlPlane.getMetadata().getName()));
    }
    Map<String, String> texts = new TreeMap<>();
    for (var each :
        Objects.requireNonNullElse(secret.getData(), Map.<String, String>of()).entrySet()) {
      if (ManifestReader.isManifest(each.getKey())) {
        texts.put(each.getKey(), text(ref, each.getKey(), each.getValue()));
      }
    }
    return files("secret " + ref.name(), texts);
  }

  private static String text(LocalRef ref, String key, String encoded) throws Unreadable {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)))
          .toString();
    } catch (CharacterCodingException e) {
      throw new Unreadable(
          "secret %s: the key %s is not UTF-8; save the file as UTF-8".formatted(ref.name(), key));
    }
  }

  private Unreadable missing(String field, LocalRef ref, String kind) {
    return new Unreadable(
        "%1$s %2$s: does not exist in the namespace %3$s; create it, as by 'kubectl -n %3$s create %4$s %2$s --from-file=DIR'"
            .formatted(field, ref.name(), namespace, kind));
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
