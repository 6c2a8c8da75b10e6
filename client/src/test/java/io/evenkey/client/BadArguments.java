/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Calls of a method with one bad argument and else good ones, by the types of its parameters, and
 * what they throw, at once or later.
 */
@SuppressWarnings("deprecation") // what HBase still has in its interfaces
final class BadArguments {
  static final byte[] ROW = Bytes.toBytes("row");
  static final byte[] OTHER_ROW = Bytes.toBytes("other");
  static final byte[] FAMILY = Bytes.toBytes("d");
  static final byte[] NO_FAMILY = Bytes.toBytes("none");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  /** The most bytes of a cell that the connections under test send. */
  static final int MOST_BYTES = 2000;

  private final TableName table;

  BadArguments(TableName table) {
    this.table = table;
  }

  /** The methods of one of HBase's interfaces that have arguments, in the same order each time. */
  static List<Method> methods(Class<?> type) {
    return Stream.of(type.getMethods())
        // Its observer hears of failures, and is of another type for each kind of table.
        .filter(method -> !method.getName().equals("scan"))
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .filter(method -> method.getParameterCount() > 0)
        .sorted(Comparator.comparing(Method::toGenericString))
        .toList();
  }

  /** The number of calls of a method. */
  int calls(Method method) {
    int calls = 1;
    for (int i = 0; i < method.getParameterCount(); i++) {
      calls += values(method, i).size() - 1;
    }
    return calls;
  }

  /** The arguments of one of the calls of a method, made for this call. */
  Object[] arguments(Method method, int call) {
    Object[] arguments = new Object[method.getParameterCount()];
    int left = call;
    for (int i = 0; i < arguments.length; i++) {
      List<Object> values = values(method, i);
      boolean here = left > 0 && left < values.size();
      arguments[i] = values.get(here ? left : 0);
      left -= values.size() - 1;
    }
    return arguments;
  }

  // The first one is good.
  private List<Object> values(Method method, int at) {
    Parameter parameter = method.getParameters()[at];
    Class<?> type = parameter.getType();
    if (type == byte[].class) {
      int before =
          (int)
              Arrays.stream(method.getParameterTypes(), 0, at)
                  .filter(t -> t == byte[].class)
                  .count();
      return bytes(method.getName(), before);
    } else if (type == List.class) {
      return lists(parameter.getParameterizedType().getTypeName());
    } else if (type == boolean.class) {
      return values(true);
    } else if (type == int.class) {
      return values(1, -1);
    } else if (type == long.class) {
      return values(1L, -1L);
    } else if (type == TableName.class) {
      return values(table, null);
    } else if (type == BufferedMutatorParams.class) {
      return values(new BufferedMutatorParams(table), null, new BufferedMutatorParams(null));
    } else if (type == Object[].class) {
      return values(new Object[1], null, new Object[0], new Object[3]);
    } else if (type == Durability.class) {
      return values(Durability.SYNC_WAL, null);
    } else if (type == CompareOperator.class) {
      return values(CompareOperator.EQUAL, null, CompareOperator.NO_OP);
    } else if (type == CompareFilter.CompareOp.class) {
      return values(CompareFilter.CompareOp.EQUAL, null);
    } else if (type == TimeUnit.class) {
      return values(TimeUnit.SECONDS, null);
    } else if (type == Filter.class) {
      return values(new KeyOnlyFilter(), null);
    }
    List<Object> requests = requests(type);
    return requests.isEmpty() ? values((Object) null) : requests;
  }

  private static List<Object> bytes(String method, int before) {
    if (method.startsWith("coprocessorService") || method.startsWith("batchCoprocessor")) {
      return values(new byte[0], null);
    }
    int at = method.equals("getScanner") ? before + 1 : before;
    return switch (at) {
      case 0 -> values(ROW, null, new byte[0], new byte[HConstants.MAX_ROW_LENGTH + 1]);
      case 1 -> values(FAMILY, null, new byte[0], NO_FAMILY);
      case 2 -> values(QUALIFIER, null, new byte[0]);
      default -> values(ROW, null, new byte[0]);
    };
  }

  private List<Object> lists(String type) {
    List<Object> lists = new ArrayList<>();
    for (Class<?> element :
        List.of(Get.class, Put.class, Delete.class, CheckAndMutate.class, Mutation.class)) {
      if (type.contains(element.getSimpleName())) {
        addLists(requests(element == Mutation.class ? Put.class : element), lists);
      }
    }
    if (type.contains(".Row>") || type.endsWith("Row")) {
      addLists(requests(Get.class), lists);
      for (Class<?> action :
          List.of(Put.class, Increment.class, Append.class, RowMutations.class)) {
        lists.add(listOf(requests(action).get(0)));
        requests(action).stream().skip(2).forEach(bad -> lists.add(listOf(bad)));
      }
    }
    return lists.isEmpty() ? values((Object) null) : lists;
  }

