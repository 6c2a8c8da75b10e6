/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.ClusterReadings;
import io.evenkey.report.heat.counters.ReadingSource;
import io.evenkey.report.heat.history.Recorder;
import io.evenkey.report.launch.PortalSettings;
import io.evenkey.report.launch.RunningPortal;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.staticfiles.Location;
import io.javalin.util.JavalinException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running portal: pages, JSON routes, and the recorder of the heat. Thread-safe. */
public final class Portal implements RunningPortal {
  private static final Logger LOG = LoggerFactory.getLogger(Portal.class);
  private static final int MOST_BODY_BYTES = 1 << 20;

  private final PortalSettings settings;
  private final Recorder recorder;
  private final Javalin server;
  private final List<ApiRoute> routes;
  private final List<AutoCloseable> parts;

  private Portal(
      PortalSettings settings,
      Recorder recorder,
      Javalin server,
      List<ApiRoute> routes,
      List<AutoCloseable> parts) {
    this.settings = settings;
    this.recorder = recorder;
    this.server = server;
    this.routes = routes;
    this.parts = parts;
  }

  /**
   * Starts a portal on a cluster. The caller closes the cluster.
   *
   * @throws IOException if it cannot listen, or the cluster does not answer
   */
  public static Portal start(PortalSettings settings, Cluster cluster) throws IOException {
    return start(settings, cluster, new ClusterReadings(cluster.connection()));
  }

  /**
   * Starts the portal like {@link #start(PortalSettings, Cluster)}, with another source of heat.
   */
  static Portal start(PortalSettings settings, Cluster cluster, ReadingSource readings)
      throws IOException {
    AuditLog audit = AuditLog.to(settings.audit());
    Recorder recorder =
        new Recorder(
            readings, settings.every(), OwnTables.open(settings, cluster), !settings.readOnly());
    Jobs jobs = new Jobs();
    Uploads uploads = new Uploads();
    Meters meters = new Meters(recorder, cluster);
    Function<Cluster, List<ApiRoute>> all =
        asked -> {
          List<ApiRoute> routes = new ArrayList<>();
          routes.addAll(new LayoutRoutes().routes());
          routes.addAll(new TableRoutes(asked, recorder).routes());
          routes.addAll(new RowRoutes(asked).routes());
          routes.addAll(new AdoptionRoutes(asked).routes());
          routes.addAll(new SplitRoutes(asked, jobs).routes());
          routes.addAll(new IndexRoutes(asked, jobs).routes());
          routes.addAll(new PlanRoutes(asked).routes());
          routes.addAll(new HeatRoutes(recorder).routes());
          routes.addAll(new HotKeyRoutes(asked).routes());
          routes.addAll(new JobRoutes(asked, jobs, uploads).routes());
          routes.addAll(new MigrationRoutes(asked, jobs).routes());
          routes.addAll(new AboutRoutes(settings, recorder, asked, meters).routes());
          routes.addAll(new HealthRoutes(recorder).routes());
          routes.addAll(new LiveRoutes(recorder, jobs).routes());
          return List.copyOf(routes);
        };
    List<ApiRoute> routes = all.apply(cluster);
    Persons persons = new Persons(cluster, all);
    Javalin server = server(routes, persons, new Guard(settings, audit));
    Portal portal =
        new Portal(
            settings,
            recorder,
            server,
            routes,
            List.of(recorder, jobs, uploads, server::stop, persons, meters));
    try {
      server.start(settings.host(), settings.port());
      recorder.start();
      return portal;
    } catch (JavalinException e) {
      portal.close();
      throw new EvenkeyException(
          "portal cannot listen: address="
              + settings.host()
              + " port="
              + settings.port()
              + "; choose another with --port, or stop what listens there",
          e);
    } catch (RuntimeException e) {
      portal.close();
      throw e;
    }
  }

  private static Javalin server(List<ApiRoute> routes, Persons persons, Guard guard) {
    return Javalin.create(
        config -> {
          serve(config);
          config.routes.before(guard::before);
          config.routes.after(guard::after);
          Problems.handledBy(config.routes);
          for (int i = 0; i < routes.size(); i++) {
            ApiRoute route = routes.get(i);
            config.routes.addHttpHandler(
                route.method(), route.path(), persons.as(i, route.handler()));
          }
        });
  }

  private static void serve(JavalinConfig config) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    config.http.maxRequestSize = MOST_BODY_BYTES;
    config.http.prefer405over404 = true;
    RequestLimits.on(config);
    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
    config.staticFiles.add(
        files -> {
          files.hostedPath = "/";
          files.directory = "/io/evenkey/portal/web";
          files.location = Location.CLASSPATH;
          files.headers = Map.of("Cache-Control", "no-cache");
        });
  }

  /** All routes of the API. */
  List<ApiRoute> routes() {
    return routes;
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
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        // The other parts still have to be closed.
        LOG.warn("part of the portal not closed: {}", part.getClass().getSimpleName(), e);
      }
    }
  }
}
