/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.key;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.field.FieldType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Puts parts together: finds each its place, and refuses those that cannot stand together. */
final class Assembly {
  private final KeyForm form;
  private final List<Part> flat = new ArrayList<>();
  private final List<KeyElement> elements = new ArrayList<>();
  private final List<Key.ReversedElements> reversed = new ArrayList<>();
  private final Map<String, Integer> positions = new LinkedHashMap<>();
  private final List<Field> fields = new ArrayList<>();

  private Assembly(KeyForm form) {
    this.form = form;
  }

  static Key of(KeyForm form, List<Part> parts) {
    Assembly assembly = new Assembly(form);
    for (Part part : parts) {
      assembly.refuseIfForeign(part);
      int first = assembly.flat.size();
      flatten(part, assembly.flat);
      if (part instanceof Part.Reverse) {
        assembly.reversed.add(new Key.ReversedElements(first, assembly.flat.size()));
      }
    }
    for (int i = 0; i < assembly.flat.size(); i++) {
      assembly.elements.add(assembly.element(i));
    }
    assembly.reversed.forEach(assembly::refuseVariableWidthIn);
    return new Key(
        form, parts, assembly.elements, assembly.reversed, assembly.fields, assembly.positions);
  }

  private void refuseIfForeign(Part part) {
    if (form == KeyForm.PHOENIX && !(part instanceof Part.Value)) {
      throw new PartProblem(
          part, part + " cannot be part of a Phoenix key", "leave it out, or use salt(N)");
    }
  }

  /** Adds the fields and literals of a part. */
  static void flatten(Part part, List<Part> flat) {
    if (part instanceof Part.Reverse reverse) {
      reverse.parts().forEach(inner -> flatten(inner, flat));
    } else {
      flat.add(part);
    }
  }

  private KeyElement element(int i) {
    if (flat.get(i) instanceof Part.Literal literal) {
      return KeyElement.of(literal);
    }
    Part.Value part = (Part.Value) flat.get(i);
    Field field = part.field();
    if (positions.putIfAbsent(field.name(), fields.size()) != null) {
      throw new PartProblem(
          part, "field '" + field.name() + "' stands twice", "name each field once");
    }
    fields.add(field);
    return KeyElement.of(part, codec(part, i), fields.size() - 1);
  }

  private FieldCodec codec(Part.Value part, int i) {
    Field field = part.field();
    boolean last = i + 1 == flat.size();
    if (form == KeyForm.PHOENIX) {
      boolean anyByte = field.type().alphabet() == FieldType.Alphabet.ANY;
      if (anyByte && field.type().width() == FieldType.VARIABLE && (!last || field.descending())) {
        throw new PartProblem(
            part,
            "a VARBINARY column of Phoenix comes last and is ascending",
            "give it a width, as BINARY has, or move it to the end");
      }
      return FieldCodec.phoenix(field, last);
    }
    if (last) {
      return FieldCodec.last(field);
    }
    if (!(flat.get(i + 1) instanceof Part.Literal next)) {
      return FieldCodec.beforeField(field);
    }
    if (field.type().width() == FieldType.VARIABLE
        && !field.descending()
        && !field.type().canEndAt(next.bytes())) {
      throw new PartProblem(
          part,
          field.type() + " cannot end at " + next,
          "give it a fixed width, such as "
              + field.type()
              + "(10), or a separator below '0',"
              + " such as \"-\"");
    }
    return FieldCodec.beforeLiteral(field, next.bytes());
  }

  // Once reversed, the mark of a variable end comes first, where it marks nothing.
  private void refuseVariableWidthIn(Key.ReversedElements run) {
    if (run.end() == elements.size()) {
      return;
    }
    for (KeyElement element : elements.subList(run.first(), run.end())) {
      if (element.width() == FieldType.VARIABLE) {
        throw new PartProblem(
            element.part(),
            "a reversed part of variable width can only come last",
            "give it a fixed width, such as digits(14) or string(20), or move it to the end");
      }
    }
  }
}
