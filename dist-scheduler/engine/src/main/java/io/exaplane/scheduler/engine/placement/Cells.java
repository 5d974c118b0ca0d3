// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.placement;

import io.exaplane.scheduler.engine.plugin.Coordinate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Nodes by their coordinates: those that are equal in all of them are in one {@link Cell}. What
 * stays of a coordinate is looked up once, what moves with a node's pods whenever the node is put
 * anew. One thread; 12 bytes a node besides the cells.
 */
final class Cells {
  private static final int NOWHERE = -1;

  private final Coordinate[] moving;
  private final PairIds[] movingIds;
  private final int[] groupOf;
  private final int[] cellOf;
  private final int[] slotOf;
  private final List<Cell> cells = new ArrayList<>();
  private final List<Cell> inhabited = new ArrayList<>();

  /** Of no nodes yet, whose numbers will be below the size. */
  Cells(List<Coordinate> coordinates, int size) {
    moving = coordinates.stream().filter(Coordinate::moves).toArray(Coordinate[]::new);
    movingIds = new PairIds[moving.length];
    Arrays.setAll(movingIds, i -> new PairIds());
    groupOf = new int[size];
    cellOf = new int[size];
    slotOf = new int[size];
    Arrays.fill(cellOf, NOWHERE);
  }

  /** Looks up what stays of these nodes' coordinates. */
  void locate(List<Coordinate> coordinates, int[] nodes, int count) {
    for (Coordinate coordinate : coordinates) {
      if (!coordinate.moves()) {
        PairIds ids = new PairIds();
        for (int i = 0; i < count; i++) {
          groupOf[nodes[i]] = ids.of(groupOf[nodes[i]], coordinate.at(nodes[i]));
        }
      }
    }
  }

  /** How many cells have nodes. */
  int count() {
    return inhabited.size();
  }

  /** The i-th of those. */
  Cell get(int i) {
    return inhabited.get(i);
  }

  /** The cell of a node that is in one. */
  Cell of(int node) {
    return cells.get(cellOf[node]);
  }

  /** Puts a node to where it belongs now. */
  void set(int node, long key) {
    int cell = find(node);
    int before = cellOf[node];
    if (cell == before) {
      cells.get(cell).set(slotOf[node], key);
      return;
    }
    if (before != NOWHERE) {
      leave(node, before);
    }
    cellOf[node] = cell;
    slotOf[node] = inhabited(cell).add(key);
  }

  /** Like {@link #set} for a node that is nowhere; {@link #rebuild} has to follow. */
  void append(int node, long key) {
    int cell = find(node);
    cellOf[node] = cell;
    slotOf[node] = inhabited(cell).append(key);
  }

  void rebuild() {
    inhabited.forEach(Cell::rebuild);
  }

  void remove(int node) {
    if (cellOf[node] != NOWHERE) {
      leave(node, cellOf[node]);
      cellOf[node] = NOWHERE;
    }
  }

  /** Removes all. */
  void clear() {
    Arrays.fill(cellOf, NOWHERE);
    cells.clear();
    inhabited.clear();
    Arrays.setAll(movingIds, i -> new PairIds());
  }

  private int find(int node) {
    int id = groupOf[node];
    for (int i = 0; i < moving.length; i++) {
      id = movingIds[i].of(id, moving[i].at(node));
    }
    return id;
  }

  private Cell inhabited(int id) {
    while (cells.size() <= id) {
      cells.add(new Cell());
    }
    Cell cell = cells.get(id);
    if (cell.place < 0) {
      cell.place = inhabited.size();
      inhabited.add(cell);
    }
    return cell;
  }

  private void leave(int node, int id) {
    Cell cell = cells.get(id);
    cell.remove(slotOf[node]);
    if (cell.size() == 0) {
      Cell last = inhabited.removeLast();
      if (last != cell) {
        inhabited.set(cell.place, last);
        last.place = cell.place;
      }
      cell.place = -1;
    }
  }
}
