// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;

/** The pages of the documentation about each reason, as docs/conditions.md names them. */
public final class Pages {
  private static final Properties PAGES = load();

  private Pages() {}

  private static Properties load() {
    Properties pages = new Properties();
    try (InputStream in = Pages.class.getResourceAsStream("pages.properties")) {
      pages.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return pages;
  }

  /** As docs/full-store.md; conditions.md if the reason is of a later operator. */
  public static List<String> of(String reason) {
    return List.of(PAGES.getProperty(reason, "docs/conditions.md").split(" "));
  }
}
