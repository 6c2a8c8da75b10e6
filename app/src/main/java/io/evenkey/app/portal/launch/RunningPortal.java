package io.evenkey.app.portal.launch;

/** A portal that runs until closed. */
public interface RunningPortal extends AutoCloseable {
  /** Where browsers find it. */
  String url();

  @Override
  void close();
}
