// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FieldValidateable.Validation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Locale;

/**
 * What the API server says of an object that it does not keep. Objects are sent as they are
 * written, and a field that the schema does not know is refused, as kubectl's strict validation has
 * it.
 *
 * @param accepted whether it would be kept
 * @param text why not
 */
record DryRun(boolean accepted, String text) {
  /** Asks for a new object. */
  static DryRun create(String manifest) {
    GenericKubernetesResource object =
        Bed.CLIENT
            .getKubernetesSerialization()
            .unmarshal(manifest, GenericKubernetesResource.class);
    return ask(
        () ->
            Bed.CLIENT
                .genericKubernetesResources(kind(object.getKind()))
                .inNamespace(Demo.NAMESPACE)
                .resource(object)
                .dryRun()
                .fieldValidation(Validation.STRICT)
                .create());
  }

  /** Asks for a change by a JSON merge patch. */
  static DryRun patch(String kind, String name, String json) {
    return patch(kind, name, Demo.NAMESPACE, json);
  }

  /** The same in another namespace. */
  static DryRun patch(String kind, String name, String namespace, String json) {
    Resource<GenericKubernetesResource> object =
        Bed.CLIENT.genericKubernetesResources(kind(kind)).inNamespace(namespace).withName(name);
    return ask(() -> object.dryRun().patch(PatchContext.of(PatchType.JSON_MERGE), json));
  }

  /** Fails unless the object would be kept. */
  static void accepts(DryRun answer) {
    assertThat(answer.accepted()).as(answer.text()).isTrue();
  }

  /** Fails unless the object is refused with these words among others. */
  static void refuses(DryRun answer, String message) {
    assertThat(answer.accepted()).isFalse();
    assertThat(answer.text()).contains(message);
  }

  private static DryRun ask(Runnable request) {
    try {
      request.run();
      return new DryRun(true, "");
    } catch (KubernetesClientException refused) {
      // Anything but a refusal says nothing of the object.
      if (refused.getStatus() == null || refused.getCode() / 100 != 4) {
        throw refused;
      }
      return new DryRun(false, refused.getStatus().getMessage());
    }
  }

  private static ResourceDefinitionContext kind(String kind) {
    return new ResourceDefinitionContext.Builder()
        .withGroup("exaplane.io")
        .withVersion("v1alpha1")
        .withKind(kind)
        .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
        .withNamespaced(true)
        .build();
  }
}
