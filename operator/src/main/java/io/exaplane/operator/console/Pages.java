// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.quarkus.qute.Location;
import io.quarkus.qute.RawString;
import io.quarkus.qute.Template;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Pages as HTML. Everything from objects is escaped by the templates. Thread-safe. */
@Singleton
class Pages {
  private final Template page;
  private final Template section;
  private final Template login;
  private final Template message;

  Pages(
      @Location("console/page.html") Template page,
      @Location("console/section.html") Template section,
      @Location("console/login.html") Template login,
      @Location("console/message.html") Template message) {
    this.page = page;
    this.section = section;
    this.login = login;
    this.message = message;
  }

  /**
   * A section as the page shows it at first.
   *
   * @param html what is below its heading
   */
  public record Shown(String name, String title, RawString html) {}

  /** What is below a section's heading. */
  String section(Section shown) {
    return section.data("section", shown).render();
  }

  /**
   * A page with sections that change by themselves.
   *
   * @param events where its changes come from
   */
  String page(String title, String events, String user, List<Section> sections) {
    List<Shown> shown = new ArrayList<>();
    for (Section each : sections) {
      shown.add(new Shown(each.name(), each.title(), new RawString(section(each))));
    }
    return page.data("title", title)
        .data("events", events)
        .data("user", user)
        .data("sections", shown)
        .render();
  }

  /**
   * The form of a login.
   *
   * @param problem "" if there was none
   */
  String login(String problem) {
    return login.data("problem", problem).render();
  }

  String message(String title, String text) {
    return message.data("title", title).data("text", text).render();
  }
}
