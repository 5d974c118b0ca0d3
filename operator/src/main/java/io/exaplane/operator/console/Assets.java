// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Files that pages load: two of libraries, out of their jars, and ours. Nothing comes from the
 * internet. Immutable.
 */
final class Assets {
  private final Map<String, Asset> assets;

  /** A file. */
  record Asset(String type, byte[] bytes) {}

  private Assets(Map<String, Asset> assets) {
    this.assets = assets;
  }

  /**
   * Reads them all.
   *
   * @throws IllegalStateException if one is missing in this build
   */
  static Assets load() {
    String script = "text/javascript; charset=utf-8";
    return new Assets(
        Map.of(
            "htmx.js", new Asset(script, read(library("htmx.org", "dist/htmx.min.js"))),
            "sse.js", new Asset(script, read(library("htmx-ext-sse", "sse.js"))),
            "console.js", new Asset(script, read("console/console.js")),
            "console.css", new Asset("text/css; charset=utf-8", read("console/console.css")),
            "icon.svg", new Asset("image/svg+xml", read("console/icon.svg"))));
  }

  Optional<Asset> get(String name) {
    return Optional.ofNullable(assets.get(name));
  }

  /** The version is in the path, and the jar says it. */
  private static String library(String name, String file) {
    String at = "META-INF/maven/org.webjars.npm/%s/pom.properties".formatted(name);
    Properties properties = new Properties();
    try (InputStream in = open(at)) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return "META-INF/resources/webjars/%s/%s/%s"
        .formatted(name, properties.getProperty("version"), file);
  }

  private static byte[] read(String path) {
    try (InputStream in = open(path)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String path) {
    InputStream in = Thread.currentThread().getContextClassLoader().getResourceAsStream(path);
    if (in == null) {
      throw new IllegalStateException("this build has no " + path);
    }
    return in;
  }
}
