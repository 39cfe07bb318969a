/*
 * A monotonic clock that can be made to have stood still, which is what a process sees of its host's
 * suspension. The number of nanoseconds that are missing is in a file, which is mapped; it changes
 * only while the process is stopped.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL

static volatile int64_t *mapped;

static int64_t missing(void) {
  if (!mapped) {
    const char *file = getenv("HOLDFAST_TORTURE_CLOCK");
    int fd = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0) return 0;
    void *memory = mmap(0, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (memory == MAP_FAILED) return 0;
    mapped = memory;
  }
  return *mapped;
}

static void shift(struct timespec *time, int64_t nanos) {
  int64_t all = (int64_t)time->tv_sec * BILLION + time->tv_nsec + nanos;
  time->tv_sec = all / BILLION;
  time->tv_nsec = all % BILLION;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_MONOTONIC || clock == CLOCK_MONOTONIC_COARSE ||
                      clock == CLOCK_MONOTONIC_RAW)) {
    shift(time, -missing());
  }
  return result;
}

/* The JVM waits until a moment of its own clock; the kernel has another one. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                           const struct timespec *until) {
  static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!real) real = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
  if (!real) real = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  struct timespec moment = *until;
  shift(&moment, missing());
  return real(condition, mutex, &moment);
}
