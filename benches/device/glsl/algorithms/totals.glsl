// Scans of a group's numbers, and of all TOTALS by one group. T is the type of a number.
shared T sums[THREADS + 1];

// The sum of what the threads before have; `total` is that of all.
T before_thread(T x, out T total) {
    T before = subgroupExclusiveAdd(x);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1) sums[gl_SubgroupID] = before + x;
    barrier();
    if (lane == 0) {
        T sum = T(0);
        for (uint k = 0; k < gl_NumSubgroups; k++) {
            T next = sums[k];
            sums[k] = sum;
            sum += next;
        }
        sums[gl_NumSubgroups] = sum;
    }
    barrier();
    total = sums[gl_NumSubgroups];
    return sums[gl_SubgroupID] + before;
}

// Replaces each number by the sum of those before, and returns that of all.
T scan_totals(uint count) {
    T carry = T(0);
    for (uint start = 0; start < count; start += THREADS * EACH) {
        uint first = start + lane * EACH;
        T own[EACH];
        T sum = T(0);
        [[unroll]] for (uint k = 0; k < EACH; k++) {
            own[k] = first + k < count ? TOTALS.at[first + k] : T(0);
            sum += own[k];
        }
        T total;
        T before = carry + before_thread(sum, total);
        [[unroll]] for (uint k = 0; k < EACH; k++) {
            if (first + k < count) TOTALS.at[first + k] = before;
            before += own[k];
        }
        carry += total;
        barrier();
    }
    return carry;
}
