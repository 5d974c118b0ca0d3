// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.measure;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file cannot be read or written, for people: Java often tells only its name. Stateless. */
public final class FileFailure {
  private FileFailure() {}

  /** The reason, without the name of the file. */
  public static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "no such file or folder";
      case AccessDeniedException _ -> "access is denied";
      case FileAlreadyExistsException _ -> "a file of that name exists";
      case FileSystemException known when known.getReason() != null -> known.getReason();
      default ->
          failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
    };
  }
}
