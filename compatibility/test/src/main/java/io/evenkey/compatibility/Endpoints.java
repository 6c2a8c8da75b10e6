/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.lang.reflect.Proxy;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ServiceCaller;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.ipc.ServerRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcCallback;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;

/**
 * Calls of coprocessors by the protobuf of HBase 3.0, on a spread table. A message without a row
 * arrives at the region, which has no such service. One with a row is rejected before.
 */
@SuppressWarnings({"unchecked", "rawtypes"}) // compiled with the types of 2.6
final class Endpoints {
  private static final String ARRIVED = "No registered coprocessor service";
  private static final String REJECTED = "rows in a message to a coprocessor of a spread table";

  private static final String ON_A_RANGE = "coprocessor call on a range of keys";

  private Endpoints() {}

  /** Calls through both interfaces, each by a message without a row and by one with a row. */
  static void use(Table table, AsyncTable<?> async, byte[] row) {
    ScanRequest without = ScanRequest.newBuilder().setScannerId(1).build();
    ScanRequest with =
        ScanRequest.newBuilder()
            .setScan(Scan.newBuilder().setStartRow(ByteString.copyFrom(row)))
            .build();
    fails(ARRIVED, () -> ofRow(table, row, without));
    fails(REJECTED, () -> ofRow(table, row, with));
    fails(ARRIVED, () -> ofAllRegions(table, new byte[0], without));
    fails(REJECTED, () -> ofAllRegions(table, new byte[0], with));
    fails(ON_A_RANGE, () -> ofAllRegions(table, row, without));
    fails(ARRIVED, () -> later(async, row, without));
    fails(REJECTED, () -> later(async, row, with));
  }

  private static Object ofRow(Table table, byte[] row, ScanRequest request) throws Exception {
    Object channel = table.coprocessorService(row);
    return ClientService.newBlockingStub((BlockingRpcChannel) channel).scan(null, request);
  }

  private static Object ofAllRegions(Table table, byte[] start, ScanRequest request)
      throws Throwable {
    Class service = ClientService.class;
    Batch.Call call =
        stub -> {
          ServerRpcController controller = new ServerRpcController();
          ((ClientService) stub).scan((RpcController) (Object) controller, request, answer -> {});
          if (controller.failedOnException()) {
            throw controller.getFailedOn();
          }
          return "no failure";
        };
    return table.coprocessorService(service, start, new byte[0], call);
  }

  private static Object later(AsyncTable async, byte[] row, ScanRequest request) throws Exception {
    Function stubs = channel -> ClientService.newStub((RpcChannel) channel);
    ServiceCaller caller =
        (ServiceCaller)
            Proxy.newProxyInstance(
                ServiceCaller.class.getClassLoader(),
                new Class<?>[] {ServiceCaller.class},
                (proxy, method, arguments) -> {
                  ((ClientService) arguments[0])
                      .scan((RpcController) arguments[1], request, (RpcCallback) arguments[2]);
                  return null;
                });
    return async.coprocessorService(stubs, caller, row).get(1, TimeUnit.MINUTES);
  }

  /** A call that is expected to fail. */
  @FunctionalInterface
  private interface Call {
    Object make() throws Throwable;
  }

  private static void fails(String message, Call call) {
    Object answer;
    try {
      answer = call.make();
    } catch (Throwable e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (String.valueOf(cause.getMessage()).contains(message)) {
          return;
        }
      }
      throw new IllegalStateException("not the expected failure: expected=" + message, e);
    }
    throw new IllegalStateException("no failure: expected=" + message + " answer=" + answer);
  }
}
