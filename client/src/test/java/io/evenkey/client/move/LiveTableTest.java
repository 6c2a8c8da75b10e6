package io.evenkey.client.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Stage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class LiveTableTest {
  private static final int THREADS = 4;
  private static final int LOOKS = 200_000;

  private final LiveTable table = LiveTable.unmoved(TableName.valueOf("readings"));

  private static View view(int epoch) {
    TableName name = TableName.valueOf("readings");
    return View.of(
        name,
        new Move(
            name,
            name,
            Move.next(name, name),
            Stage.COPYING,
            Stage.READY,
            epoch,
            Move.Work.of(Move.By.PUTS, List.of()),
            Move.Pace.FREE,
            Instant.EPOCH));
  }

  @Test
  void clocksAreAlwaysThoseOfTheViewsEpoch() throws Exception {
    View[] views = {view(1), view(2)};
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    CountDownLatch begin = new CountDownLatch(1);
    List<Future<Integer>> stale = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      stale.add(
          threads.submit(
              () -> {
                begin.await();
                return stale(views);
              }));
    }
    begin.countDown();
    for (Future<Integer> found : stale) {
      assertThat(found.get()).isZero();
    }
    threads.shutdown();
  }

  private int stale(View[] views) throws IOException {
    int stale = 0;
    for (int i = 0; i < LOOKS; i++) {
      View by = views[i & 1];
      ServerClocks clocks = table.clocks(by, () -> new ServerClocks(by.epoch(), 0));
      if (clocks.aheadMs() != by.epoch()) {
        stale++;
      }
    }
    return stale;
  }
}
