// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import java.io.Reader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Documents of YAML as a JSON parser would leave them, with aliases and merge keys followed. As
 * with kubectl, times are strings and there are no numbers to base 60; keys are strings whatever
 * they look like.
 */
final class YamlTree {
  private static final Pattern INT =
      Pattern.compile("[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0[0-7_]+|0|[1-9][0-9_]*)");
  private static final Pattern FLOAT =
      Pattern.compile(
          "[-+]?(?:[0-9][0-9_]*\\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[0-9][0-9_]*[eE][-+]?[0-9]+|\\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?)");

  /** What stands for a value while what is in it is looked at. */
  private static final Object UNDER_WAY = new Object();

  private final Map<Object, Object> done = new IdentityHashMap<>();

  private YamlTree() {}

  /**
   * The documents, read as they are asked for; null stands for an empty one.
   *
   * @throws YAMLException while they are read, if they are not as YAML has to be
   */
  static Iterable<Object> documents(Reader in) {
    LoaderOptions options = new LoaderOptions();
    // Clusters are larger than what SnakeYAML takes by itself.
    options.setCodePointLimit(Integer.MAX_VALUE);
    options.setMaxAliasesForCollections(Integer.MAX_VALUE);
    options.setAllowDuplicateKeys(false);
    DumperOptions dumper = new DumperOptions();
    Yaml yaml =
        new Yaml(
            new SafeConstructor(options), new Representer(dumper), dumper, options, new Scalars());
    return yaml.loadAll(in);
  }

  /**
   * A document with strings for keys.
   *
   * @throws YAMLException if a value is in itself
   */
  static Object tree(Object document) {
    return new YamlTree().plain(document);
  }

  private Object plain(Object value) {
    if (!(value instanceof Map<?, ?>) && !(value instanceof List<?>)) {
      return value;
    }
    Object known = done.putIfAbsent(value, UNDER_WAY);
    if (known == UNDER_WAY) {
      throw new YAMLException("an alias stands for something that it is in");
    }
    if (known != null) {
      return known;
    }
    Object plain;
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> fields = new LinkedHashMap<>();
      map.forEach((name, field) -> fields.put(String.valueOf(name), plain(field)));
      plain = fields;
    } else {
      List<Object> list = new ArrayList<>();
      ((List<?>) value).forEach(element -> list.add(plain(element)));
      plain = list;
    }
    done.put(value, plain);
    return plain;
  }

  /** What scalars without quotes are. */
  private static final class Scalars extends Resolver {
    @Override
    protected void addImplicitResolvers() {
      addImplicitResolver(Tag.BOOL, BOOL, "yYnNtTfFoO");
      addImplicitResolver(Tag.INT, YamlTree.INT, "-+0123456789");
      addImplicitResolver(Tag.FLOAT, YamlTree.FLOAT, "-+0123456789.");
      addImplicitResolver(Tag.MERGE, MERGE, "<");
      addImplicitResolver(Tag.NULL, NULL, "~nN\0");
      addImplicitResolver(Tag.NULL, EMPTY, null);
    }
  }
}
