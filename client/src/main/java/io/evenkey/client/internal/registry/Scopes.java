/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import java.util.Comparator;

/** The order in which scopes are listed: namespaces first, then tables, each by name. */
final class Scopes {
  static final Comparator<Scope> ORDER =
      Comparator.comparing((Scope scope) -> scope instanceof Scope.Table)
          .thenComparing(Scope::toString);

  private Scopes() {}
}
