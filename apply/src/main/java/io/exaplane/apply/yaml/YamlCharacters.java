// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.yaml;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * The characters that a YAML parser looks at. SnakeYAML's own reader copies all that it has for
 * each thousand characters more, so that a word of 8 MB takes a minute; this one doubles its window
 * instead. A word has {@link #MOST_CHARACTERS} at most, as in JSON. Marks have places and no
 * snippets. One thread.
 */
public final class YamlCharacters extends StreamReader {
  /** Jackson's bound of a string. */
  public static final int MOST_CHARACTERS = 20_000_000;

  private static final int CHUNK = 1 << 13;
  private static final int[] NO_SNIPPET = {};
  private final Reader in;
  private final int most;
  private final char[] chunk = new char[CHUNK + 1];

  /** Code points from {@code begin} on, up to {@code end}. */
  private int[] window = new int[2 * CHUNK];

  private int begin;
  private int end;
  private boolean eof;
  private int index;
  private int documentIndex;
  private int line;
  private int column;

  /**
   * Of a stream, with {@link #MOST_CHARACTERS}.
   *
   * @param in the characters, which the caller closes
   */
  public YamlCharacters(Reader in) {
    this(in, MOST_CHARACTERS);
  }

  YamlCharacters(Reader in, int most) {
    super(Reader.nullReader());
    this.in = in;
    this.most = most;
  }

  @Override
  public Mark getMark() {
    return new Mark("reader", index, line, column, NO_SNIPPET, 0);
  }

  @Override
  public void forward() {
    forward(1);
  }

  @Override
  public void forward(int count) {
    for (int i = 0; i < count && has(0); i++) {
      int c = window[begin++];
      index++;
      documentIndex++;
      if (isLineBreak(c) || c == '\r' && has(0) && window[begin] != '\n') {
        line++;
        column = 0;
      } else if (c != '\uFEFF') {
        column++;
      }
    }
  }

  private static boolean isLineBreak(int c) {
    return c == '\n' || c == '\u0085' || c == '\u2028' || c == '\u2029';
  }

  @Override
  public int peek() {
    return peek(0);
  }

  @Override
  public int peek(int ahead) {
    return has(ahead) ? window[begin + ahead] : 0;
  }

  @Override
  public String prefix(int count) {
    has(count - 1);
    return new String(window, begin, Math.min(count, end - begin));
  }

  @Override
  public String prefixForward(int count) {
    String prefix = prefix(count);
    begin += Math.min(count, end - begin);
    index += count;
    documentIndex += count;
    column += count;
    return prefix;
  }

  @Override
  public int getColumn() {
    return column;
  }

  @Override
  public int getDocumentIndex() {
    return documentIndex;
  }

  @Override
  public void resetDocumentIndex() {
    documentIndex = 0;
  }

  @Override
  public int getIndex() {
    return index;
  }

  @Override
  public int getLine() {
    return line;
  }

  /** Whether there is a character so many behind the current one. */
  private boolean has(int ahead) {
    while (begin + ahead >= end && !eof) {
      if (end - begin > most) {
        throw new TooLong(most, getMark());
      }
      fill();
    }
    return begin + ahead < end;
  }

  private void fill() {
    if (begin > end - begin) {
      System.arraycopy(window, begin, window, 0, end - begin);
      end -= begin;
      begin = 0;
    }
    try {
      int count = in.read(chunk, 0, CHUNK);
      if (count <= 0) {
        eof = true;
        return;
      }
      if (Character.isHighSurrogate(chunk[count - 1])) {
        count += Math.max(0, in.read(chunk, count, 1));
      }
      take(count);
    } catch (IOException e) {
      throw new YAMLException(e);
    }
  }

  private void take(int count) {
    if (end + count > window.length) {
      window = Arrays.copyOf(window, 2 * window.length);
    }
    for (int i = 0; i < count; ) {
      int c = Character.codePointAt(chunk, i, count);
      if (!isPrintable(c)) {
        throw new ReaderException(
            "reader", index + end - begin, c, "special characters are not allowed");
      }
      window[end++] = c;
      i += Character.charCount(c);
    }
  }

  /** Says where the word begins. */
  private static final class TooLong extends MarkedYAMLException {
    private static final long serialVersionUID = 1L;

    TooLong(int most, Mark at) {
      super(null, null, "a value has more than " + most + " characters", at);
    }
  }
}
