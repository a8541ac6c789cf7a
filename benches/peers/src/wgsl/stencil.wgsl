@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

@compute @workgroup_size(16, 16)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
    let n = groups.x * 16u;
    let i = id.y * n + id.x;
    if id.y > 0u && id.y + 1u < n && id.x > 0u && id.x + 1u < n {
        b[i] = 0.5 * a[i] + 0.125 * (a[i - n] + a[i + n] + a[i - 1u] + a[i + 1u]);
    } else {
        b[i] = a[i];
    }
}
