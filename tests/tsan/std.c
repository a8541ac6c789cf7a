/* What ThreadSanitizer has to be told of std.
 *
 * The standard library comes compiled without ThreadSanitizer. Most of what orders threads there
 * is inline, or calls what is intercepted, and so is seen. The functions below are not: each is
 * called through a wrapper, which says what it orders, and by which variable.
 *
 * Names of std begin with a hash of the release, which run.sh finds: NAME is the rest. */

#include <stdbool.h>
#include <stdint.h>

void __tsan_acquire(void *);
void __tsan_release(void *);

#define JOIN(a, b) a##b
#define FUNCTION(prefix, name) JOIN(prefix, name)
#define REAL(name) FUNCTION(__real_, name)
#define WRAP(name) FUNCTION(__wrap_, name)

/* Mutex and RwLock, where another thread has them: the lock's word comes first. */

void REAL(MUTEX_LOCK)(void *mutex);
void WRAP(MUTEX_LOCK)(void *mutex)
{
    REAL(MUTEX_LOCK)(mutex);
    __tsan_acquire(mutex);
}

void REAL(RWLOCK_READ)(void *lock);
void WRAP(RWLOCK_READ)(void *lock)
{
    REAL(RWLOCK_READ)(lock);
    __tsan_acquire(lock);
}

void REAL(RWLOCK_WRITE)(void *lock);
void WRAP(RWLOCK_WRITE)(void *lock)
{
    REAL(RWLOCK_WRITE)(lock);
    __tsan_acquire(lock);
}

/* Condvar: unlocks the mutex and locks it again. */

void REAL(CONDVAR_WAIT)(void *condvar, void *mutex);
void WRAP(CONDVAR_WAIT)(void *condvar, void *mutex)
{
    __tsan_release(mutex);
    REAL(CONDVAR_WAIT)(condvar, mutex);
    __tsan_acquire(mutex);
}

bool REAL(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanos);
bool WRAP(CONDVAR_WAIT_TIMEOUT)(void *condvar, void *mutex, uint64_t seconds, uint32_t nanos)
{
    __tsan_release(mutex);
    bool in_time = REAL(CONDVAR_WAIT_TIMEOUT)(condvar, mutex, seconds, nanos);
    __tsan_acquire(mutex);
    return in_time;
}

/* Once, and so OnceLock and LazyLock: says that it is complete when its closure, a `&mut dyn
 * FnMut(&OnceState)`, has returned. */

enum { CALL_MUT = 4 };

struct closure {
    void *data;
    void **vtable;
    void *once;
};

static void call(struct closure *closure, void *state)
{
    void (*call)(void *, void *) = closure->vtable[CALL_MUT];
    call(closure->data, state);
    __tsan_release(closure->once);
}

void REAL(ONCE_CALL)(void *once, bool ignore_poison, void *data, void **vtable, void *place);
void WRAP(ONCE_CALL)(void *once, bool ignore_poison, void *data, void **vtable, void *place)
{
    struct closure closure = {data, vtable, once};
    void *calling[] = {0, (void *)sizeof closure, (void *)_Alignof(struct closure), 0, call};
    REAL(ONCE_CALL)(once, ignore_poison, &closure, calling, place);
    __tsan_acquire(once);
}

/* A thread of a scope ends. The count is one of the first two words. */

void REAL(SCOPE_THREAD_ENDS)(void *scope, bool panicked);
void WRAP(SCOPE_THREAD_ENDS)(void *scope, bool panicked)
{
    __tsan_release(scope);
    __tsan_release((uint64_t *)scope + 1);
    REAL(SCOPE_THREAD_ENDS)(scope, panicked);
}

/* Arc counts down with Release and orders the last one by a fence, of which ThreadSanitizer knows
 * nothing: so whoever counts down acquires. */

enum { ACQUIRE_RELEASE = 4, RELEASE = 3 };

uint64_t __real___tsan_atomic64_fetch_sub(volatile uint64_t *count, uint64_t by, int order);
uint64_t __wrap___tsan_atomic64_fetch_sub(volatile uint64_t *count, uint64_t by, int order)
{
    order = order == RELEASE ? ACQUIRE_RELEASE : order;
    return __real___tsan_atomic64_fetch_sub(count, by, order);
}
