package io.holdfast.examples;

import io.holdfast.DistributedLock;
import io.holdfast.Hold;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastClosedException;
import io.holdfast.LockLostException;
import io.holdfast.LockRefusedException;
import io.holdfast.LockTimeoutException;
import io.holdfast.OutcomeUnknownException;
import io.holdfast.OverloadedException;
import io.holdfast.StaleTokenException;
import io.holdfast.StoreUnavailableException;
import java.time.Duration;

/** Every kind of trouble has a type, and every type one thing to do about it. */
public final class Errors {

  private Errors() {}

  // region docs
  static String attempt(DistributedLock lock) throws InterruptedException {
    try (Hold hold = lock.acquire(Duration.ofMillis(100))) {
      return "done";
    } catch (LockTimeoutException e) {
      return "busy: come back later"; // the store said so, and e.holder() says who it is
    } catch (StoreUnavailableException e) {
      return "no store: come back later"; // it said nothing, and nothing is held
    } catch (OutcomeUnknownException e) {
      return "in doubt: come back later"; // nothing is held; leftovers are being taken out
    } catch (OverloadedException e) {
      return "too much at once: slow down"; // this one was not even sent
    } catch (LockRefusedException e) {
      return "refused: fix the program"; // waiting would not help, and the message says why
    } catch (HoldfastClosedException e) {
      return "closed: we are shutting down";
    } catch (LockLostException e) {
      return "lost: check what was done"; // thrown by close(): a rival may have come in
    } catch (StaleTokenException e) {
      return "overtaken: nothing was written"; // thrown by a guard
    }
  }

  // endregion

  public static void main(String[] args) throws InterruptedException {
    Holdfast holdfast = Holdfast.connect("memory:");
    Hold hold = holdfast.lock("stock").acquire();
    System.out.println(attempt(holdfast.lock("stock")));
    System.out.println(attempt(holdfast.semaphore("stock", 3)));
    hold.release();
    System.out.println(attempt(holdfast.lock("stock")));
    holdfast.close();
    System.out.println(attempt(holdfast.lock("stock")));
  }
}
