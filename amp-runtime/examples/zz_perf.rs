#[path = "../tests/support/mod.rs"]
#[allow(dead_code)]
mod support;
use amp_runtime::*;
use std::time::Instant;
fn main() -> Result<()> {
    for a in Accelerator::all() { println!("{a:?} unified {}", a.supports_cpu_shared_memory()); }
    let acc = Accelerator::default()?;
    let t = Instant::now();
    let view = acc.default_view()?;
    println!("open {:?}", t.elapsed());
    let t = Instant::now();
    let mut x = Array::builder(64).on(&view).data(&[1.0f32; 64]).build()?;
    parallel_for_each(64, support::scale(&mut x, 1.0))?;
    view.wait()?;
    println!("first launch {:?}", t.elapsed());
    for _ in 0..3 {
        let n = 2000;
        let t = Instant::now();
        for _ in 0..n { parallel_for_each(64, support::scale(&mut x, 1.0))?; view.wait()?; }
        println!("launch+wait {:?}", t.elapsed() / n);
        let t = Instant::now();
        for _ in 0..n { parallel_for_each(64, support::scale(&mut x, 1.0))?; }
        let r = t.elapsed() / n;
        view.wait()?;
        println!("dependent launches, one wait {:?} (host {:?})", t.elapsed() / n, r);
        let mut many: Vec<_> = (0..16).map(|_| Array::<f32, 1>::builder(64).on(&view).build().unwrap()).collect();
        view.wait()?;
        let t = Instant::now();
        for i in 0..n { parallel_for_each(64, support::scale(&mut many[i as usize % 16], 1.0))?; }
        view.wait()?;
        println!("launches over 16 arrays, one wait {:?}", t.elapsed() / n);
    }
    let iview = acc.create_view(QueuingMode::Immediate)?;
    let mut y = Array::builder(64).on(&iview).data(&[1.0f32; 64]).build()?;
    let t = Instant::now();
    for _ in 0..2000 { parallel_for_each(64, support::scale(&mut y, 1.0))?; }
    iview.wait()?;
    println!("immediate launches {:?}", t.elapsed() / 2000);
    for mib in [1usize, 16, 256, 1024] {
        let n = mib << 18;
        let data = vec![1.0f32; n];
        let mut out = vec![0.0f32; n];
        let mut a = Array::<f32, 1>::builder(n).on(&view).build()?;
        view.wait()?;
        for _ in 0..2 {
            let t = Instant::now(); a.copy_from(&data)?; view.wait()?; let up = t.elapsed();
            let t = Instant::now(); a.copy_to(&mut out)?; let down = t.elapsed();
            let k = view.elapsed(|| parallel_for_each(n, support::scale(&mut a, 2.0)))?;
            let gb = (4 * n) as f64 / 1e9;
            println!("{mib} MiB: up {:.1} GB/s down {:.1} GB/s scale {:.0} GB/s", gb / up.as_secs_f64(), gb / down.as_secs_f64(), 2.0 * gb / k.as_secs_f64());
        }
    }
    let t = Instant::now();
    for _ in 0..1000 { let mut d = [1.0f32; 64]; let mut v = ArrayViewMut::new(64, &mut d)?; parallel_for_each(64, support::scale(&mut v, 1.0))?; v.synchronize()?; }
    println!("view round trip {:?}", t.elapsed() / 1000);
    Ok(())
}
