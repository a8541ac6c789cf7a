@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> c: array<f32>;

const TILE = 16u;
var<workgroup> loc_a: array<array<f32, 16>, 16>;
var<workgroup> loc_b: array<array<f32, 16>, 16>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let n = groups.x * TILE;
    var sum = 0.0;
    for (var i = 0u; i < n; i += TILE) {
        loc_a[local.y][local.x] = a[id.y * n + i + local.x];
        loc_b[local.y][local.x] = b[(i + local.y) * n + id.x];
        workgroupBarrier();
        for (var k = 0u; k < TILE; k++) {
            sum += loc_a[local.y][k] * loc_b[k][local.x];
        }
        workgroupBarrier();
    }
    c[id.y * n + id.x] = sum;
}
