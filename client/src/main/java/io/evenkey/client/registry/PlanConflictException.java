package io.evenkey.client.registry;

import io.evenkey.client.zookeeper.RegistryException;

/** Another client has changed a plan since it was read. Nothing has been stored. */
public final class PlanConflictException extends RegistryException {
  private static final long serialVersionUID = 1L;

  PlanConflictException(Scope scope, int expected, Versioned<Plan> found) {
    super(
        "plan changed in the meantime: plan="
            + scope
            + " read="
            + expected
            + " stored="
            + found.version()
            + " author="
            + found.author()
            + "; look at it as it is now, and store again");
  }
}
