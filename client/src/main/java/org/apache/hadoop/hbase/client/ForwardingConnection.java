/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hbase.client;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.ZooKeeperConnectionException;
import org.apache.hadoop.hbase.client.backoff.ClientBackoffPolicy;
import org.apache.hadoop.hbase.ipc.RpcControllerFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.AdminService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;

/**
 * A connection that hands every call on to HBase's own.
 *
 * <p>It is in HBase's package, since some of HBase's tools take every connection for an object of
 * the private interface, and that has types in it which are visible only here. HBase 3.0 has no
 * such interface, and this class cannot be loaded there. Thread-safe.
 */
@SuppressWarnings("deprecation") // what HBase still has in the interface
public abstract class ForwardingConnection implements ClusterConnection {
  private final ClusterConnection connection;

  /** As HBase's factory makes a connection if nothing else is set. */
  protected ForwardingConnection(
      Configuration configuration, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    this.connection =
        ((ClusterLine) HBaseLine.present()).connection(configuration, pool, user, attributes);
  }

  /** HBase's own connection. */
  protected final Connection plain() {
    return connection;
  }

  @Override
  public Configuration getConfiguration() {
    return connection.getConfiguration();
  }

  @Override
  public void clearRegionLocationCache() {
    connection.clearRegionLocationCache();
  }

  @Override
  public String getClusterId() {
    return connection.getClusterId();
  }

  @Override
  public Hbck getHbck() throws IOException {
    return connection.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return connection.getHbck(master);
  }

  @Override
  public void abort(String why, Throwable cause) {
    connection.abort(why, cause);
  }

  @Override
  public boolean isAborted() {
    return connection.isAborted();
  }

  @Override
  public boolean isClosed() {
    return connection.isClosed();
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }

  @Override
  public boolean isMasterRunning() throws MasterNotRunningException, ZooKeeperConnectionException {
    return connection.isMasterRunning();
  }

  @Override
  public boolean isTableAvailable(TableName tableName, byte[][] splitKeys) throws IOException {
    return connection.isTableAvailable(tableName, splitKeys);
  }

  @Override
  public boolean isTableEnabled(TableName tableName) throws IOException {
    return connection.isTableEnabled(tableName);
  }

  @Override
  public boolean isTableDisabled(TableName tableName) throws IOException {
    return connection.isTableDisabled(tableName);
  }

  @Override
  public TableState getTableState(TableName tableName) throws IOException {
    return connection.getTableState(tableName);
  }

  @Override
  public HRegionLocation locateRegion(TableName tableName, byte[] row) throws IOException {
    return connection.locateRegion(tableName, row);
  }

  @Override
  public void cacheLocation(TableName tableName, RegionLocations location) {
    connection.cacheLocation(tableName, location);
  }

  @Override
  public void clearRegionCache(TableName tableName) {
    connection.clearRegionCache(tableName);
  }

  @Override
  public HRegionLocation relocateRegion(TableName tableName, byte[] row) throws IOException {
    return connection.relocateRegion(tableName, row);
  }

  @Override
  public RegionLocations relocateRegion(TableName tableName, byte[] row, int replicaId)
      throws IOException {
    return connection.relocateRegion(tableName, row, replicaId);
  }

  @Override
  public void updateCachedLocations(
      TableName tableName, byte[] regionName, byte[] rowkey, Object exception, ServerName source) {
    connection.updateCachedLocations(tableName, regionName, rowkey, exception, source);
  }

  @Override
  public HRegionLocation locateRegion(byte[] regionName) throws IOException {
    return connection.locateRegion(regionName);
  }

  @Override
  public List<HRegionLocation> locateRegions(TableName tableName) throws IOException {
    return connection.locateRegions(tableName);
  }

  @Override
  public List<HRegionLocation> locateRegions(
      TableName tableName, boolean useCache, boolean offlined) throws IOException {
    return connection.locateRegions(tableName, useCache, offlined);
  }

  @Override
  public RegionLocations locateRegion(
      TableName tableName, byte[] row, boolean useCache, boolean retry) throws IOException {
    return connection.locateRegion(tableName, row, useCache, retry);
  }

  @Override
  public RegionLocations locateRegion(
      TableName tableName, byte[] row, boolean useCache, boolean retry, int replicaId)
      throws IOException {
    return connection.locateRegion(tableName, row, useCache, retry, replicaId);
  }

  @Override
  public MasterKeepAliveConnection getMaster() throws IOException {
    return connection.getMaster();
  }

  @Override
  public AdminService.BlockingInterface getAdminForMaster() throws IOException {
    return connection.getAdminForMaster();
  }

  @Override
  public AdminService.BlockingInterface getAdmin(ServerName serverName) throws IOException {
    return connection.getAdmin(serverName);
  }

  @Override
  public ClientService.BlockingInterface getClient(ServerName serverName) throws IOException {
    return connection.getClient(serverName);
  }

  @Override
  public HRegionLocation getRegionLocation(TableName tableName, byte[] row, boolean reload)
      throws IOException {
    return connection.getRegionLocation(tableName, row, reload);
  }

  @Override
  public void clearCaches(ServerName sn) {
    connection.clearCaches(sn);
  }

  @Override
  public NonceGenerator getNonceGenerator() {
    return connection.getNonceGenerator();
  }

  @Override
  public AsyncProcess getAsyncProcess() {
    return connection.getAsyncProcess();
  }

  @Override
  public RpcRetryingCallerFactory getNewRpcRetryingCallerFactory(Configuration conf) {
    return connection.getNewRpcRetryingCallerFactory(conf);
  }

  @Override
  public RpcRetryingCallerFactory getRpcRetryingCallerFactory() {
    return connection.getRpcRetryingCallerFactory();
  }

  @Override
  public RpcControllerFactory getRpcControllerFactory() {
    return connection.getRpcControllerFactory();
  }

  @Override
  public ConnectionConfiguration getConnectionConfiguration() {
    return connection.getConnectionConfiguration();
  }

  @Override
  public ServerStatisticTracker getStatisticsTracker() {
    return connection.getStatisticsTracker();
  }

  @Override
  public ClientBackoffPolicy getBackoffPolicy() {
    return connection.getBackoffPolicy();
  }

  @Override
  public MetricsConnection getConnectionMetrics() {
    return connection.getConnectionMetrics();
  }

  @Override
  public boolean hasCellBlockSupport() {
    return connection.hasCellBlockSupport();
  }

  @Override
  public List<ServerName> getLiveRegionServers(Supplier<ServerName> masterAddrTracker, int count)
      throws IOException {
    return connection.getLiveRegionServers(masterAddrTracker, count);
  }

  @Override
  public List<ServerName> getAllBootstrapNodes(ServerName regionServer) throws IOException {
    return connection.getAllBootstrapNodes(regionServer);
  }

  @Override
  public User getUser() {
    return connection.getUser();
  }

  @Override
  public ConnectionRegistry getConnectionRegistry() {
    return connection.getConnectionRegistry();
  }
}
