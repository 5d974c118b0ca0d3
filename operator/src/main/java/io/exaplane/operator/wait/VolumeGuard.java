// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.wait;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Lets a Critical store start only on the data that it had: the first container of its pod. Each
 * volume carries an id of its data. A store whose volume is empty, or carries another id, would
 * serve an empty API, and the hosted cluster's nodes would end every workload.
 *
 * <p>Usage: {@code --volume FOLDER --contents FOLDER}, and the expected id in {@value #EXPECTED}.
 * Ends with 0 when the store may start, with 3 when it may not, with 2 on bad arguments; says which
 * in the container's termination message. Needs nothing but the JDK.
 */
public final class VolumeGuard {
  /**
   * The id that the volume must carry; {@link #ACCEPTED} with an incident for whatever there is;
   * empty for a store of which nothing is known yet.
   */
  public static final String EXPECTED = "EXAPLANE_EXPECTED_DATA";

  /** Begins the expectation of a loss that was accepted; the incident follows. */
  public static final String ACCEPTED = "accepted:";

  /** Begins the message of a volume on which the store may start; its id follows. */
  public static final String PASSED = "data-id=";

  /** Begins the message of a volume on which the store may not start; what was found follows. */
  public static final String HELD = "held: ";

  /**
   * Begins ids that this program made. Others are of volumes that had data before there was one.
   */
  static final String OWN = "data-";

  static final String MARK = "exaplane-data-id";
  private static final Path MESSAGE = Path.of("/dev/termination-log");
  private static final int HELD_CODE = 3;

  private final Path volume;
  private final Path contents;

  VolumeGuard(Path volume, Path contents) {
    this.volume = volume;
    this.contents = contents;
  }

  public static void main(String[] args) {
    if (args.length != 4 || !args[0].equals("--volume") || !args[2].equals("--contents")) {
      System.err.println(
          "error: usage: --volume FOLDER --contents FOLDER; got " + String.join(" ", args));
      System.exit(2);
    }
    VolumeGuard guard = new VolumeGuard(Path.of(args[1]), Path.of(args[3]));
    String expected = Optional.ofNullable(System.getenv(EXPECTED)).orElse("");
    String message;
    try {
      message = guard.check(expected);
    } catch (IOException e) {
      message = HELD + "the volume cannot be used: " + e;
    }
    System.out.println(message);
    try {
      Files.writeString(MESSAGE, message);
    } catch (IOException e) {
      System.err.println("error: " + MESSAGE + " cannot be written: " + e);
    }
    if (message.startsWith(HELD)) {
      System.exit(HELD_CODE);
    }
  }

  /**
   * Looks at the volume, and marks it where that is right.
   *
   * @return {@link #PASSED} with the volume's id, or {@link #HELD} with what was found instead
   */
  String check(String expected) throws IOException {
    Optional<String> found = mark();
    boolean empty = isEmpty();
    if (expected.startsWith(ACCEPTED)) {
      // Other data than before, whatever it carries: who knows the data of before reads anew.
      String id = OWN + expected.substring(ACCEPTED.length());
      return PASSED + (found.filter(id::equals).isPresent() ? id : mark(id));
    }
    if (expected.isEmpty()) {
      return PASSED + (found.isPresent() && !empty ? found.get() : mark(OWN + UUID.randomUUID()));
    }
    if (found.isPresent() && !found.get().equals(expected)) {
      return HELD + "the data of another store (" + found.get() + ")";
    }
    if (empty) {
      return HELD + "an empty volume";
    }
    if (found.isPresent()) {
      return PASSED + expected;
    }
    // A volume of before there were marks is known by its data alone.
    return expected.startsWith(OWN)
        ? HELD + "data without the mark " + MARK
        : PASSED + mark(expected);
  }

  private Optional<String> mark() throws IOException {
    Path file = volume.resolve(MARK);
    return Files.exists(file)
        ? Optional.of(Files.readString(file).strip()).filter(text -> !text.isEmpty())
        : Optional.empty();
  }

  private boolean isEmpty() throws IOException {
    if (!Files.isDirectory(contents)) {
      return true;
    }
    try (Stream<Path> files = Files.walk(contents)) {
      return files.noneMatch(Files::isRegularFile);
    }
  }

  /** Whole or not at all, and on the disk before the store starts. */
  private String mark(String id) throws IOException {
    Path file = volume.resolve(MARK);
    Path partial = volume.resolve(MARK + ".partial");
    try (FileChannel channel =
        FileChannel.open(
            partial,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      channel.write(StandardCharsets.US_ASCII.encode(id + "\n"));
      channel.force(true);
    }
    try {
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(partial, file, StandardCopyOption.REPLACE_EXISTING);
    }
    try (FileChannel folder = FileChannel.open(volume, StandardOpenOption.READ)) {
      folder.force(true);
    }
    return id;
  }
}
