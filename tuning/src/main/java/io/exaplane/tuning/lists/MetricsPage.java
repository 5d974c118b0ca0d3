// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

import io.exaplane.tuning.lists.Inventory.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a kube-apiserver's {@code /metrics} say of objects and LISTs. Names and labels are those of
 * 1.30 to 1.37: they were renamed in 1.34 (reference/tuning.md §5.4).
 */
public final class MetricsPage {
  private static final Pattern LINE =
      Pattern.compile("([a-z_]+)\\{([^}]*)\\} ([0-9.eE+-]+)(?: \\d+)?");
  private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final String BUILD = "kubernetes_build_info";

  /** All of {@link #COLUMNS} begin so. */
  private static final String OURS = "apiserver_";

  /** A LIST that reads so many objects for each one that it sends selects from a large resource. */
  private static final double MUCH_WASTE = 10;

  private static final double STORE_FACTOR = 5;

  private final Map<String, double[]> byResource = new TreeMap<>();
  private String version;

  private enum Column {
    OBJECTS,
    BYTES,
    STORE_LISTS,
    STORE_FETCHED,
    STORE_RETURNED,
    CACHE_LISTS,
    CACHE_FETCHED,
    CACHE_RETURNED,
    NEWER_CACHE_LISTS,
    NEWER_CACHE_FETCHED,
    NEWER_CACHE_RETURNED;

    /** The same of the watch caches, where 1.37 counts both under one name. */
    Column ofCaches() {
      return switch (this) {
        case STORE_LISTS -> NEWER_CACHE_LISTS;
        case STORE_FETCHED -> NEWER_CACHE_FETCHED;
        case STORE_RETURNED -> NEWER_CACHE_RETURNED;
        default -> this;
      };
    }
  }

  /** Where a resource's keys have another name than the resource. */
  private static final Map<String, String> PREFIXES =
      Map.of(
          "/minions", "nodes", "/services/specs", "services", "/services/endpoints", "endpoints");

  private static final Map<String, Column> COLUMNS =
      Map.of(
          "apiserver_storage_objects", Column.OBJECTS,
          "apiserver_resource_objects", Column.OBJECTS,
          "apiserver_resource_size_estimate_bytes", Column.BYTES,
          "apiserver_storage_list_total", Column.STORE_LISTS,
          "apiserver_storage_list_fetched_objects_total", Column.STORE_FETCHED,
          "apiserver_storage_list_returned_objects_total", Column.STORE_RETURNED,
          "apiserver_cache_list_total", Column.CACHE_LISTS,
          "apiserver_cache_list_fetched_objects_total", Column.CACHE_FETCHED,
          "apiserver_cache_list_returned_objects_total", Column.CACHE_RETURNED);

  /**
   * LISTs of a resource since the server started.
   *
   * @param fetched objects that were read or walked over, and {@code returned} ones that were sent
   */
  public record Lists(
      String resource,
      double objects,
      double storeLists,
      double storeFetched,
      double cacheLists,
      double cacheFetched,
      double returned) {
    /** Objects that were read for each that was sent. */
    public double waste() {
      return (storeFetched + cacheFetched) / Math.max(1, returned);
    }

    /** One number to rank by: an object of a store costs five times that of a cache. */
    public double score() {
      return STORE_FACTOR * storeFetched + cacheFetched;
    }

    /** What its clients do, as far as figures without clients tell. */
    public Finding finding() {
      if (STORE_FACTOR * storeFetched > cacheFetched) {
        return Finding.STORE_READS;
      }
      return waste() >= MUCH_WASTE ? Finding.SELECTOR_WITHOUT_INDEX : Finding.DEAREST;
    }

    /** The same with those of another server, which has the same objects. */
    public Lists and(Lists other) {
      return new Lists(
          resource,
          Math.max(objects, other.objects),
          storeLists + other.storeLists,
          storeFetched + other.storeFetched,
          cacheLists + other.cacheLists,
          cacheFetched + other.cacheFetched,
          returned + other.returned);
    }
  }

  private MetricsPage() {}

  /** Reads a page in Prometheus' text format. */
  public static MetricsPage parse(String text) {
    Reader reader = new Reader();
    text.lines().forEach(reader::take);
    return reader.page();
  }

  /** Reads a page line by line, of which it keeps a row for each resource. Used by one thread. */
  public static final class Reader {
    private final MetricsPage page = new MetricsPage();

    /** Takes the next line; cheap for a line of another metric. */
    public void take(String line) {
      if (line.startsWith(OURS) || line.startsWith(BUILD)) {
        page.line(line);
      }
    }

