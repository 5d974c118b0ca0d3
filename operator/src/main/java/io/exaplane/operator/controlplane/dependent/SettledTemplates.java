// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import io.exaplane.api.v1alpha1.RolloutStatus;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.RolloutViews;
import io.exaplane.operator.controlplane.render.ApiServerFlags;
import io.exaplane.operator.controlplane.rollout.RolloutPolicy;
import io.exaplane.operator.controlplane.rollout.Told;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.Authorities;
import io.exaplane.operator.pki.EncryptionConfiguration;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The components of a pass that get their last settled template. Used by one thread. */
final class SettledTemplates {
  private final Pins pins;
  private final Observed observed;
  private final RolloutPolicy policy;
  private final Told told;
  private final Map<String, String> back = new LinkedHashMap<>();
  private boolean triesAgain;

  SettledTemplates(Pins pins, Observed observed) {
    this.pins = pins;
    this.observed = observed;
    this.policy = RolloutViews.policy(observed.controlPlane().asked());
    this.told =
        Told.of(
            observed.controlPlane().asked().getStatus() == null
                ? null
                : observed.controlPlane().asked().getStatus().rollout());
  }

  /**
   * The last template that settled, in place of one whose rollout stopped.
   *
   * @param name of the Deployment among the pins
   * @param waits whether one that a person wants tried again has to wait for its turn
   */
  Optional<PodTemplateSpec> of(String component, String name, boolean waits) {
    boolean settled =
        observed
            .deployment(component)
            .filter(live -> RolloutViews.isOf(live, pins.id(name)))
            .isPresent();
    RolloutStatus own = told.of(component).orElse(null);
    if (own == null && told.isRest() && settled) {
      pins.settle(name);
    }
    boolean again = policy.triesAgain(own, component, pins.id(name));
    if (!policy.rejects(own, component, pins.id(name)) && !again) {
      return Optional.empty();
    }
    Optional<Pins.Settled<PodTemplateSpec>> last =
        pins.settled(name, PodTemplateSpec.class)
            .filter(found -> reaches(component, found.template()));
    triesAgain |= again && last.isPresent();
    if (again && !waits) {
      return Optional.empty();
    }
    last.ifPresent(found -> back.put(component, found.id()));
    return last.map(Pins.Settled::template);
  }

  /**
   * A template from before a resource went to another store is none to go back to, nor one that
   * encrypts otherwise than the others can read.
   */
  private boolean reaches(String component, PodTemplateSpec template) {
    return !component.equals(ControlPlaneNames.API_SERVER)
        || observed
            .completeInputs()
            .filter(inputs -> ApiServerFlags.reaches(template, inputs))
            .filter(_ -> encryptsAsOthersRead(template))
            .isPresent();
  }

  private boolean encryptsAsOthersRead(PodTemplateSpec template) {
    return observed
        .pki()
        .authorities()
        .flatMap(Authorities::encryptionKey)
        .map(EncryptionConfiguration::returns)
        .filter(files -> !files.contains(ApiServerFlags.encryptionFile(template)))
        .isEmpty();
  }

  /** Identity of the template that a component gets back, if it does. */
  Optional<String> id(String component) {
    return Optional.ofNullable(back.get(component));
  }

  boolean isEmpty() {
    return back.isEmpty();
  }

  /** Whether an override lets a template be tried again that was rolled back. */
  boolean isTriedAgain() {
    return triesAgain;
  }
}
