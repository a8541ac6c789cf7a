@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;

const TILE = 16u;
var<workgroup> block: array<array<f32, 17>, 16>;

@compute @workgroup_size(16, 16)
fn main(
    @builtin(global_invocation_id) id: vec3u,
    @builtin(local_invocation_id) local: vec3u,
    @builtin(workgroup_id) tile: vec3u,
    @builtin(num_workgroups) groups: vec3u,
) {
    let n = groups.x * TILE;
    block[local.y][local.x] = a[id.y * n + id.x];
    workgroupBarrier();
    b[(tile.x * TILE + local.y) * n + tile.y * TILE + local.x] = block[local.x][local.y];
}
