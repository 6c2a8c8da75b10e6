/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.traffic;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * Counts the requests of each kind that the connections of a configuration send, to region servers
 * and to the master. Thread-safe.
 */
public final class RequestCounts {
  private static final String KEY = "evenkey.test.requests";
  private static final Map<String, RequestCounts> ALL = new ConcurrentHashMap<>();

  private final Map<String, Integer> counts = new TreeMap<>();

  private final Set<Long> scannersOfMeta = new HashSet<>();

  private RequestCounts() {}

  /** Counts the requests of connections that are made by this configuration from now on. */
  public static RequestCounts of(Configuration configuration) {
    String id = UUID.randomUUID().toString();
    configuration.set(KEY, id);
    configuration.set(
        RpcClientFactory.CUSTOM_RPC_CLIENT_IMPL_CONF_KEY, CountingRpcClient.class.getName());
    RequestCounts counts = new RequestCounts();
    ALL.put(id, counts);
    return counts;
  }

  static RequestCounts in(Configuration configuration) {
    return ALL.get(configuration.get(KEY));
  }

  synchronized void count(MethodDescriptor method, Message request) {
    String kind = method.getService().getName() + "." + method.getName();
    counts.merge(isOfMeta(request) ? kind + " meta" : kind, 1, Integer::sum);
  }

  /** Remembers the scanners of {@code hbase:meta}, whose later requests name no region. */
  synchronized void answered(Message request, Message response) {
    if (response != null && isOfMeta(request) && value(response, "scanner_id") instanceof Long id) {
      scannersOfMeta.add(id);
    }
  }

  private boolean isOfMeta(Message request) {
    Object region = value(request, "region");
    if (region instanceof Message specifier) {
      return value(specifier, "value") instanceof ByteString name
          && name.toStringUtf8().startsWith("hbase:meta,");
    }
    return value(request, "scanner_id") instanceof Long id && scannersOfMeta.contains(id);
  }

  private static Object value(Message of, String name) {
    FieldDescriptor field = of.getDescriptorForType().findFieldByName(name);
    return field == null || field.isRepeated() || !of.hasField(field) ? null : of.getField(field);
  }

  /** The requests since this was last called, such as {@code ClientService.Get}. */
  public synchronized Map<String, Integer> take() {
    Map<String, Integer> taken = new TreeMap<>(counts);
    counts.clear();
    return taken;
  }
}
