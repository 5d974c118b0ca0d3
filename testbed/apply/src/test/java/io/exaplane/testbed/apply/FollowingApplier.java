// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.KnownFiles;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.cli.measure.ApiServer;
import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * For {@code benchmarks/peers/apply}: the engine as a process that stays. For each line of its
 * input, it reads the folder and says when all objects are as their manifests say.
 */
public final class FollowingApplier {
  private FollowingApplier() {}

  public static void main(String[] words) throws Exception {
    ApplySet set = new ApplySet("bench", "default");
    Path folder = Path.of(words[1]);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (ServerPort port = ServerPort.of(ApiServer.config(Path.of(words[0])), "exaplane");
        Runner runner = new Runner(port, Options.DEFAULTS.following(true), any -> {})) {
      KnownFiles known = new KnownFiles();
      while (lines.readLine() != null) {
        long from = System.nanoTime();
        Reading reading =
            ManifestReader.read(List.of(folder), InputStream.nullInputStream(), Map.of(), known);
        long read = System.nanoTime();
        runner.want(set, reading.manifests(), reading.isWhole());
        Summary summary = runner.summary(set);
        while (!summary.good() || summary.items().size() != reading.manifests().size()) {
          // As seldom as not to take the machine from the engine: a summary has all objects.
          Thread.sleep(5 + summary.items().size() / 50);
          summary = runner.summary(set);
        }
        System.out.printf(
            "done: %d us to read, %d us to apply%n",
            (read - from) / 1_000, (System.nanoTime() - read) / 1_000);
      }
    }
  }
}
