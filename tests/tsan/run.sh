#!/usr/bin/env bash
# Runs tests under ThreadSanitizer: `tests/tsan/run.sh -p amp-tests --test device -- threads`.
#
# It takes no other toolchain: the sanitizer comes with the stable one, as does a standard library
# without it; std.c makes up for that.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=x86_64-unknown-linux-gnu
library=$(rustc --print target-libdir --target "$target")
out=${CARGO_TARGET_DIR:-$PWD/target}/tsan
mkdir -p "$out"

# The name of a function of std whose mangled name matches a pattern.
name_of() {
    tr -c 'A-Za-z0-9_' '\n' <"$library"/libstd-*.rlib | grep -E "^_RNv[A-Za-z0-9_]*$1\$" | sort -u
}

functions=(
    MUTEX_LOCK=5mutex5futex.*14lock_contended
    RWLOCK_READ=6rwlock5futex.*14read_contended
    RWLOCK_WRITE=6rwlock5futex.*15write_contended
    CONDVAR_WAIT=7condvar5futex.*4wait
    CONDVAR_WAIT_TIMEOUT=7condvar5futex.*12wait_timeout
    ONCE_CALL=4once5futex.*4call
    SCOPE_THREAD_ENDS=9ScopeData29decrement_num_running_threads
)
names=()
flags=(-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer "-Clink-arg=$out/std.o"
    -Clink-arg=-Wl,--wrap=__tsan_atomic64_fetch_sub)
for function in "${functions[@]}"; do
    name=$(name_of "${function#*=}")
    names+=("-D${function%%=*}=$name")
    flags+=("-Clink-arg=-Wl,--wrap=$name")
done
cc -c -O1 -fexceptions "${names[@]}" tests/tsan/std.c -o "$out/std.o"

export RUSTC_BOOTSTRAP=1 RUSTFLAGS="${flags[*]}" CARGO_TARGET_DIR=$out
export CARGO_PROFILE_DEV_DEBUG=line-tables-only CARGO_INCREMENTAL=0
# What is too much memory has to be an error there too.
options="suppressions=$PWD/tests/tsan/suppressions allocator_may_return_null=1"
export TSAN_OPTIONS="$options ${TSAN_OPTIONS:-}"
exec cargo test --target "$target" "$@"
