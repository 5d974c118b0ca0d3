// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.event.Registration;
import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A plugin is registered in one place, and what others say of it by its name is complete. */
class CatalogueTest {
  private static Set<String> judging() {
    Set<String> judging = new TreeSet<>(Catalogue.at("filter"));
    judging.addAll(Catalogue.at("score"));
    return judging;
  }

  @Test
  void whoJudgesNodesIsMadeAndHasTheNameItIsRegisteredBy() {
    for (String name : Catalogue.names()) {
      Catalogue.Maker maker = Catalogue.maker(name);
      assertThat(maker != null).as(name).isEqualTo(judging().contains(name));
      if (maker != null) {
        Plugin plugin = maker.make(Fields.of(Map.of(), ""), Version.newest());
        assertThat(plugin.name()).isEqualTo(name);
      }
    }
  }

  @Test
  void everyFilterOfEveryVersionSaysWhatMayHelp() {
    for (Version version : new Version[] {Version.V1_34, Version.V1_35, Version.newest()}) {
      Profile profile = Profile.defaults(version);
      Set<String> hoping =
          EventRegistrations.of(profile, new Cluster()).stream()
              .map(Registration::plugin)
              .collect(Collectors.toSet());
      assertThat(hoping)
          .containsAll(profile.filters().stream().map(Plugin::name).toList())
          .isSubsetOf(Catalogue.names());
    }
  }
}
