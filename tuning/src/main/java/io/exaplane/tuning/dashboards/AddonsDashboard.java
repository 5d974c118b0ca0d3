// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.dashboards;

import static io.exaplane.tuning.dashboards.Panel.graph;
import static io.exaplane.tuning.dashboards.Panel.number;

import java.util.List;

/** The objects that the operator keeps in hosted clusters, of all control planes together. */
final class AddonsDashboard {
  private static final String READY = "exaplane_controlplane_conditions{type=\"AddonsReady\"";

  private AddonsDashboard() {}

  static Dashboard of() {
    return new Dashboard(
        "addons",
        "Exaplane / Add-ons",
        "Objects that the operator keeps in hosted clusters, their sources, and their cost to"
            + " hosted APIs.",
        List.of(),
        List.of(
            new Dashboard.Row("State", state()),
            new Dashboard.Row("Objects", objects()),
            new Dashboard.Row("Sources", sources()),
            new Dashboard.Row("Cost to hosted APIs", cost())));
  }

  private static String rate(String counter) {
    return "sum(rate(exaplane_addon_%s_total{%s}[$__rate_interval]))"
        .formatted(counter, Ask.OPERATOR);
  }

  private static String increase(String counter) {
    return "sum(increase(exaplane_addon_%s_total{%s}[1h]))".formatted(counter, Ask.OPERATOR);
  }

  private static List<Panel> state() {
    return List.of(
        number(
                "Add-ons are ready",
                Unit.COUNT,
                "Control planes whose add-ons are all applied and healthy.")
            .ask("max(" + READY + ",status=\"True\"})", "ready"),
        number(
                "Add-ons are not ready",
                Unit.COUNT,
                "Control planes with an add-on that is under way, unhealthy, refused or unreadable."
                    + " Run 'kubectl exaplane why AddonsReady NAME'.")
            .ask("max(" + READY + ",status=\"False\"})", "not ready")
            .warnAt(1),
        number(
                "Refused in the last hour",
                Unit.COUNT,
                "Applies that hosted APIs refused. 'failures' in the status names object, file and"
                    + " message.")
            .ask(increase("applies_refused"), "refused")
            .warnAt(1),
        number(
                "Contested in the last hour",
                Unit.COUNT,
                "Repairs of objects that others change or delete again and again. The Event"
                    + " AddonContested names the field and the other manager.")
            .ask(increase("contested"), "contested")
            .warnAt(1));
  }

  private static List<Panel> objects() {
    return List.of(
        graph(
                "Applied objects by cause",
                Unit.OBJECTS_PER_SECOND,
                "First: new. Manifest: the source changed. Gone and drift: somebody else deleted or"
                    + " changed the object. Unsure: the operator cannot know, for example after a restart."
                    + " If drift continues, another client writes the object again and again.")
            .ask(Ask.rate("cause", "exaplane_addon_applies_total", Ask.OPERATOR), "{{cause}}"),
        graph(
                "Applies that were not needed",
                Unit.OBJECTS_PER_SECOND,
                "Objects that equal their source, so that no request was sent.")
            .ask(rate("applies_avoided"), "avoided"),
        graph(
                "Failed applies",
                Unit.OBJECTS_PER_SECOND,
                "Refused by hosted APIs, which is repeated, or left to the other owners of fields. See"
                    + " 'conflicts' in docs/addons.md.")
            .ask(rate("applies_refused"), "refused")
            .ask(rate("conflicts"), "owned by others"),
        graph(
                "Deleted objects",
                Unit.OBJECTS_PER_SECOND,
                "Objects that their sources lost. A peak without a change of a source deserves a"
                    + " check.")
            .ask(rate("deletions"), "deleted"));
  }

  private static List<Panel> sources() {
    return List.of(
        graph(
                "Fetches by result",
                Unit.REQUESTS_PER_SECOND,
                "From registries and repositories. Failed ones keep the objects that were applied"
                    + " before; 'unreadableSince' tells since when.")
            .ask(Ask.rate("result", "exaplane_addon_fetches_total", Ask.OPERATOR), "{{result}}"),
        number(
                "Failed fetches in the last hour",
                Unit.COUNT,
                "Registries or repositories that did not answer, or whose signature did not fit.")
            .ask(
                "sum(increase(exaplane_addon_fetches_total{"
                    + Ask.OPERATOR
                    + ",result=\"failed\"}[1h]))",
                "failed")
            .warnAt(1));
  }

  private static List<Panel> cost() {
    return List.of(
        graph(
                "Pages of lists",
                Unit.REQUESTS_PER_SECOND,
                "Lists come once for each Kind, then watches. Many pages are broken watches.")
            .ask(rate("lists"), "pages"),
        graph(
                "Events of watches",
                Unit.EVENTS_PER_SECOND,
                "Changes of watched objects, those of others, too.")
            .ask(rate("watch_events"), "events"),
        graph(
                "Requests that were held off",
                Unit.REQUESTS_PER_SECOND,
                "Answers 429 or 503, and requests without an answer. The operator waits and asks"
                    + " again.")
            .ask(rate("throttled"), "held off"));
  }
}
