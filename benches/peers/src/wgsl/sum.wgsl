@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u) {
    var sum = 0.0;
    for (var i = id.x; i < arrayLength(&a); i += arrayLength(&sums)) {
        sum += a[i];
    }
    sums[id.x] = sum;
}