    /** What the lines said. To be called once, after the last line. */
    public MetricsPage page() {
      page.joinBareNames();
      page.byResource.values().forEach(MetricsPage::joinCaches);
      return page;
    }
  }

  /** A server with both names counts each LIST under both. */
  private static void joinCaches(double[] row) {
    int newer = Column.NEWER_CACHE_LISTS.ordinal();
    for (int i = Column.CACHE_LISTS.ordinal(); i <= Column.CACHE_RETURNED.ordinal(); i++) {
      row[i] = Math.max(row[i], row[newer++]);
    }
  }

  /**
   * Prefixes of keys have no group: deployments are apps/deployments where only those are known.
   */
  private void joinBareNames() {
    for (String bare : List.copyOf(byResource.keySet())) {
      List<String> full =
          byResource.keySet().stream().filter(name -> name.endsWith("/" + bare)).toList();
      if (full.size() == 1 && !bare.contains("/")) {
        double[] row = byResource.remove(bare);
        double[] into = byResource.get(full.getFirst());
        for (int i = 0; i < row.length; i++) {
          into[i] += row[i];
        }
      }
    }
  }

  private void line(String line) {
    Matcher matcher = LINE.matcher(line);
    if (matcher.matches() && matcher.group(1).equals(BUILD)) {
      Matcher label = LABEL.matcher(matcher.group(2));
      while (label.find()) {
        version = label.group(1).equals("git_version") ? label.group(2) : version;
      }
    }
    if (!matcher.matches() || !COLUMNS.containsKey(matcher.group(1))) {
      return;
    }
    Map<String, String> labels = new HashMap<>();
    Matcher label = LABEL.matcher(matcher.group(2));
    while (label.find()) {
      labels.put(label.group(1), label.group(2));
    }
    double value = Double.parseDouble(matcher.group(3));
    if (value < 0) {
      return; // could not be counted
    }
    Column column = COLUMNS.get(matcher.group(1));
    if (labels.getOrDefault("storage", "etcd").equals("watchcache")) {
      column = column.ofCaches();
    }
    double[] row =
        byResource.computeIfAbsent(resource(labels), name -> new double[Column.values().length]);
    boolean gauge = column == Column.OBJECTS || column == Column.BYTES;
    row[column.ordinal()] =
        gauge ? Math.max(value, row[column.ordinal()]) : value + row[column.ordinal()];
  }

  /** group/resource, from any of the labels that versions had. */
  private static String resource(Map<String, String> labels) {
    String prefix = labels.getOrDefault("resource_prefix", "");
    if (!prefix.isEmpty()) {
      return PREFIXES.getOrDefault(prefix, prefix.replaceFirst("^/", ""));
    }
    String resource = labels.getOrDefault("resource", "");
    String group = labels.getOrDefault("group", "");
    int point = resource.indexOf('.');
    if (group.isEmpty() && point > 0) {
      return resource.substring(point + 1) + "/" + resource.substring(0, point);
    }
    return group.isEmpty() ? resource : group + "/" + resource;
  }

  /** The version of the server, as it says it; nothing if it does not. */
  public Optional<String> version() {
    return Optional.ofNullable(version);
  }

  /** Whether it says nothing of any resource. */
  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  /** What there is, without namespaces: metrics do not tell them apart. */
  public Inventory inventory() {
    Map<String, Resource> resources = new HashMap<>();
    byResource.forEach(
        (name, row) -> {
          double objects = row[Column.OBJECTS.ordinal()];
          double bytes = row[Column.BYTES.ordinal()];
          resources.put(
              name,
              new Resource(
                  objects,
                  objects > 0 && bytes > 0 ? bytes / objects : Inventory.DEFAULT_BYTES,
                  Map.of()));
        });
    double nodes = resources.containsKey("nodes") ? resources.get("nodes").objects() : 0;
    return new Inventory(resources, nodes);
  }

  /** Resources that were listed, those first that cost most. */
  public List<Lists> lists() {
    List<Lists> lists = new ArrayList<>();
    byResource.forEach(
        (name, row) -> {
          Lists one =
              new Lists(
                  name,
                  row[Column.OBJECTS.ordinal()],
                  row[Column.STORE_LISTS.ordinal()],
                  row[Column.STORE_FETCHED.ordinal()],
                  row[Column.CACHE_LISTS.ordinal()],
                  row[Column.CACHE_FETCHED.ordinal()],
                  row[Column.STORE_RETURNED.ordinal()] + row[Column.CACHE_RETURNED.ordinal()]);
          if (one.storeLists() + one.cacheLists() > 0) {
            lists.add(one);
          }
        });
    lists.sort(Comparator.comparingDouble(Lists::score).reversed());
    return lists;
  }
}