  private static void addLists(List<Object> requests, List<Object> lists) {
    lists.add(listOf(requests.get(0)));
    lists.add(null);
    lists.add(new ArrayList<>());
    lists.add(listOf((Object) null));
    lists.add(listOf(requests.get(0), null));
    requests.stream().skip(2).forEach(bad -> lists.add(listOf(bad)));
  }

  private static List<Object> listOf(Object... elements) {
    return new ArrayList<>(Arrays.asList(elements));
  }

  /** Requests of a type: a good one, null, bad ones. */
  private static List<Object> requests(Class<?> type) {
    try {
      if (type == Get.class) {
        return values(new Get(ROW), null, new Get(ROW).addFamily(NO_FAMILY));
      } else if (type == Scan.class) {
        return values(
            new Scan(),
            null,
            new Scan().addFamily(NO_FAMILY),
            new Scan().setLimit(-7),
            new Scan().setCaching(-7),
            new Scan().setMaxResultSize(-7),
            new Scan().setBatch(-7));
      } else if (type == Put.class) {
        return values(
            put(ROW, FAMILY, 1),
            null,
            new Put(ROW),
            put(ROW, NO_FAMILY, 1),
            put(ROW, FAMILY, MOST_BYTES + 1));
      } else if (type == Delete.class) {
        return values(new Delete(ROW), null, new Delete(ROW).addFamily(NO_FAMILY));
      } else if (type == Append.class) {
        return values(
            new Append(ROW).addColumn(FAMILY, Bytes.toBytes("a"), ROW),
            null,
            new Append(ROW),
            new Append(ROW).addColumn(NO_FAMILY, QUALIFIER, ROW),
            new Append(ROW).addColumn(FAMILY, QUALIFIER, new byte[MOST_BYTES + 1]));
      } else if (type == Increment.class) {
        return values(
            new Increment(ROW).addColumn(FAMILY, Bytes.toBytes("n"), 1),
            null,
            new Increment(ROW),
            new Increment(ROW).addColumn(NO_FAMILY, QUALIFIER, 1));
      } else if (type == RowMutations.class) {
        return values(
            RowMutations.of(List.of(put(ROW, FAMILY, 1))),
            null,
            new RowMutations(ROW),
            RowMutations.of(List.of(new Put(ROW))),
            RowMutations.of(List.of(put(ROW, NO_FAMILY, 1))),
            RowMutations.of(List.of(put(ROW, FAMILY, MOST_BYTES + 1))),
            RowMutations.of(List.of(put(OTHER_ROW, FAMILY, 1))));
      } else if (type == CheckAndMutate.class) {
        CheckAndMutate.Builder check =
            CheckAndMutate.newBuilder(ROW).ifNotExists(FAMILY, Bytes.toBytes("x"));
        return values(
            check.build(put(ROW, FAMILY, 1)),
            null,
            check.build(put(ROW, NO_FAMILY, 1)),
            check.build(new Put(ROW)),
            check.build(put(ROW, FAMILY, MOST_BYTES + 1)),
            check.build(new Increment(ROW)),
            check.build(new RowMutations(ROW)),
            check.build(RowMutations.of(List.of(new Put(ROW)))),
            CheckAndMutate.newBuilder(ROW)
                .ifNotExists(NO_FAMILY, QUALIFIER)
                .build(put(ROW, FAMILY, 1)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.of();
  }

  static Put put(byte[] row, byte[] family, int bytes) {
    return new Put(row).addColumn(family, QUALIFIER, new byte[bytes]);
  }

  private static List<Object> values(Object... values) {
    return Arrays.asList(values);
  }

  /** What a call does: throws, returns what fails later, or returns. */
  static String outcome(Callable<?> call) {
    try {
      return outcome(call.call());
    } catch (InvocationTargetException e) {
      return "throws " + name(e.getTargetException());
    } catch (Throwable e) {
      return "throws " + name(e);
    }
  }

  private static String outcome(Object result) {
    if (result instanceof CompletableFuture<?> later) {
      return "later " + outcome(() -> got(later));
    } else if (result instanceof ResultScanner scanner) {
      String first = outcome(scanner::next);
      scanner.close();
      return "scans " + first;
    } else if (result instanceof List<?> several && !several.isEmpty()) {
      return several.stream().map(each -> outcome(each)).toList().toString();
    }
    return "returns";
  }

  private static Object got(CompletableFuture<?> later) throws Later {
    try {
      return later.get(5, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new Later(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new Later(e);
    }
  }

  /** Carries what a future failed with. */
  private static final class Later extends Exception {
    private static final long serialVersionUID = 1L;

    Later(Throwable cause) {
      super(cause);
    }
  }

  private static String name(Throwable failure) {
    return failure instanceof Later ? name(failure.getCause()) : failure.getClass().getSimpleName();
  }
}
