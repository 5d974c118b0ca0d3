// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.manifest.KnownFiles;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Problem;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.source.Fetched;
import io.exaplane.apply.source.GitSource;
import io.exaplane.apply.source.GitSpec;
import io.exaplane.apply.source.Limits;
import io.exaplane.apply.source.OciSource;
import io.exaplane.apply.source.OciSpec;
import io.exaplane.apply.source.Source;
import io.exaplane.apply.source.SourceProblem;
import io.exaplane.apply.source.Unchanged;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what -f names: files, folders, the standard input, artifacts and repositories. */
final class ApplyInputs {
  private static final String STANDARD_INPUT = "-";

  private final ApplyFetchOptions options;
  private final Known known;
  private final List<Path> paths = new ArrayList<>();
  private final Map<String, String> texts = new TreeMap<>();
  private final List<Problem> problems = new ArrayList<>();

  /**
   * What one reading leaves for the next: an unchanged place is not fetched again, one that is away
   * has what it had, files that did not change are not parsed again, and objects that did not
   * change are kept once. For one reader at a time.
   */
  static final class Known {
    private final Map<String, Fetched> fetched = new HashMap<>();
    private final KnownFiles files = new KnownFiles();
  }

  private ApplyInputs(ApplyFetchOptions options, Known known) {
    this.options = options;
    this.known = known;
  }

  /**
   * Reads all.
   *
   * @param words values of -f
   * @param options for addresses
   * @param standardInput for -
   * @param known what was read before, which the caller keeps for the next time
   * @return objects and problems; a place that cannot be fetched is a problem, and stops no other
   */
  static Reading read(
      List<String> words, ApplyFetchOptions options, InputStream standardInput, Known known)
      throws InterruptedException {
    long inputs = words.stream().filter(STANDARD_INPUT::equals).count();
    if (inputs > 1) {
      throw new InvalidInputException(
          "filename", STANDARD_INPUT, "is named " + inputs + " times", "name it once");
    }
    ApplyInputs all = new ApplyInputs(options, known);
    for (String word : words) {
      if (word.contains("://")) {
        all.fetch(word);
      } else {
        all.paths.add(Path.of(word));
      }
    }
    Reading reading = ManifestReader.read(all.paths, standardInput, all.texts, known.files);
    all.problems.addAll(reading.problems());
    return new Reading(reading.manifests(), all.problems, reading.files(), reading.bytes());
  }

  private void fetch(String word) throws InterruptedException {
    int query = word.indexOf('?');
    String address = query < 0 ? word : word.substring(0, query);
    Source source = source(address, fields(word, query));
    Fetched before = known.fetched.get(word);
    switch (source.fetch(before == null ? "" : before.revision())) {
      case Fetched fetched -> known.fetched.put(word, fetched);
      case Unchanged unchanged -> {
        // The files are known.
      }
      case SourceProblem problem ->
          problems.add(new Problem(new Manifest.Source(address, 0), problem.message()));
    }
    if (known.fetched.containsKey(word)) {
      known.fetched.get(word).files().forEach((path, text) -> texts.put(word + "//" + path, text));
    }
  }

  private Source source(String address, Map<String, String> fields) {
    String path = fields.getOrDefault("path", "");
    int colon = address.indexOf("://");
    String rest = address.substring(colon + 3);
    String scheme = address.substring(0, colon);
    if (rest.replaceAll("/.*", "").contains("@")) {
      // Not the address: it may hold a password.
      throw new InvalidInputException(
          "filename",
          scheme + "://…",
          "must not have a login in it",
          "use --git-token-file or --registry-config");
    }
    return switch (scheme) {
      case "oci", "oci+http" -> {
        if (fields.containsKey("ref")) {
          throw new InvalidInputException(
              "filename", address, "has no ref", "write a tag or a digest behind the name");
        }
        yield OciSource.of(
            new OciSpec(
                rest,
                path,
                options.registry(rest),
                options.key(),
                options.authorities(),
                scheme.equals("oci+http"),
                Limits.DEFAULTS));
      }
      case "git+https", "git+http" -> {
        if (!options.key().isEmpty()) {
          throw new InvalidInputException(
              "verify-key", address, "is for artifacts of oci:// only", "leave out one of the two");
        }
        yield GitSource.of(
            new GitSpec(
                scheme.substring(4) + "://" + rest,
                fields.getOrDefault("ref", ""),
                path,
                options.git(),
                options.authorities(),
                Limits.DEFAULTS));
      }
      default ->
          throw new InvalidInputException(
              "filename",
              scheme + "://…",
              "is no address that exactl fetches",
              "write oci://HOST/NAME:TAG or git+https://HOST/PATH?ref=main");
    };
  }

  private static Map<String, String> fields(String word, int query) {
    Map<String, String> fields = new HashMap<>();
    if (query < 0) {
      return fields;
    }
    for (String field : word.substring(query + 1).split("&")) {
      int equals = field.indexOf('=');
      String name = equals < 0 ? field : field.substring(0, equals);
      if (equals < 0 || !List.of("ref", "path").contains(name)) {
        throw new InvalidInputException(
            "filename", word, "may have ref= and path= behind the ?", "correct the address");
      }
      try {
        fields.put(name, URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException e) {
        throw new InvalidInputException(
            "filename", word, "has a % that is no code", "write %25 for the sign itself");
      }
    }
    return fields;
  }
}
