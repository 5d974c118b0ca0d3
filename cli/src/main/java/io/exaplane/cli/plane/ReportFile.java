// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.plane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.cli.measure.FileFailure;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * What a support bundle of {@link SupportBundle} has of objects and Events.
 *
 * @param at when it was made
 * @param objects by plural and name, as {@code storeshards/demo-default}
 * @param events lines, the oldest first
 */
public record ReportFile(Instant at, Map<String, JsonNode> objects, String events) {
  private static final String OPTION = "compare";
  private static final String NEXT = "name two files that 'report' wrote";

  /** Of one entry, and of all that are read: bundles come from other people, too. */
  private static final int MOST_ENTRY_BYTES = 16 << 20;

  private static final long MOST_BYTES = 256L << 20;
  private static final int MOST_ENTRIES = 100_000;
  private static final String OBJECTS = "objects/";
  private static final String STANDARD_INPUT = "-";

  /**
   * Reads a bundle.
   *
   * @param file {@code -} is the standard input
   * @throws InvalidInputException if it is none, or too large
   */
  public static ReportFile read(Path file) {
    try (InputStream in = open(file);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(in)))) {
      return read(file, tar);
    } catch (NoSuchFileException e) {
      throw new InvalidInputException(OPTION, file.toString(), "does not exist", NEXT);
    } catch (InvalidInputException e) {
      throw e;
    } catch (IOException e) {
      throw none(file, FileFailure.reason(e));
    } catch (IllegalArgumentException e) {
      throw none(file, e.getMessage());
    }
  }

  private static InvalidInputException none(Path file, String why) {
    return new InvalidInputException(OPTION, file.toString(), "is no support bundle: " + why, NEXT);
  }

  private static InputStream open(Path file) throws IOException {
    return file.toString().equals(STANDARD_INPUT) ? System.in : Files.newInputStream(file);
  }

  private static ReportFile read(Path file, TarArchiveInputStream tar) throws IOException {
    YAMLMapper yaml = new YAMLMapper();
    Map<String, JsonNode> objects = new TreeMap<>();
    String events = "";
    Instant at = null;
    long bytes = 0;
    int entries = 0;
    for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
      if (++entries > MOST_ENTRIES) {
        throw new InvalidInputException(
            OPTION, file.toString(), "has more than %d entries".formatted(MOST_ENTRIES), NEXT);
      }
      at = entry.getLastModifiedTime().toInstant();
      String name = entry.getName().substring(entry.getName().indexOf('/') + 1);
      // Of a plural and a name: other files are nobody's.
      boolean isObject =
          name.startsWith(OBJECTS)
              && name.endsWith(".yaml")
              && name.indexOf('/', OBJECTS.length()) > 0;
      if (!isObject && !name.equals("events.txt")) {
        continue;
      }
      byte[] content = tar.readNBytes(MOST_ENTRY_BYTES + 1);
      bytes += content.length;
      if (content.length > MOST_ENTRY_BYTES || bytes > MOST_BYTES) {
        throw new InvalidInputException(
            OPTION,
            file.toString(),
            content.length > MOST_ENTRY_BYTES
                ? "has more than %d MiB in %s"
                    .formatted(MOST_ENTRY_BYTES >> 20, name.replaceAll("\\p{Cntrl}", "?"))
                : "has more than %d MiB".formatted(MOST_BYTES >> 20),
            NEXT);
      }
      String text = new String(content, StandardCharsets.UTF_8);
      if (isObject) {
        objects.put(
            name.substring(OBJECTS.length(), name.length() - ".yaml".length()),
            yaml.readTree(text));
      } else {
        events = text;
      }
    }
    if (objects.keySet().stream().noneMatch(key -> key.startsWith("controlplanes/"))) {
      throw new InvalidInputException(
          OPTION, file.toString(), "is no support bundle: it has no ControlPlane", NEXT);
    }
    return new ReportFile(at, objects, events);
  }
}
