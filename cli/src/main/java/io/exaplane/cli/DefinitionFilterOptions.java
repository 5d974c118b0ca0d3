// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.apply.manifest.DefinitionFilter;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Option;

/** Which of the kinds that files define are meant. */
final class DefinitionFilterOptions {
  @Option(
      names = "--include",
      split = ",",
      paramLabel = "KIND.GROUP",
      description =
          "Of the files' CustomResourceDefinitions, take only these, for example Bucket.s3.aws.example.org or"
              + " *.s3.aws.example.org; also several times (default: all).")
  private List<String> include = List.of();

  @Option(
      names = "--exclude",
      split = ",",
      paramLabel = "KIND.GROUP",
      description = "Leave out these CustomResourceDefinitions, and objects of their kinds.")
  private List<String> exclude = List.of();

  /**
   * What is left of files.
   *
   * @param prune whether what is not left is deleted
   * @param err is told how many kinds are left out
   * @throws InvalidInputException for a pattern that is none, or that matches nothing: what was
   *     meant would be left out, or stay; also if objects of kinds that are left out would be
   *     deleted
   */
  Reading chosen(Reading reading, boolean prune, PrintWriter err) {
    if (include.isEmpty() && exclude.isEmpty()) {
      return reading;
    }
    include.forEach(pattern -> check("include", pattern));
    exclude.forEach(pattern -> check("exclude", pattern));
    DefinitionFilter filter = DefinitionFilter.of(include, exclude);
    DefinitionFilter.Selection selection = filter.select(reading.manifests());
    if (!selection.unmatched().isEmpty()) {
      String pattern = selection.unmatched().getFirst();
      throw new InvalidInputException(
          include.contains(pattern) ? "include" : "exclude",
          pattern,
          "must match a CustomResourceDefinition of the files",
          "correct or delete the pattern; 'exactl crds cost -f FILE' lists the kinds");
    }
    if (prune && !selection.leftOut().isEmpty()) {
      throw new InvalidInputException(
          "prune",
          "true",
          "must not be set while --include or --exclude leaves out kinds, such as %s, since all their objects of this source would be deleted"
              .formatted(selection.leftOut().getFirst()),
          "omit --prune, or apply without --include and --exclude");
    }
    err.println(selection.leftOut().size() + " kinds are left out");
    return new Reading(selection.manifests(), reading.problems(), reading.files(), reading.bytes());
  }

  private static void check(String option, String pattern) {
    try {
      DefinitionFilter.of(List.of(pattern), List.of());
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          option,
          pattern,
          "must be KIND.GROUP, in which * stands for any characters",
          "write for example Bucket.s3.aws.example.org or *.s3.aws.example.org");
    }
  }
}
