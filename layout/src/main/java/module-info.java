/**
 * The layout language: one line that says how an HBase row key is made, and everything that follows
 * from it. Depends on nothing at run time.
 */
module io.evenkey.layout {
  requires static transitive org.jspecify;

  exports io.evenkey.layout;
  exports io.evenkey.layout.bytes;
  exports io.evenkey.layout.failure;
  exports io.evenkey.layout.field;
  exports io.evenkey.layout.scatter;
  exports io.evenkey.layout.size;
  exports io.evenkey.layout.split;
  exports io.evenkey.layout.text;
}
