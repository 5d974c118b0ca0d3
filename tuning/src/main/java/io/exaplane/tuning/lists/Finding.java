// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.lists;

/** What a client does that costs more than it need, and what to do instead. */
public enum Finding {
  STORE_READS(
      "lists without a resourceVersion, which this server answers from its store",
      "ask with resourceVersion=0 where the newest is not needed, or use an informer; from 1.31 on the"
          + " watch cache answers"),
  LIMIT_IGNORED(
      "asks for pages with resourceVersion=0: the limit is ignored and everything is sent",
      "leave resourceVersion unset when paging, or leave the limit out"),
  EXACT_READS(
      "asks for an exact revision, which this server answers from its store",
      "ask for NotOlderThan, or with resourceVersion=0"),
  PAGES_FROM_STORE(
      "goes on behind a page, which this server answers from its store",
      "use an informer, or list whole with resourceVersion=0; from 1.34 on snapshots of the cache answer"),
  MANY_PAGES(
      "reads a large resource in pages: for each the cache walks over all that is left",
      "larger pages, or list whole from the cache (resourceVersion=0), or a streaming list"),
  POLLING(
      "asks for the same objects again and again",
      "use an informer: one LIST, then a WATCH with bookmarks"),
  SELECTOR_WITHOUT_INDEX(
      "selects a few of all objects in all namespaces, by something that has no index",
      "ask in the namespaces that matter, or use an informer; only spec.nodeName of pods has an index"),
  WATCH_LISTS_OF_LARGE(
      "begins watches with a stream of a very large resource, for which writers of the cache wait in 1.34 to 1.36",
      "set KUBE_FEATURE_WatchListClient=false for it until 1.37"),
  SHARED_ACCOUNT(
      "several programs use one service account",
      "a service account of its own for each: only then can flow schemas tell them apart"),
  RELISTS(
      "lists anew again and again although it watches",
      "look why its watches end: a client too slow for the events, no bookmarks, a proxy that cuts connections"),
  RESTARTS_IN_STEP(
      "many instances list anew within the same minute",
      "restart at most 10 % a minute (maxUnavailable, minReadySeconds), spread the schedules of CronJobs, and"
          + " start with a random delay"),
  EVERYTHING_EVERYWHERE(
      "each of many instances reads all of a large resource",
      "select what an instance needs (spec.nodeName for pods), ask for metadata only, or let one instance read"
          + " for all"),
  DEAREST(
      "costs the most, by LISTs that follow no bad habit known here: they are many or large",
      "ask for less (a namespace, a selector, metadata only) or less often, or use an informer"),
  RETRY_STORM(
      "repeats what was refused without waiting",
      "exponential back-off with jitter, and what Retry-After says"),
  COLD_DISCOVERY(
      "asks for every group and version by itself, again and again",
      "a client-go of 0.30 or later asks once (aggregated discovery); keep the cache of discovery");

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
