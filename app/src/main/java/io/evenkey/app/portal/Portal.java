package io.evenkey.app.portal;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.app.heat.ClusterReadings;
import io.evenkey.app.heat.Readings;
import io.evenkey.app.history.HistoryTable;
import io.evenkey.app.history.OwnNamespace;
import io.evenkey.app.history.Recorder;
import io.evenkey.app.service.PortalSettings;
import io.evenkey.app.service.RunningPortal;
import io.evenkey.client.hot.HotKeyTable;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.staticfiles.Location;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.client.Admin;
import org.jspecify.annotations.Nullable;

/** A running portal: pages, their JSON, and what reads the heat. Thread-safe. */
public final class Portal implements RunningPortal {
  private static final int MOST_BODY_BYTES = 1 << 20;

  private final PortalSettings settings;
  private final Recorder recorder;
  private final Jobs jobs;
  private final Live live;
  private final Meters meters;
  private final Javalin server;
  private final List<Route> routes;

  private Portal(
      PortalSettings settings,
      Recorder recorder,
      Jobs jobs,
      Live live,
      Meters meters,
      Javalin server,
      List<Route> routes) {
    this.settings = settings;
    this.recorder = recorder;
    this.jobs = jobs;
    this.live = live;
    this.meters = meters;
    this.server = server;
    this.routes = routes;
  }

  /**
   * Starts one on a cluster that stays its owner's.
   *
   * @throws IOException if it cannot listen, or the cluster does not answer
   */
  public static Portal start(PortalSettings settings, Cluster cluster) throws IOException {
    return start(settings, cluster, new ClusterReadings(cluster.connection()));
  }

  /** As {@link #start(PortalSettings, Cluster)}, with the heat as somebody else tells it. */
  static Portal start(PortalSettings settings, Cluster cluster, Readings readings)
      throws IOException {
    Recorder recorder =
        new Recorder(readings, settings.every(), history(settings, cluster), !settings.readOnly());
    Jobs jobs = new Jobs();
    if (!settings.readOnly()) {
      hotKeyTable(cluster);
    }
    Live live = new Live(recorder, jobs);
    Meters meters = new Meters(recorder);
    List<Route> routes = new ArrayList<>();
    routes.addAll(new LayoutRoutes().routes());
    routes.addAll(new TableRoutes(cluster, recorder).routes());
    routes.addAll(new PlanRoutes(cluster).routes());
    routes.addAll(new HeatRoutes(recorder).routes());
    routes.addAll(new HotKeyRoutes(cluster).routes());
    JobRoutes jobRoutes = new JobRoutes(cluster, jobs);
    routes.addAll(jobRoutes.routes());
    routes.addAll(new AboutRoutes(settings, recorder, cluster, meters).routes());
    routes.addAll(live.routes());
    AuditLog audit = AuditLog.to(settings.audit());
    Guard guard = new Guard(settings, audit);
    Javalin server =
        Javalin.create(
            config -> {
              serve(config);
              config.routes.before(guard::before);
              config.routes.after(guard::after);
              Problems.handledBy(config.routes);
              routes.forEach(
                  route ->
                      config.routes.addHttpHandler(route.method(), route.path(), route.handler()));
            });
    try {
      server.start(settings.host(), settings.port());
    } catch (JavalinException e) {
      jobs.close();
      recorder.close();
      throw new IOException(
          "portal cannot listen: address="
              + settings.host()
              + " port="
              + settings.port()
              + "; choose another with --port, or stop what listens there",
          e);
    }
    Portal portal = new Portal(settings, recorder, jobs, live, meters, server, routes);
    try {
      recorder.start();
    } catch (IOException | RuntimeException e) {
      portal.close();
      throw e;
    }
    return portal;
  }

  // A read-only portal makes no table either, but shows what another one has stored.
  private static @Nullable HistoryTable history(PortalSettings settings, Cluster cluster)
      throws IOException {
    if (!settings.stored()) {
      return null;
    }
    return settings.readOnly()
        ? HistoryTable.open(cluster.connection(), cluster.tables())
        : HistoryTable.create(cluster.connection(), cluster.tables());
  }

  // Clients report only when it is there.
  private static void hotKeyTable(Cluster cluster) throws IOException {
    try (Admin admin = cluster.connection().getAdmin()) {
      if (!admin.tableExists(HotKeyTable.NAME)) {
        OwnNamespace.create(admin);
        cluster
            .tables()
            .create(
                HotKeyTable.NAME,
                HotKeyTable.LAYOUT,
                HotKeyTable.LAYOUT.splits(4),
                List.of(HotKeyTable.FAMILY));
      }
    } catch (TableExistsException e) {
      // Another portal was faster.
    }
  }

  private static void serve(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.maxRequestSize = MOST_BODY_BYTES;
    config.http.prefer405over404 = true;
    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
    config.staticFiles.add(
        files -> {
          files.hostedPath = "/";
          files.directory = "/io/evenkey/app/portal/web";
          files.location = Location.CLASSPATH;
          files.headers = Map.of("Cache-Control", "no-cache");
        });
  }

  /** All routes of the API. */
  List<Route> routes() {
    return List.copyOf(routes);
  }

  Recorder recorder() {
    return recorder;
  }

  int port() {
    return server.port();
  }

  @Override
  public String url() {
    return "http://" + settings.host() + ":" + server.port() + "/";
  }

  @Override
  public void close() {
    live.close();
    recorder.close();
    jobs.close();
    server.stop();
    meters.close();
  }
}
