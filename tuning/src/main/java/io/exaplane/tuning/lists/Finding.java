// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/** What a client does that costs more than it need, and what to do instead. */
public enum Finding {
  STORE_READS(
      "lists without a resourceVersion; this server answers such requests from its store",
      "set resourceVersion=0 if older data is acceptable, or use an informer; from 1.31 on "
          + "the watch cache answers"),
  LIMIT_IGNORED(
      "asks for pages with resourceVersion=0; the server ignores the limit and sends everything",
      "omit resourceVersion when paging, or omit the limit"),
  EXACT_READS(
      "asks for an exact revision; this server answers such requests from its store",
      "ask for NotOlderThan, or set resourceVersion=0"),
  PAGES_FROM_STORE(
      "asks for the next pages of a list; this server reads those from its store",
      "use an informer, or list everything at once with resourceVersion=0; from 1.34 on "
          + "snapshots of the cache answer"),
  MANY_PAGES(
      "reads a large resource in pages; for each page the cache walks over the whole rest of "
          + "the list",
      "use larger pages, list everything at once from the cache (resourceVersion=0), or use "
          + "a streaming list"),
  POLLING(
      "asks for the same objects again and again",
      "use an informer: one LIST, then a WATCH with bookmarks"),
  SELECTOR_WITHOUT_INDEX(
      "selects a few objects out of all namespaces by a field that has no index",
      "list the namespaces that matter, or use an informer; only spec.nodeName of pods has "
          + "an index"),
  MANY_SELECTORS(
      "selects from the same objects again and again, each time by another selector; the server walks over all of them each time",
      "list the objects once, or use one informer with an index, and select inside the program"),
  WATCH_LISTS_OF_LARGE(
      "begins watches with a stream of a very large resource; writers of the cache wait for "
          + "the stream in 1.34 to 1.36",
      "set KUBE_FEATURE_WatchListClient=false in the client's environment until 1.37"),
  SHARED_ACCOUNT(
      "several programs use one service account",
      "give each program a separate service account, so that flow schemas can tell the "
          + "programs apart"),
  RELISTS(
      "reads all objects again and again although the client also watches",
      "find out why the client's watches end: the client is too slow for the events, gets no "
          + "bookmarks, or is behind a proxy that cuts connections"),
  RESTARTS_IN_STEP(
      "many instances list again within the same minute",
      "restart at most 10 % a minute (maxUnavailable, minReadySeconds), spread the schedules of CronJobs, and"
          + " start with a random delay"),
  EVERYTHING_EVERYWHERE(
      "many instances each read all objects of a large resource",
      "select the objects that an instance needs (spec.nodeName for pods), ask for metadata "
          + "only, or let one instance read for all"),
  DEAREST(
      "costs the most; the requests show no known bad habit, but they are many or large",
      "ask for fewer objects (a namespace, a selector, metadata only), ask less often, or "
          + "use an informer"),
  RETRY_STORM(
      "repeats refused requests without waiting",
      "back off exponentially with jitter, and respect Retry-After"),
  COLD_DISCOVERY(
      "asks for each group and version separately, again and again",
      "use client-go 0.30 or later, which asks once (aggregated discovery), and keep the "
          + "discovery cache");

  private final String text;
  private final String fix;

  Finding(String text, String fix) {
    this.text = text;
    this.fix = fix;
  }

  public String text() {
    return text;
  }

  public String fix() {
    return fix;
  }
}
